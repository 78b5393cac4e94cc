/** Every way that a stream takes tells how it was made, as its provider does: the terms once, at its start or in its end. */
import { assert, describe, it } from "@effect/vitest"
import { chatCounts } from "../../../src/formats/chat/usage.ts"
import { isJsonObject, type JsonObject } from "../../../src/formats/json/json.ts"
import { billedCounts, cachedCounts, mergeCounts, noCounts } from "../../../src/formats/messages/usage.ts"
import { pairs } from "../../../src/formats/pairs.ts"
import { responsesCounts } from "../../../src/formats/responses/usage.ts"
import type { StreamCodec } from "../../../src/formats/stream/stream-codec.ts"
import { converseFrame, invokeFrame } from "../../wire/aws-frames.ts"
import { context } from "../bedrock-fixtures.ts"

const named = (event: { readonly type: string }): Buffer =>
  Buffer.from(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
const unnamed = (chunk: object): Buffer => Buffer.from(`data: ${JSON.stringify(chunk)}\n\n`)

const messages = [
  {
    type: "message_start",
    message: {
      id: "msg_1",
      usage: {
        input_tokens: 5,
        cache_read_input_tokens: 30,
        cache_creation_input_tokens: 4,
        output_tokens: 1,
        service_tier: "priority",
        speed: "fast",
        inference_geo: "us"
      }
    }
  },
  {
    type: "content_block_start",
    index: 0,
    content_block: { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: {} }
  },
  { type: "content_block_stop", index: 0 },
  {
    type: "message_delta",
    delta: { stop_reason: "end_turn" },
    usage: {
      output_tokens: 9,
      output_tokens_details: { thinking_tokens: 3 },
      service_tier: null,
      speed: null,
      inference_geo: null
    }
  },
  { type: "message_stop" }
]
const chunks = [
  {
    service_tier: "priority",
    choices: [{ index: 0, delta: { role: "assistant", content: "" }, finish_reason: null }]
  },
  { choices: [{ index: 0, delta: { content: "Hi", annotations: [] }, finish_reason: null }] },
  {
    choices: [
      {
        index: 0,
        delta: { annotations: [{ type: "url_citation" }, { type: "file" }] },
        finish_reason: "stop"
      }
    ]
  },
  {
    choices: [],
    usage: {
      prompt_tokens: 39,
      completion_tokens: 9,
      prompt_tokens_details: { cached_tokens: 30, cache_write_tokens: 4 },
      completion_tokens_details: { reasoning_tokens: 3 }
    }
  }
]
const search = { type: "web_search_call", id: "ws_1", status: "completed", action: { type: "search" } }
const answered = { type: "message", id: "m", content: [{ type: "output_text", text: "Hi", annotations: [] }] }
const responses = (status: "completed" | "incomplete") => [
  { type: "response.created", response: { id: "resp_1", service_tier: "auto" } },
  { type: "response.output_item.done", output_index: 0, item: search },
  {
    type: `response.${status}`,
    response: {
      id: "resp_1",
      status,
      ...(status === "incomplete" && { incomplete_details: { reason: "max_output_tokens" } }),
      service_tier: "priority",
      output: [search, answered],
      usage: {
        input_tokens: 39,
        output_tokens: 9,
        input_tokens_details: { cached_tokens: 30, cache_write_tokens: 4 },
        output_tokens_details: { reasoning_tokens: 3 }
      }
    }
  }
]

const ofMessages = messages.map(named)
const ofChat = chunks.map(unnamed)
const ofInvoke = messages.map((event) => invokeFrame(JSON.stringify(event)))
const ofConverse = [
  converseFrame("messageStart", { role: "assistant" }),
  converseFrame("contentBlockDelta", { contentBlockIndex: 0, delta: { text: "Hi" } }),
  converseFrame("contentBlockStop", { contentBlockIndex: 0 }),
  converseFrame("messageStop", { stopReason: "end_turn" }),
  converseFrame("metadata", {
    usage: { inputTokens: 5, outputTokens: 9, cacheReadInputTokens: 30, cacheWriteInputTokens: 4 },
    serviceTier: { type: "priority" }
  })
]

const streams: ReadonlyArray<readonly [protocol: string, frames: ReadonlyArray<Buffer>]> = [
  ["messages", ofMessages],
  ["invoke", ofInvoke],
  ["chat_completions", ofChat],
  ["responses", responses("completed").map(named)],
  ["responses", responses("incomplete").map(named)],
  ["converse", ofConverse]
]

const ways = Object.entries(pairs).flatMap(([endpoint, rows]) =>
  Object.entries(rows).flatMap(([protocol, { stream }]) =>
    streams.flatMap(([spoken, frames]) =>
      spoken === protocol ? [{ endpoint, protocol, codec: (): StreamCodec => stream(context), frames }] : []
    )
  )
)

/** The usage that a client puts together of what it is told; a later count takes the place of an earlier one. */
const shownUsage = (text: string): JsonObject => {
  const told = text
    .split("\n")
    .filter((line) => line.startsWith("data: {"))
    .map((line) => JSON.parse(line.slice("data: ".length)) as JsonObject)
    .map(
      ({ message, response, usage }) => usage ?? ((message ?? response) as JsonObject | undefined)?.["usage"]
    )
  return Object.assign({}, ...told.filter(isJsonObject)) as JsonObject
}

const countsOf = (endpoint: string, usage: JsonObject) => {
  if (endpoint === "chat_completions") return chatCounts(usage)
  if (endpoint === "responses") return responsesCounts(usage)
  const counts = mergeCounts(noCounts, usage)
  return { ...billedCounts(counts), ...cachedCounts(counts), reasoningTokens: counts.thinkingTokens ?? 0 }
}

describe("a stream", () => {
  it.each(ways)("of $protocol for $endpoint tells its tier, caches, thoughts and searches", (way) => {
    const codec = way.codec()
    const given = way.frames.map((frame) => codec.push(frame))
    const text = Buffer.concat([...given, codec.end(), codec.tail].filter((bytes) => bytes !== undefined))
    const { cacheReadTokens, cacheWriteTokens, reasoningTokens, served, toolUses } = codec.particulars
    const reasoned = way.protocol === "converse" ? 0 : 3
    const counts = { cacheReadTokens: 30, cacheWriteTokens: 4, reasoningTokens: reasoned }
    assert.deepStrictEqual({ cacheReadTokens, cacheWriteTokens, reasoningTokens }, counts)
    assert.deepStrictEqual(toolUses, way.protocol === "converse" ? [] : [{ tool: "web_search", uses: 1 }])
    assert.strictEqual(served.tier, "priority")
    if (["messages", "invoke"].includes(way.protocol))
      assert.deepStrictEqual(served, { tier: "priority", speed: "fast", region: "us" })
    assert.deepStrictEqual(codec.usage, { inputTokens: 39, outputTokens: 9 })
    assert.isTrue(codec.usageIsFinal ?? codec.finished)
    assert.isNotTrue(codec.usageIsNonsense)
    const shown = shownUsage(text.toString())
    assert.deepInclude(countsOf(way.endpoint, shown), { ...counts, inputTokens: 39, outputTokens: 9 })
    assert.include([48, undefined], shown["total_tokens"])
  })
})

describe("a Converse stream", () => {
  it("tells what any of its metadata told, be it in several events", () => {
    const usage = { inputTokens: 5, outputTokens: 9, cacheReadInputTokens: 30, cacheWriteInputTokens: 4 }
    const [counts, tier] = [{ usage }, { serviceTier: { type: "priority" } }]
    const stop = converseFrame("messageStop", { stopReason: "end_turn" })
    for (const events of [
      [counts, tier],
      [tier, counts],
      [{ ...counts, ...tier }, { metrics: { latencyMs: 7 } }]
    ]) {
      const codec = pairs.messages.converse.stream(context)
      for (const frame of [
        ...ofConverse.slice(0, 3),
        ...events.map((event) => converseFrame("metadata", event)),
        stop
      ])
        codec.push(frame)
      const { cacheReadTokens, cacheWriteTokens, served } = codec.particulars
      assert.deepStrictEqual([cacheReadTokens, cacheWriteTokens, served.tier], [30, 4, "priority"])
      assert.deepStrictEqual(codec.usage, { inputTokens: 39, outputTokens: 9 })
      assert.isTrue(codec.finished)
    }
  })
})
