/** Who calls: the key in either header, its checksum, and whose it is. */
import { hash } from "node:crypto"
import { Effect } from "effect"
import { isWellFormed } from "../domain/api-key.ts"
import type { KeyIdentity } from "../ledger/bridge/protocol.ts"
import { flatMapAtOnce, mapErrorAtOnce } from "./at-once.ts"
import { type CallError, ledgerUnavailable, notAuthenticated } from "./CallError.ts"
import type { RequestHeaders } from "./Client.ts"
import type { GatewayShape } from "./Gateway.ts"

/**
 * If both headers carry a key, either being valid suffices. Whether a single one is revoked is asked at admission, since
 * that is one hop for both questions.
 */
export const authenticate = (
  gateway: GatewayShape,
  headers: RequestHeaders
): Effect.Effect<KeyIdentity, CallError> => {
  const secrets = secretsOf(headers)
  if (secrets.length === 0) return noKey
  return firstKnown(gateway, secrets.filter(isWellFormed))
}

// Made once: an error notes where it was made, which is the dearest part of refusing a stranger.
const noKey = Effect.fail(
  notAuthenticated("An API key is required, in the x-api-key header or as Authorization: Bearer.")
)
const notValid = Effect.fail(notAuthenticated("The API key is not valid."))

const firstKnown = (
  gateway: GatewayShape,
  secrets: ReadonlyArray<string>
): Effect.Effect<KeyIdentity, CallError> => {
  const [secret, ...others] = secrets
  if (secret === undefined) return notValid
  const found = mapErrorAtOnce(gateway.ledger.identify(hash("sha256", secret)), ledgerUnavailable)
  return flatMapAtOnce(found, (identity) =>
    identity === undefined ? firstKnown(gateway, others) : preferred(gateway, identity, others)
  )
}

const refusals: ReadonlySet<string> = new Set(["Revoked", "Paused", "Expired"])

/** The first key, unless it may not be used and another is known. */
const preferred = (
  gateway: GatewayShape,
  identity: KeyIdentity,
  others: ReadonlyArray<string>
): Effect.Effect<KeyIdentity, CallError> =>
  others.length === 0
    ? Effect.succeed(identity)
    : Effect.flatMap(gateway.ledger.check(identity), (admission) =>
        refusals.has(admission._tag)
          ? Effect.orElseSucceed(firstKnown(gateway, others), () => identity)
          : Effect.succeed(identity)
      )

const secretsOf = ({ apiKey, authorization }: RequestHeaders): ReadonlyArray<string> => {
  const key = apiKey.trim()
  const bearer = /^bearer\s+(\S+)\s*$/i.exec(authorization)?.[1] ?? ""
  if (bearer === "" || bearer === key) return key === "" ? [] : [key]
  return key === "" ? [bearer] : [key, bearer]
}
