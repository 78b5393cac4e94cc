/** Makes chat streams and converts them. */
import { assert } from "@effect/vitest"
import { pairs } from "../../../src/formats/pairs.ts"
import type { Json, JsonObject } from "../../../src/formats/json/json.ts"
import { contextFor } from "../../wire/models.ts"
import { messagesStreamDifference } from "../../wire/oracle-match.ts"
import { readFrames, runCodec } from "../../wire/stream-runner.ts"

export const chunk = (delta: JsonObject, more: JsonObject = {}): JsonObject => ({
  choices: [{ index: 0, delta, ...more }]
})
export const says = (content: Json) => chunk({ content })
export const calls = (...tool_calls: ReadonlyArray<Json>) => chunk({ tool_calls })
export const begins = (index: number, id: Json, name: string, input = "") => ({
  index,
  id,
  type: "function",
  function: { name, arguments: input }
})
export const goesOn = (index: number, input: string, more: JsonObject = {}) => ({
  index,
  function: { arguments: input, ...more }
})
export const finish = (finish_reason: string, more: JsonObject = {}) => chunk({}, { finish_reason, ...more })
export const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }

export const write = (chunks: ReadonlyArray<Json>) =>
  chunks.map((one) => `data: ${typeof one === "string" ? one : JSON.stringify(one)}\n\n`).join("")

export const run = (chunks: ReadonlyArray<Json>, toolNames?: ReadonlyMap<string, string>) => {
  const codec = pairs.messages.chat_completions.stream(contextFor("a-model", toolNames ? { toolNames } : {}))
  const events = readFrames(
    runCodec(codec, [Buffer.from(write(chunks))], "messages")
  ) as ReadonlyArray<JsonObject>
  return { codec, events }
}

/** The blocks of a stream that ended well: type, name or nothing, and the pieces put together. */
export const blocksOf = (events: ReadonlyArray<JsonObject>) => {
  assert.isUndefined(messagesStreamDifference(events))
  const blocks: Array<Array<unknown>> = []
  for (const event of events) {
    const block = event.content_block as JsonObject | undefined
    if (block !== undefined) blocks.push([block.type, ...(block.name === undefined ? [] : [block.name]), ""])
    const delta = event.delta as JsonObject | undefined
    const piece = delta?.text ?? delta?.thinking ?? delta?.partial_json
    if (typeof piece === "string") blocks.at(-1)![blocks.at(-1)!.length - 1] += piece
  }
  return blocks
}

export const answer = (...chunks: ReadonlyArray<Json>) => {
  const { events } = run([...chunks, "[DONE]"])
  const end = events.find((event) => event.type === "message_delta") as JsonObject
  return { blocks: blocksOf(events), end: end.delta as JsonObject, usage: end.usage as JsonObject, events }
}
