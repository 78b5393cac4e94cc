/** What anybody with a key may see at no cost, also with an empty wallet and a budget that is spent. */
import { Effect } from "effect"
import { makeCallId } from "../domain/ids.ts"
import type { Admission, KeyIdentity } from "../ledger/bridge/protocol.ts"
import { refusalOf } from "./admission.ts"
import { idHeaders, jsonType } from "./answer-headers.ts"
import { authenticate } from "./authenticate.ts"
import type { CallError } from "./CallError.ts"
import type { Client, ResponseHeaders } from "./Client.ts"
import type { GatewayShape } from "./Gateway.ts"
import { refusalOfPlace } from "./key-rules.ts"
import { renderPathError } from "./render-call-error.ts"

/** `page` is the JSON that is answered. */
export const serveToKey = (
  gateway: GatewayShape,
  client: Client,
  page: (identity: KeyIdentity) => Effect.Effect<string, CallError>,
  headers: ResponseHeaders = []
): Effect.Effect<void> => {
  const requestId = makeCallId(Date.now())
  return Effect.gen(function* () {
    const identity = yield* authenticate(gateway, client.headers)
    yield* maySee(gateway, client, yield* gateway.ledger.check(identity))
    return yield* page(identity)
  }).pipe(
    Effect.match({
      onSuccess: (text) => client.respond(200, [jsonType, ...headers, ...idHeaders({ id: requestId })], text),
      onFailure: (error) => {
        const { body, headers, status } = renderPathError(error, requestId)
        client.respond(status, headers, body)
      }
    })
  )
}

/** Whoever may use the key from there, for whatever. */
const maySee = (
  gateway: GatewayShape,
  client: Client,
  admission: Admission
): Effect.Effect<void, CallError> => {
  if (admission._tag !== "Admitted") {
    return Effect.fail(refusalOf(admission, gateway.models.settings().publicUrl))
  }
  const refusal = admission.rules === undefined ? undefined : refusalOfPlace(admission.rules, client.address)
  return refusal === undefined ? Effect.void : Effect.fail(refusal)
}
