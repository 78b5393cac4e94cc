/** Token counts: free, and possible with an empty wallet. The provider's own count where it has one. */
import { Effect } from "effect"
import { bufferOf } from "../compute/read-body.ts"
import type { Model } from "../domain/catalogue.ts"
import { tokenCount } from "../domain/usage.ts"
import { plainPairs } from "../formats/plain-pairs.ts"
import { isJsonObject } from "../formats/json/json.ts"
import { idHeaders, jsonType, modelHeaders } from "./answer-headers.ts"
import type { Call, IdentifiedCall, ResolvedCall } from "./Call.ts"
import { answerUnreadable } from "./CallError.ts"
import { errorOfRequestCodec } from "./error-of-codecs.ts"
import { forward, providerOf, readWhole } from "./forward.ts"
import type { GatewayShape } from "./Gateway.ts"
import { addressOf, preparePlain } from "./prepare-plain.ts"
import { readBody } from "./read-body.ts"
import { resolveModel } from "./resolve-model.ts"
import { recordUncharged } from "./settle.ts"

/** A number and a name. */
const answerBytesMax = 64 * 1024

export const serveCountTokens = Effect.fnUntraced(function* (gateway: GatewayShape, arrived: IdentifiedCall) {
  const body = yield* readBody(arrived, gateway)
  const call = yield* resolveModel(gateway, arrived, body, "count_tokens")
  const { model } = call
  const prepared = yield* preparePlain(gateway, call, {
    endpoint: "count_tokens",
    body,
    model: model.upstream.model
  })
  const countHere = gateway.codecs
    .countTokens(call.identity.accountId, { body, model })
    .pipe(Effect.mapError(errorOfRequestCodec))
  const tokens = yield* model.upstream.protocols.includes(plainPairs.count_tokens.protocol)
    ? countUpstream(gateway, call, model, bufferOf(prepared.bytes)).pipe(
        Effect.catchIf(
          () => lacksCount(call),
          () => countHere
        )
      )
    : countHere
  recordUncharged(gateway, call, 200, "")
  call.client.respond(
    200,
    [jsonType, ...idHeaders(call), ...modelHeaders(call)],
    JSON.stringify({ input_tokens: tokens })
  )
})

/** Providers that speak the Messages protocol need not have this call of it. */
const lacksCount = (call: Call): boolean => {
  const outcome = call.attempts.at(-1)?.outcome
  return outcome === 404 || outcome === 405 || outcome === 501
}

const countUpstream = Effect.fnUntraced(function* (
  gateway: GatewayShape,
  call: ResolvedCall,
  model: Model,
  body: Buffer
) {
  const provider = yield* providerOf(gateway, model)
  const answer = yield* forward(gateway, call, {
    provider,
    model: model.upstream.model,
    address: addressOf("count_tokens", call.client),
    body,
    contentType: "application/json",
    stream: false,
    readWhole: true
  })
  const bytes = yield* readWhole(gateway, answer, answerBytesMax)
  const tokens = readCount(bytes)
  return tokens ?? (yield* answerUnreadable())
})

const readCount = (bytes: Buffer): number | undefined => {
  try {
    const parsed: unknown = JSON.parse(bytes.toString("utf8"))
    return isJsonObject(parsed) ? tokenCount(parsed["input_tokens"]) : undefined
  } catch {
    return undefined
  }
}
