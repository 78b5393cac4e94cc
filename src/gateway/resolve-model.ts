/** Finds the model that a body names, and refuses one that belongs on another path. */
import { Effect } from "effect"
import type { Model } from "../domain/catalogue.ts"
import { nearModels } from "../domain/near-models.ts"
import { endpoints } from "../formats/endpoints.ts"
import { flatMapAtOnce, mapErrorAtOnce } from "./at-once.ts"
import type { IdentifiedCall, ResolvedCall } from "./Call.ts"
import { type CallError, invalidRequest, modelNotFound } from "./CallError.ts"
import { errorOfRequestCodec } from "./error-of-codecs.ts"
import type { GatewayShape } from "./Gateway.ts"
import { refusalByRules } from "./key-rules.ts"

const pathsOf: Readonly<Record<Model["kind"], string>> = {
  chat: "/v1/messages, /v1/chat/completions or /v1/responses",
  image: "/v1/images/generations or /v1/images/edits",
  speech: "/v1/audio/speech"
}

export const resolveModel = (
  gateway: GatewayShape,
  call: IdentifiedCall,
  body: Buffer
): Effect.Effect<ResolvedCall, CallError> =>
  flatMapAtOnce(
    mapErrorAtOnce(gateway.codecs.readModel(call.identity.accountId, body), errorOfRequestCodec),
    (name) => modelOf(gateway, call, name)
  )

const modelOf = (
  gateway: GatewayShape,
  call: IdentifiedCall,
  name: string
): Effect.Effect<ResolvedCall, CallError> => {
  call.modelRequested = name
  const { kind, mapsNames } = endpoints[call.endpoint]
  const sold = gateway.models.soldAt(call.dateMs)
  const resolved = mapsNames ? sold.resolve(name) : exact(sold.get(name))
  if (resolved === undefined) return Effect.fail(modelNotFound(name, nearModels(name, sold.models)))
  const onItsWay = call.resolve(resolved, sold)
  if (resolved.model.kind !== kind) {
    return Effect.fail(
      invalidRequest(`${resolved.model.id} is served on ${pathsOf[resolved.model.kind]}.`, "model")
    )
  }
  const refusal = call.rules === undefined ? undefined : refusalByRules(call.rules, onItsWay)
  return refusal === undefined ? Effect.succeed(onItsWay) : Effect.fail(refusal)
}

const exact = (model: Model | undefined) => model && { model, mappedFrom: undefined }
