/** What a key's owner may know of its money. */
import { Effect } from "effect"
import type { KeyIdentity, KeyReportAsk } from "../ledger/bridge/protocol.ts"
import { invalidRequest, ledgerUnavailable } from "./CallError.ts"
import type { Client } from "./Client.ts"
import type { GatewayShape } from "./Gateway.ts"
import { serveToKey } from "./serve-to-key.ts"

const neverKept = [["cache-control", "no-store"]] as const

export const serveReport = (
  gateway: GatewayShape,
  client: Client,
  report: KeyReportAsk["report"]
): Effect.Effect<void> => {
  const query = new URLSearchParams(client.query)
  const said = (name: string) => (query.get(name) ?? "").slice(0, 100)
  const asked = { report, from: said("from"), to: said("to"), groupBy: said("group_by") }
  const page = (identity: KeyIdentity) =>
    Effect.flatMap(
      Effect.mapError(gateway.ledger.report({ ...identity, ...asked }), ledgerUnavailable),
      (answer) => (answer.isGood ? Effect.succeed(answer.text) : Effect.fail(invalidRequest(answer.text)))
    )
  return serveToKey(gateway, client, page, neverKept)
}
