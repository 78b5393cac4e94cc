import { assert } from "@effect/vitest"
import { pairs } from "../../../src/formats/pairs.ts"
import type { JsonObject } from "../../../src/formats/json/json.ts"
import { contextFor } from "../models.ts"
import type { Direction, Outcome } from "../oracle-case.ts"
import { messagesStreamDifference } from "../oracle-match.ts"
import { readFrames, runCodec } from "../stream-runner.ts"

const eventsOf = (outcome: Outcome) =>
  outcome.events as ReadonlyArray<JsonObject & { readonly delta?: JsonObject }>

/** Each block as its type and the pieces that came for it. */
const blocksOf = (outcome: Outcome): ReadonlyArray<readonly [unknown, string]> => {
  const blocks: Array<[unknown, string]> = []
  for (const event of eventsOf(outcome)) {
    if (event.type === "content_block_start") blocks.push([(event.content_block as JsonObject).type, ""])
    const piece = event.delta?.text ?? event.delta?.partial_json
    if (typeof piece === "string") blocks.at(-1)![1] += piece
  }
  return blocks
}

const stopReason = (outcome: Outcome) =>
  eventsOf(outcome).find((event) => event.type === "message_delta")?.delta?.stop_reason

const endsInError = (outcome: Outcome) => {
  assert.strictEqual(eventsOf(outcome).at(-1)?.type, "error")
  assert.strictEqual(((eventsOf(outcome).at(-1) as JsonObject).error as JsonObject).type, "api_error")
  assert.notInclude(JSON.stringify(outcome.events), "message_stop")
}

export const direction: Direction = {
  direction: "chat_stream->messages_stream",
  run: ({ input }) => {
    const codec = pairs.messages.chat_completions.stream(contextFor("claude-fable-5"))
    return { events: readFrames(runCodec(codec, [Buffer.from(input as string)], "messages")) }
  },
  predicates: {
    "cstream-interleaved-tools": (outcome) => {
      assert.isUndefined(messagesStreamDifference(outcome.events!))
      const tools = blocksOf(outcome).filter(([type]) => type === "tool_use")
      assert.isAtLeast(tools.length, 2)
      for (const [, pieces] of tools) assert.isObject(JSON.parse(pieces))
      assert.strictEqual(stopReason(outcome), "tool_use")
    },
    "cstream-tool-then-text": (outcome) => {
      assert.deepStrictEqual(blocksOf(outcome), [
        ["text", "Let me check."],
        ["tool_use", `{"city": "NY"}`],
        ["text", "The weather is nice. Bye."]
      ])
      assert.strictEqual(stopReason(outcome), "tool_use")
    },
    "cstream-truncated": endsInError,
    "cstream-error-chunk": (outcome) => {
      endsInError(outcome)
      assert.deepStrictEqual(blocksOf(outcome), [["text", "Creating"]])
      assert.include(JSON.stringify(outcome.events!.at(-1)), "The server had an error")
    },
    "cstream-refusal": (outcome) => {
      assert.strictEqual(stopReason(outcome), "refusal")
      assert.deepStrictEqual(blocksOf(outcome), [["text", "I cannot help."]])
    }
  }
}
