import { assert, describe, it } from "@effect/vitest"
import type { Json, JsonObject } from "../../../src/formats/json/json.ts"
import {
  billedCounts,
  cachedCounts,
  mergeCounts,
  messagesUsage,
  noCounts,
  shownCounts
} from "../../../src/formats/messages/usage.ts"

const cached = {
  input_tokens: 20,
  cache_read_input_tokens: 300,
  cache_creation_input_tokens: 4000,
  output_tokens: 1
}

const none = { input_tokens: 0, cache_read_input_tokens: 0 }
const halves = { ...none, input_tokens: 20, cache_creation_input_tokens: 20 }

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
    ["zero at the end", cached, { input_tokens: 0, cache_read_input_tokens: 0 }, 4320],
    ["zero of its cache alone at the end", cached, { cache_read_input_tokens: 0 }, 4320],
    ["as all written to a cache at the end", cached, { ...none, cache_creation_input_tokens: 77 }, 77],
    ["as half read from a cache at the end", cached, { input_tokens: 20, cache_read_input_tokens: 20 }, 4040],
    ["as half written to a cache at the end", { input_tokens: 3 }, halves, 40],
    ["at the end without its caches", cached, { input_tokens: 25 }, 4325],
    ["as not written to a cache at the end", cached, { ...cached, cache_creation_input_tokens: 0 }, 320]
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
    const iterations = [compaction, message, compaction, message]
    const counts = mergeCounts(noCounts, { ...long, iterations })
    assert.deepStrictEqual(cachedCounts(counts), { cacheReadTokens: 40_500, cacheWriteTokens: 20_000 })
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
    [[declined, { ...advice, model: "claude-c" }, served], 23_577, 1005],
    [[{ ...declined, model: null }, served], 23_500, 1000],
    [[{ ...declined, output_tokens: null }, served], 23_500, 1000],
    [[{ ...declined, output_tokens: 1 }, served], 23_577, 1001],
    [[compaction, declined, served], 203_577, 4505]
  ])("counts what a model wrote before it declined: %j", (iterations, inputTokens, outputTokens) => {
    assert.deepStrictEqual(messagesUsage({ usage: { ...long, iterations } }), { inputTokens, outputTokens })
  })
})

describe("the thoughts of a Messages stream", () => {
  it("are kept where nothing is told of them afterwards", () => {
    const thought = { output_tokens: 9, output_tokens_details: { thinking_tokens: 7 } }
    const counts = [cached, thought, { output_tokens: 12 }].reduce(mergeCounts, noCounts)
    assert.deepInclude(counts, { outputTokens: 12, thinkingTokens: 7 })
  })
})

describe("what a Messages stream has told so far", () => {
  it("is a beginning: its input, and what was seen where that is more than it has counted", () => {
    const begun = mergeCounts(noCounts, { input_tokens: 20, output_tokens: 4 })
    assert.deepStrictEqual(shownCounts(begun, 3), begun)
    assert.deepStrictEqual(shownCounts(begun, 7), { ...begun, outputTokens: 7 })
  })

  it("is no input where it is zeros, which stand for nothing yet", () => {
    const zeros = mergeCounts(noCounts, { input_tokens: 0, output_tokens: 0 })
    assert.isUndefined(shownCounts(zeros, 3).inputTokens)
    const written = mergeCounts(noCounts, { input_tokens: 0, cache_creation_input_tokens: 1 })
    assert.deepInclude(shownCounts(written, 3), { inputTokens: 0, cacheWriteTokens: 1, outputTokens: 3 })
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
