/** The model list, for anybody with a key, also with an empty wallet. */
import { Effect } from "effect"
import { renderMessagesModel } from "../domain/messages-model-list.ts"
import { renderModel, renderModelListAs } from "../domain/model-list.ts"
import { makeCallId } from "../domain/ids.ts"
import { refusalOf } from "./admission.ts"
import { idHeaders, jsonType } from "./answer-headers.ts"
import { authenticate } from "./authenticate.ts"
import type { Admission } from "../ledger/bridge/LedgerClient.ts"
import { type CallError, invalidRequest, modelNotFound } from "./CallError.ts"
import type { Client } from "./Client.ts"
import type { GatewayShape } from "./Gateway.ts"
import { refusalOfPlace } from "./key-rules.ts"
import { renderPathError } from "./render-call-error.ts"

/** `id` is one model's, or `undefined` for the list. */
export const serveModels = (
  gateway: GatewayShape,
  client: Client,
  id: string | undefined
): Effect.Effect<void> => {
  const requestId = makeCallId(Date.now())
  return authenticate(gateway, client.headers).pipe(
    Effect.flatMap((identity) => gateway.ledger.check(identity)),
    Effect.flatMap((admission) => maySee(gateway, client, admission)),
    Effect.flatMap(() => (id === undefined ? list(gateway, client) : one(gateway, client, id))),
    Effect.match({
      onSuccess: (shown) =>
        client.respond(200, [jsonType, ...idHeaders({ id: requestId })], JSON.stringify(shown)),
      onFailure: (error) => {
        const { body, headers, status } = renderPathError(error, requestId)
        client.respond(status, headers, body)
      }
    })
  )
}

/** Clients of the Messages protocol tell its version. */
const wordsOf = ({ headers }: Client) => (headers.anthropicVersion === "" ? renderModel : renderMessagesModel)

/** Whoever may use the key from there, for whatever. */
export const maySee = (
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

const one = (gateway: GatewayShape, client: Client, id: string): Effect.Effect<unknown, CallError> => {
  const model = gateway.models.get(id)
  return model === undefined ? Effect.fail(modelNotFound(id)) : Effect.succeed(wordsOf(client)(model))
}

const limitMax = 1000

const list = (gateway: GatewayShape, client: Client): Effect.Effect<unknown, CallError> => {
  const parameters = new URLSearchParams(client.query)
  const limitText = parameters.get("limit")
  const limit = limitText === null ? undefined : Number(limitText)
  if (limit !== undefined && (!Number.isInteger(limit) || limit < 1 || limit > limitMax)) {
    return Effect.fail(invalidRequest(`limit: must be a whole number from 1 to ${limitMax}`, "limit"))
  }
  const page = renderModelListAs<{ readonly id: string }>(wordsOf(client), gateway.models.listed(), {
    limit,
    afterId: parameters.get("after_id") ?? undefined,
    beforeId: parameters.get("before_id") ?? undefined
  })
  return page === undefined
    ? Effect.fail(invalidRequest("after_id or before_id: no such model"))
    : Effect.succeed(page)
}
