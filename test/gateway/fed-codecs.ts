/** Codecs that have been given the frames of a stream, and what is known of their calls. */
import type { Model } from "../../src/domain/catalogue.ts"
import { encodeEventStreamMessage } from "../../src/formats/bedrock/event-stream.ts"
import { ChatPassthrough } from "../../src/formats/chat/ChatPassthrough.ts"
import { MessagesPassthrough } from "../../src/formats/messages/MessagesPassthrough.ts"
import { pairs } from "../../src/formats/pairs.ts"
import type { StreamCodec } from "../../src/formats/stream/stream-codec.ts"
import type { Billing } from "../../src/gateway/billing.ts"
import { context } from "../formats/bedrock-fixtures.ts"
import { limitsOf } from "../tokens/limits.ts"
import { chatModel, claudeModel } from "../wire/models.ts"

export const inputGuess = 50
export const billingFor = (model: Model): Billing => ({ model, inputGuess, limits: limitsOf(model) })
export const claudeBilling = billingFor(claudeModel())
export const chatBilling = billingFor(chatModel())
export const event = (type: string, more: object) =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`
export const start = event("message_start", { message: { usage: { input_tokens: 7, output_tokens: 1 } } })
export const text = event("content_block_delta", {
  delta: { type: "text_delta", text: "one two three four" }
})
export const counted = event("message_delta", {
  delta: { stop_reason: "end_turn" },
  usage: { output_tokens: 30 }
})
export const stop = event("message_stop", {})

export const chunk = (delta: object, finish: string | null, more: object = {}) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }], ...more })}\n\n`

export const after = <Codec extends StreamCodec>(codec: Codec, ...frames: ReadonlyArray<string>): Codec => {
  for (const frame of frames) codec.push(Buffer.from(frame))
  return codec
}
export const messages = (...frames: ReadonlyArray<string>) => after(new MessagesPassthrough(), ...frames)
export const chat = (...frames: ReadonlyArray<string>) =>
  after(new ChatPassthrough({ includeUsage: true }), ...frames)

/** The same event in AWS's frame, as Claude sends it from there. */
const framed = (frame: string): Buffer =>
  encodeEventStreamMessage({
    headers: {
      ":message-type": { type: "string", value: "event" },
      ":event-type": { type: "string", value: "chunk" }
    },
    body: Buffer.from(JSON.stringify({ bytes: Buffer.from(frame.split("data: ")[1]!).toString("base64") }))
  })
const invoke = (codec: StreamCodec, ...frames: ReadonlyArray<string>): StreamCodec => {
  for (const frame of frames) codec.push(framed(frame))
  return codec
}
type CodecOf = (...frames: ReadonlyArray<string>) => StreamCodec
export const codecsOfMessages: ReadonlyArray<readonly [way: string, codecOf: CodecOf]> = [
  ["passed on", messages],
  ["converted", (...frames) => after(pairs.chat_completions.messages.stream(context), ...frames)],
  ["from Bedrock", (...frames) => invoke(pairs.messages.invoke.stream(context), ...frames)],
  [
    "from Bedrock and converted",
    (...frames) => invoke(pairs.chat_completions.invoke.stream(context), ...frames)
  ]
]
