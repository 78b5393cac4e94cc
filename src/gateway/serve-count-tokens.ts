/** Token counts: free, and possible with an empty wallet. The provider's own count where it has one. */
import { Effect } from "effect"
import { bufferOf } from "../compute/share-bytes.ts"
import { tokenCount } from "../domain/usage.ts"
import { plainPairs } from "../formats/plain-pairs.ts"
import { parseObject } from "../formats/json/json.ts"
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
  const body = yield* readBody(gateway, arrived)
  const call = yield* resolveModel(gateway, arrived, body)
  const { model } = call
  const row = counting.find((each) => model.upstream.protocols.includes(plainPairs[each].protocol))
  const prepared = yield* preparePlain(gateway, call, { row: row ?? "count_tokens", body, model })
  const countHere = gateway.codecs
    .countTokens(call.identity.accountId, { body, model })
    .pipe(Effect.mapError(errorOfRequestCodec))
  const tokens = yield* row === undefined
    ? countHere
    : countUpstream(gateway, call, row, bufferOf(prepared.bytes)).pipe(
        Effect.catchIf(
          () => lacksCount(call),
          () => countHere
        )
      )
  recordUncharged(gateway, call, 200, "")
  call.client.respond(
    200,
    [jsonType, ...idHeaders(call), ...modelHeaders(call)],
    JSON.stringify({ input_tokens: tokens })
  )
})

/** The protocols that have such a call. */
const counting = ["count_tokens", "input_tokens"] as const

/** Providers that speak one of these protocols need not have this call of it. */
const lacking: ReadonlySet<number> = new Set([404, 405, 501])

const lacksCount = (call: Call): boolean => {
  const outcome = call.attempts.at(-1)?.outcome
  return typeof outcome === "number" && lacking.has(outcome)
}

const countUpstream = Effect.fnUntraced(function* (
  gateway: GatewayShape,
  call: ResolvedCall,
  row: (typeof counting)[number],
  body: Buffer
) {
  const { model } = call
  const provider = yield* providerOf(gateway, model)
  const answer = yield* forward(gateway, call, {
    provider,
    model: model.upstream.model,
    address: addressOf(row, call.client),
    body,
    contentType: "application/json",
    stream: false,
    readWhole: true,
    lacking
  })
  const bytes = yield* readWhole(gateway, answer, answerBytesMax)
  const tokens = readCount(bytes)
  return tokens ?? (yield* answerUnreadable())
})

const readCount = (bytes: Buffer): number | undefined =>
  tokenCount(parseObject(bytes.toString("utf8"))?.["input_tokens"])
