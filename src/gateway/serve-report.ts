/** What a key's owner may know of its money, also with an empty wallet and a budget that is spent. */
import { Effect } from "effect"
import { makeCallId } from "../domain/ids.ts"
import type { KeyReportAsk } from "../ledger/bridge/KeyReports.ts"
import { idHeaders, jsonType } from "./answer-headers.ts"
import { authenticate } from "./authenticate.ts"
import { invalidRequest, ledgerUnavailable } from "./CallError.ts"
import type { Client } from "./Client.ts"
import type { GatewayShape } from "./Gateway.ts"
import { renderPathError } from "./render-call-error.ts"
import { maySee } from "./serve-models.ts"

export const serveReport = (
  gateway: GatewayShape,
  client: Client,
  report: KeyReportAsk["report"]
): Effect.Effect<void> => {
  const requestId = makeCallId(Date.now())
  const query = new URLSearchParams(client.query)
  const said = (name: string) => (query.get(name) ?? "").slice(0, 100)
  const asked = { report, from: said("from"), to: said("to"), groupBy: said("group_by") }
  return Effect.gen(function* () {
    const identity = yield* authenticate(gateway, client.headers)
    yield* maySee(gateway, client, yield* gateway.ledger.check(identity))
    const answer = yield* Effect.mapError(gateway.ledger.report({ ...identity, ...asked }), ledgerUnavailable)
    return answer.isGood ? answer.text : yield* invalidRequest(answer.text)
  }).pipe(
    Effect.match({
      onSuccess: (text) =>
        client.respond(200, [jsonType, ["cache-control", "no-store"], ...idHeaders({ id: requestId })], text),
      onFailure: (error) => {
        const { body, headers, status } = renderPathError(error, requestId)
        client.respond(status, headers, body)
      }
    })
  )
}
