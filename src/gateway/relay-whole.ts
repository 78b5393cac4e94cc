/** A whole answer: read, charged, and only then sent. */
import { Effect } from "effect"
import { pairOf } from "../formats/pairs.ts"
import type { UpstreamAnswer } from "../upstream/UpstreamCall.ts"
import { mapErrorAtOnce } from "./at-once.ts"
import { chargedHeaders } from "./answer-headers.ts"
import { billingOf } from "./billing.ts"
import { contextOf } from "./conversion-context.ts"
import { errorOfCodecs } from "./error-of-codecs.ts"
import { errorOfFailure } from "./error-of-failure.ts"
import { readWhole, reportFailed } from "./forward.ts"
import type { GatewayShape } from "./Gateway.ts"
import { settle } from "./settle.ts"
import type { TextCall } from "./TextCall.ts"

/** More than any text answer holds. */
const answerBytesMax = 32 * 1024 * 1024

export const relayWhole = Effect.fnUntraced(function* (
  gateway: GatewayShape,
  text: TextCall,
  answer: UpstreamAnswer
) {
  const bytes = yield* readWhole(gateway, answer, answerBytesMax)
  // From here on the work is done: it is charged even if its client leaves now.
  yield* Effect.uninterruptible(charge(gateway, text, bytes, answer))
})

const charge = Effect.fnUntraced(function* (
  gateway: GatewayShape,
  text: TextCall,
  bytes: Buffer,
  answer: UpstreamAnswer
) {
  const { call } = text
  const { way } = text.prepared
  const read = yield* mapErrorAtOnce(
    gateway.codecs.readAnswer(call.identity.accountId, {
      way,
      model: call.model,
      bytes,
      context: contextOf(text),
      limits: billingOf(text).limits
    }),
    (error) => {
      if (error._tag !== "AnswerUnreadable") return errorOfCodecs(error)
      const failed = errorOfFailure(error.failure, text.provider, pairOf(way).clientsField)
      reportFailed(gateway, answer, failed)
      return failed
    }
  )
  if (text.prepared.isStored) call.noteStored(read.stored)
  const { disbelieved, estimated, particulars, usage } = read
  const record = yield* settle(gateway, call, { usage, units: 1, estimated, particulars, disbelieved })
  call.client.respond(200, chargedHeaders(call, record), read.bytes)
})
