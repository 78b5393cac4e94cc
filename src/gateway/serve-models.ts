/** The model list. */
import { Effect } from "effect"
import { renderMessagesModel } from "../domain/messages-model-list.ts"
import { renderModel, renderModelList } from "../domain/model-list.ts"
import { nearModels } from "../domain/near-models.ts"
import { type CallError, invalidRequest, modelNotFound } from "./CallError.ts"
import type { Client } from "./Client.ts"
import type { GatewayShape } from "./Gateway.ts"
import { serveToKey } from "./serve-to-key.ts"

/** `id` is one model's, or `undefined` for the list. */
export const serveModels = (
  gateway: GatewayShape,
  client: Client,
  id: string | undefined
): Effect.Effect<void> =>
  serveToKey(gateway, client, () =>
    Effect.map(id === undefined ? list(gateway, client) : one(gateway, client, id), (shown) =>
      JSON.stringify(shown)
    )
  )

/** Clients of the Messages protocol tell its version. */
const wordsOf = ({ headers }: Client) => (headers.anthropicVersion === "" ? renderModel : renderMessagesModel)

const one = (gateway: GatewayShape, client: Client, id: string): Effect.Effect<unknown, CallError> => {
  const model = gateway.models.get(id)
  return model === undefined
    ? Effect.fail(modelNotFound(id, nearModels(id, gateway.models.listed())))
    : Effect.succeed(wordsOf(client)(model))
}

const limitMax = 1000
const isLimit = (text: string): boolean => /^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= limitMax

const list = (gateway: GatewayShape, client: Client): Effect.Effect<unknown, CallError> => {
  const parameters = new URLSearchParams(client.query)
  const limit = parameters.get("limit") ?? undefined
  if (limit !== undefined && !isLimit(limit)) {
    return Effect.fail(invalidRequest(`limit: must be a whole number from 1 to ${limitMax}`, "limit"))
  }
  const page = renderModelList<{ readonly id: string }>(wordsOf(client), gateway.models.listed(), {
    limit: limit === undefined ? undefined : Number(limit),
    afterId: parameters.get("after_id") ?? undefined,
    beforeId: parameters.get("before_id") ?? undefined
  })
  return page === undefined
    ? Effect.fail(invalidRequest("after_id or before_id: no such model"))
    : Effect.succeed(page)
}
