/** Messages streams of few words for tests, and what a chat client makes of them. */
import { pairs } from "../../../src/formats/pairs.ts"
import type { JsonObject } from "../../../src/formats/json/json.ts"
import { contextFor } from "../../wire/models.ts"
import { readFrames, runCodec } from "../../wire/stream-runner.ts"

export const start = (usage: JsonObject = { input_tokens: 10, output_tokens: 1 }): JsonObject => ({
  type: "message_start",
  message: { id: "msg_1", usage }
})
export const opens = (index: number, content_block: JsonObject): JsonObject => ({
  type: "content_block_start",
  index,
  content_block
})
export const piece = (index: number, delta: JsonObject): JsonObject => ({
  type: "content_block_delta",
  index,
  delta
})
export const stops = (index: number): JsonObject => ({ type: "content_block_stop", index })
export const said = (index: number, text: string) => [
  opens(index, { type: "text", text: "" }),
  piece(index, { type: "text_delta", text }),
  stops(index)
]
export const ends = (
  stop_reason: string,
  usage: JsonObject = { output_tokens: 5 },
  more: JsonObject = {}
): ReadonlyArray<JsonObject> => [
  { type: "message_delta", delta: { stop_reason, stop_sequence: null, ...more }, usage },
  { type: "message_stop" }
]

export const run = (events: ReadonlyArray<JsonObject>, more: Parameters<typeof contextFor>[1] = {}) => {
  const codec = pairs.chat_completions.messages.stream(contextFor("claude-x", { family: "claude", ...more }))
  const bytes = events
    .map((event) => `event: ${String(event.type)}\ndata: ${JSON.stringify(event)}\n\n`)
    .join("")
  const frames = readFrames(runCodec(codec, [Buffer.from(bytes)], "chat"))
  const chunks = frames.filter((frame) => frame !== "[DONE]") as ReadonlyArray<JsonObject>
  const choices = chunks.flatMap((chunk) => (chunk.choices ?? []) as ReadonlyArray<JsonObject>)
  const deltas = choices.map((choice) => choice.delta as JsonObject)
  const joined = (field: string) => deltas.map((delta) => delta[field] ?? "").join("")
  const reasons = choices.flatMap((choice) => (choice.finish_reason === null ? [] : [choice.finish_reason]))
  return { codec, frames, chunks, deltas, joined, reasons }
}
