/** Bedrock's streams in its own frames, written after its public documents: whole, in pieces, failing under way. */
import { assert, describe, it } from "@effect/vitest"
import { pairs } from "../../../src/formats/pairs.ts"
import type { JsonObject } from "../../../src/formats/json/json.ts"
import { awsFrame, converseFrame as converse, invokeFrame } from "../../wire/aws-frames.ts"
import { context, eventsOf, runCodec } from "../bedrock-fixtures.ts"

/** An event of Claude's own stream. */
const invoke = (event: JsonObject) => invokeFrame(JSON.stringify(event))

const converseBegun = [
  converse("messageStart", { role: "assistant" }),
  converse("contentBlockDelta", { contentBlockIndex: 0, delta: { text: "Xin chào 😀" } }),
  converse("contentBlockStop", { contentBlockIndex: 0 })
]
const converseEnd = [
  converse("messageStop", { stopReason: "end_turn" }),
  converse("metadata", {
    usage: { inputTokens: 3, outputTokens: 4, totalTokens: 17, cacheReadInputTokens: 10 },
    metrics: { latencyMs: 5 },
    trace: { guardrail: {} },
    performanceConfig: { latency: "standard" }
  })
]
const invokeBegun = [
  invoke({ type: "message_start", message: { id: "msg_1", usage: { input_tokens: 13, output_tokens: 1 } } }),
  invoke({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }),
  invoke({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Xin chào 😀" } }),
  invoke({ type: "content_block_stop", index: 0 })
]
const invokeEnd = [
  invoke({ type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 4 } }),
  invoke({ type: "message_stop", "amazon-bedrock-invocationMetrics": { inputTokenCount: 13 } })
]

const codecs = [
  ["Converse", "Messages", () => pairs.messages.converse.stream(context), converseBegun, converseEnd],
  ["Converse", "chat", () => pairs.chat_completions.converse.stream(context), converseBegun, converseEnd],
  ["InvokeModel", "Messages", () => pairs.messages.invoke.stream(context), invokeBegun, invokeEnd],
  ["InvokeModel", "chat", () => pairs.chat_completions.invoke.stream(context), invokeBegun, invokeEnd]
] as const

const textOf = (output: Buffer): string =>
  eventsOf(output)
    .flatMap((event) => {
      const choices = (event.choices ?? []) as ReadonlyArray<JsonObject>
      return [event, ...choices].map(({ delta }) => delta as JsonObject | undefined)
    })
    .map((delta) => delta?.text ?? delta?.content ?? "")
    .join("")

describe.each(codecs)("a %s stream for a %s client", (upstream, _, make, begun, end) => {
  it("is the same wherever its frames are cut, and is billed by its last count", () => {
    const bytes = Buffer.concat([...begun, ...end])
    const whole = runCodec(make(), bytes)
    assert.isUndefined(whole.failure)
    assert.strictEqual(textOf(whole.output), "Xin chào 😀")
    assert.include(["message_stop", "[DONE]"], eventsOf(whole.output).at(-1)!.type)
    assert.deepStrictEqual(whole.usage, { inputTokens: 13, outputTokens: 4 })
    for (const size of [1, 2, 11, 300]) assert.deepStrictEqual(runCodec(make(), bytes, size), whole)
  })

  it.each([
    ["throttlingException", "rate_limit_error"],
    ["validationException", "invalid_request_error"],
    ["internalServerException", "api_error"],
    ["modelStreamErrorException", "api_error"],
    ["modelTimeoutException", "api_error"],
    ["serviceUnavailableException", "api_error"]
  ])("fails with %s, after what came before it and without an end", (exception, expected) => {
    const told = awsFrame(
      "exception",
      exception,
      JSON.stringify({ message: "not now", originalStatusCode: 500 })
    )
    const bytes = Buffer.concat([...begun, told, ...end])
    for (const size of [1, bytes.length]) {
      const { failure, output } = runCodec(make(), bytes, size)
      assert.strictEqual(failure?.type, expected)
      assert.strictEqual(failure?.message, "not now")
      assert.strictEqual(textOf(output), "Xin chào 😀")
      assert.notMatch(output.toString(), /message_stop|\[DONE\]|"finish_reason":"/)
    }
    const first = runCodec(make(), told)
    assert.strictEqual(first.failure?.type, expected)
    assert.isFalse(first.contentSeen)
  })

  it("fails with an error that Claude's own events tell, with its type or without", () => {
    if (upstream === "Converse") return
    const error = { type: "rate_limit_error", message: "slow" }
    for (const told of [{ type: "error", error }, { error }]) {
      const { failure, output } = runCodec(make(), Buffer.concat([...begun, invoke(told), ...end]))
      assert.deepStrictEqual(failure, error as typeof failure)
      assert.strictEqual(textOf(output), "Xin chào 😀")
      assert.notInclude(output.toString(), "slow")
    }
  })

  it("fails where it is cut inside a frame or before its end", () => {
    const bytes = Buffer.concat(begun)
    const before = upstream === "Converse" ? end.slice(0, 0) : end.slice(0, 1)
    for (const cut of [bytes.subarray(0, -3), bytes, Buffer.concat([bytes, ...before])]) {
      const { failure, output } = runCodec(make(), cut)
      assert.strictEqual(failure?.type, "api_error")
      assert.notMatch(output.toString(), /message_stop|\[DONE\]/)
    }
  })

  it("fails where a frame is damaged", () => {
    const damaged = Buffer.concat([...begun, ...end])
    damaged[damaged.length - 20]! ^= 1
    assert.strictEqual(runCodec(make(), damaged).failure?.type, "api_error")
  })
})
