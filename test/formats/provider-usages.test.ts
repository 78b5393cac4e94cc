/** What providers document of their usage, in each protocol's words, and the tokens that are billed for it. */
import { assert, describe, it } from "@effect/vitest"
import { usageOfConverse } from "../../src/formats/bedrock/usage.ts"
import { chatCounts, chatUsage } from "../../src/formats/chat/usage.ts"
import type { Json, JsonObject } from "../../src/formats/json/json.ts"
import { messagesUsage } from "../../src/formats/messages/usage.ts"
import { responsesUsage } from "../../src/formats/responses/usage.ts"

type Case = readonly [who: string, usage: JsonObject, input: number, output: number]

const table = (
  protocol: string,
  billed: (usage: Json) => object | undefined,
  cases: ReadonlyArray<Case>,
  names: { readonly input: string; readonly output: string }
) => {
  describe(`the usage of ${protocol}`, () => {
    it.each(cases)("of %s counts every token once: %j", (_, usage, inputTokens, outputTokens) => {
      assert.deepStrictEqual(billed(usage), { inputTokens, outputTokens })
    })

    it.each([-1, 0.5, "12", true, null, 1e21, [3], {}])("with a count of %j is none", (absurd) => {
      for (const name of [names.input, names.output]) {
        const usage = { [names.input]: 10, [names.output]: 20, [name]: absurd }
        assert.isUndefined(billed(usage), name)
      }
    })

    it.each([null, [], "none", 7, {}])("that is %j is none", (usage) => {
      assert.isUndefined(billed(usage))
    })

    it("of zeros is zero", () => {
      const zeros = { [names.input]: 0, [names.output]: 0 }
      assert.deepStrictEqual(billed(zeros), { inputTokens: 0, outputTokens: 0 })
    })
  })
}

const two = { prompt_tokens: 100, completion_tokens: 20 }
const three = { ...two, total_tokens: 120 }

/** As `grok-4-1-fast-non-reasoning` told: a prompt of 4,142 tokens, and 4,328 that were cached. */
const apart = {
  ...two,
  prompt_tokens: 41,
  prompt_tokens_details: { cached_tokens: 59 },
  num_sources_used: 0
}

table(
  "chat completions",
  (usage) => chatUsage({ usage }),
  [
    [
      "OpenAI",
      {
        ...three,
        prompt_tokens_details: { cached_tokens: 90, audio_tokens: 5 },
        completion_tokens_details: {
          reasoning_tokens: 12,
          audio_tokens: 1,
          accepted_prediction_tokens: 3,
          rejected_prediction_tokens: 4
        }
      },
      100,
      20
    ],
    ["DeepSeek", { ...three, prompt_cache_hit_tokens: 64, prompt_cache_miss_tokens: 36 }, 100, 20],
    ["Moonshot", { ...three, cached_tokens: 64 }, 100, 20],
    [
      "xAI, whose reasoning is in the total alone",
      { ...two, total_tokens: 215, completion_tokens_details: { reasoning_tokens: 95 }, num_sources_used: 3 },
      100,
      115
    ],
    [
      "xAI, for models whose cached input is apart",
      { ...apart, completion_tokens_details: { reasoning_tokens: 0 } },
      100,
      20
    ],
    ["xAI, whose total counts it", { ...apart, total_tokens: 120 }, 100, 20],
    ["xAI, whose total does not", { ...apart, total_tokens: 61 }, 100, 20],
    [
      "xAI, all of whose input was cached",
      { ...three, prompt_tokens_details: { cached_tokens: 100 }, num_sources_used: 0 },
      100,
      20
    ],
    [
      "an upstream with more in its cache than there is",
      { ...three, prompt_tokens_details: { cached_tokens: 101 } },
      100,
      20
    ],
    ["Gemini, whose thoughts are in the total alone", { ...two, total_tokens: 400 }, 100, 300],
    ["Gemini that only thought", { prompt_tokens: 100, total_tokens: 400 }, 100, 300],
    ["Mistral", { ...three, prompt_audio_seconds: {}, num_cached_tokens: 64 }, 100, 20],
    [
      "Qwen",
      { ...three, prompt_tokens_details: { cached_tokens: 9, cache_creation_input_tokens: 8 } },
      100,
      20
    ],
    ["Z.ai", { ...three, prompt_tokens_details: { cached_tokens: 99 } }, 100, 20],
    [
      "a server with the names of Messages, whose caches are apart",
      { input_tokens: 3, cache_read_input_tokens: 90, cache_creation_input_tokens: 7, output_tokens: 20 },
      100,
      20
    ],
    ["a gateway that tells caches by both names", { ...three, cache_read_input_tokens: 90 }, 100, 20],
    ["an upstream without totals", two, 100, 20],
    ["an upstream whose total is too small", { ...two, total_tokens: 5 }, 100, 20],
    ["an upstream with empty details", { ...three, prompt_tokens_details: null }, 100, 20]
  ],
  { input: "prompt_tokens", output: "completion_tokens" }
)

describe("the parts of a usage of chat completions", () => {
  it.each<readonly [who: string, usage: JsonObject, read: number, write: number]>([
    ["OpenAI", { ...three, prompt_tokens_details: { cached_tokens: 60, cache_write_tokens: 9 } }, 60, 9],
    ["xAI, for models which tell it apart", apart, 59, 0],
    ["DeepSeek", { ...three, prompt_cache_hit_tokens: 60, prompt_cache_miss_tokens: 40 }, 60, 0],
    ["Moonshot", { ...three, cached_tokens: 60 }, 60, 0],
    [
      "Qwen",
      { ...three, prompt_tokens_details: { cached_tokens: 60, cache_creation_input_tokens: 9 } },
      60,
      9
    ],
    ["LiteLLM", { ...three, prompt_tokens_details: { cached_tokens: 60, cache_creation_tokens: 9 } }, 60, 9],
    ["Mistral", { ...three, num_cached_tokens: 60 }, 60, 0],
    [
      "a gateway in front of Claude",
      { ...three, cache_read_input_tokens: 60, cache_creation_input_tokens: 9 },
      60,
      9
    ],
    [
      "a server with the names of Responses",
      { input_tokens: 100, input_tokens_details: { cached_tokens: 60 }, output_tokens: 20 },
      60,
      0
    ]
  ])("of %s tell what was cached: %j", (_, usage, cacheReadTokens, cacheWriteTokens) => {
    assert.deepInclude(chatCounts(usage), { inputTokens: 100, cacheReadTokens, cacheWriteTokens })
  })

  it.each<readonly [who: string, usage: JsonObject, reasoning: number]>([
    ["OpenAI", { ...three, completion_tokens_details: { reasoning_tokens: 12 } }, 12],
    ["xAI", { ...two, total_tokens: 215, completion_tokens_details: { reasoning_tokens: 95 } }, 95],
    ["Gemini, where the total alone tells it", { ...two, total_tokens: 400 }, 280],
    ["Gemini that only thought", { prompt_tokens: 100, total_tokens: 400 }, 300],
    ["an upstream that did not think", three, 0],
    [
      "a server with the names of Responses",
      { input_tokens: 100, output_tokens: 20, output_tokens_details: { reasoning_tokens: 12 } },
      12
    ]
  ])("of %s tell what was thought: %j", (_, usage, reasoningTokens) => {
    assert.deepInclude(chatCounts(usage), { reasoningTokens })
  })
})

const cached = {
  input_tokens: 3,
  cache_read_input_tokens: 50,
  cache_creation_input_tokens: 600,
  output_tokens: 20
}

table(
  "Messages",
  (usage) => messagesUsage({ usage }),
  [
    [
      "Anthropic, of caches of both lives",
      { ...cached, cache_creation: { ephemeral_5m_input_tokens: 400, ephemeral_1h_input_tokens: 200 } },
      653,
      20
    ],
    ["Anthropic with tools of its own", { ...cached, server_tool_use: { web_search_requests: 4 } }, 653, 20],
    ["Anthropic that thought", { ...cached, output_tokens_details: { thinking_tokens: 19 } }, 653, 20],
    ["Anthropic, all of it cached", { ...cached, input_tokens: 0 }, 650, 20],
    ["MiniMax, without caches", { input_tokens: 3, output_tokens: 20 }, 3, 20],
    ["an upstream with empty caches", { ...cached, cache_read_input_tokens: null }, 603, 20]
  ],
  { input: "input_tokens", output: "output_tokens" }
)

table(
  "Responses",
  (usage) => responsesUsage({ usage }),
  [
    [
      "OpenAI",
      {
        input_tokens: 100,
        input_tokens_details: { cached_tokens: 90 },
        output_tokens: 20,
        output_tokens_details: { reasoning_tokens: 19 },
        total_tokens: 120
      },
      100,
      20
    ]
  ],
  { input: "input_tokens", output: "output_tokens" }
)

const plain = { inputTokens: 3, outputTokens: 20, totalTokens: 23 }
const written = { cacheWriteInputTokens: 600, cacheDetails: [{ inputTokens: 600, ttl: "1h" }] }

table(
  "Converse",
  (usage) => messagesUsage({ usage: usageOfConverse(usage) ?? null }),
  [
    ["AWS without caches", plain, 3, 20],
    ["AWS with caches", { ...plain, ...written, cacheReadInputTokens: 50, totalTokens: 673 }, 653, 20]
  ],
  { input: "inputTokens", output: "outputTokens" }
)
