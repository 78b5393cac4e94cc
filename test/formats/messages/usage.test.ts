import { assert, describe, it } from "@effect/vitest"
import type { Json, JsonObject } from "../../../src/formats/json/json.ts"
import {
  billedCounts,
  cachedCounts,
  mergeCounts,
  messagesUsage,
  noCounts
} from "../../../src/formats/messages/usage.ts"

const cached = {
  input_tokens: 20,
  cache_read_input_tokens: 300,
  cache_creation_input_tokens: 4000,
  output_tokens: 1
}

describe("the usage of a Messages stream", () => {
  it.each<[situation: string, start: JsonObject | null, end: JsonObject, input: number]>([
    ["at the start alone", cached, {}, 4320],
    ["at both ends alike", cached, cached, 4320],
    ["corrected at the end", cached, { ...cached, cache_read_input_tokens: 0 }, 4020],
    ["in part at the end", cached, { cache_read_input_tokens: 301 }, 4321],
    ["at the end alone", null, cached, 4320],
    ["not known at the start", { input_tokens: 0, output_tokens: 0 }, cached, 4320],
    ["more at the end", { input_tokens: 20, output_tokens: 1 }, { input_tokens: 35 }, 35],
    ["null at the end", cached, { input_tokens: null, cache_read_input_tokens: null }, 4320],
    ["zero at the end", cached, { input_tokens: 0, cache_read_input_tokens: 0 }, 4320]
  ])("counts each input token once where it is told %s", (_, start, end, inputTokens) => {
    const counts = mergeCounts(mergeCounts(noCounts, start), { ...end, output_tokens: 9 })
    assert.deepStrictEqual(billedCounts(counts), { inputTokens, outputTokens: 9 })
  })
})

const long = { input_tokens: 23_000, cache_read_input_tokens: 500, output_tokens: 1000 }
const message = { type: "message", ...long }
const advice = { type: "advisor_message", input_tokens: 823, output_tokens: 1612 }
const compaction = {
  type: "compaction",
  input_tokens: 150_000,
  cache_read_input_tokens: 20_000,
  cache_creation_input_tokens: 10_000,
  output_tokens: 3500
}

describe("the usage of a conversation that was summed up on the way", () => {
  it.each<[iterations: Json, input: number, output: number]>([
    [null, 23_500, 1000],
    [[], 23_500, 1000],
    [[message], 23_500, 1000],
    [[message, advice, message], 23_500, 1000],
    [[compaction, message], 203_500, 4500],
    [[compaction, message, { type: "compaction", input_tokens: 7 }, message], 203_507, 4500],
    [[{ ...compaction, input_tokens: -1, output_tokens: "9" }, null, 3], 53_500, 1000]
  ])("counts the summing up, which the usage leaves out: %j", (iterations, inputTokens, outputTokens) => {
    const usage = { ...long, iterations }
    assert.deepStrictEqual(messagesUsage({ usage }), { inputTokens, outputTokens })
    const streamed = mergeCounts(mergeCounts(noCounts, { ...long, output_tokens: 1 }), usage)
    assert.deepStrictEqual(billedCounts(mergeCounts(streamed, {})), { inputTokens, outputTokens })
  })
})

describe("the caches of a conversation that was summed up on the way", () => {
  it("are told with those of the answer", () => {
    const counts = mergeCounts(noCounts, { ...long, iterations: [compaction, message] })
    assert.deepStrictEqual(cachedCounts(counts), { cacheReadTokens: 20_500, cacheWriteTokens: 10_000 })
  })
})

const served = { ...message, type: "fallback_message", model: "claude-b" }
const declined = {
  type: "message",
  model: "claude-a",
  input_tokens: 70,
  cache_read_input_tokens: 7,
  output_tokens: 5
}

describe("the usage of a call that one model declined and another answered", () => {
  it.each<[iterations: Json, input: number, output: number]>([
    [[declined, served], 23_577, 1005],
    [[declined, { ...declined, model: "claude-c" }, served], 23_654, 1010],
    [[{ ...declined, output_tokens: 0 }, served], 23_500, 1000],
    [[{ ...message, model: "claude-b" }, served], 23_500, 1000],
    [[declined], 23_500, 1000],
    [[compaction, declined, served], 203_577, 4505]
  ])("counts what a model wrote before it declined: %j", (iterations, inputTokens, outputTokens) => {
    assert.deepStrictEqual(messagesUsage({ usage: { ...long, iterations } }), { inputTokens, outputTokens })
  })
})

describe("counts that no call can have", () => {
  it.each<[usage: JsonObject]>([
    [{ input_tokens: 9e8, cache_read_input_tokens: 9e8, output_tokens: 1 }],
    [{ input_tokens: 1, cache_creation_input_tokens: 1e9, output_tokens: 1 }],
    [{ input_tokens: 1, output_tokens: 1e9, iterations: [{ type: "compaction", output_tokens: 1 }] }]
  ])("are unknown also where only their sum is absurd: %j", (usage) => {
    assert.isUndefined(messagesUsage({ usage }))
  })
})
