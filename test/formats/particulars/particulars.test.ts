/** What each protocol tells of how an answer was made, whole and streamed, also of a stream that breaks off. */
import { assert, describe, it } from "@effect/vitest"
import { noParticulars, type Particulars } from "../../../src/domain/particulars.ts"
import {
  chatUpstream,
  converseUpstream,
  messagesUpstream,
  responsesUpstream
} from "../../../src/formats/upstreams.ts"
import type { JsonObject } from "../../../src/formats/json/json.ts"
import type { UpstreamSide } from "../../../src/formats/Pair.ts"

const whole = (side: UpstreamSide, answer: JsonObject): Particulars => {
  const reader = side.particulars()
  reader.answer(answer)
  return reader.particulars
}

const streamed = (side: UpstreamSide, ...events: ReadonlyArray<JsonObject>): Particulars => {
  const reader = side.particulars()
  for (const event of events) reader.event(event)
  return reader.particulars
}

/** Names that were not told do not matter. */
const told = (particulars: Particulars) => JSON.parse(JSON.stringify(particulars)) as unknown
const expected = (more: object) => ({ ...noParticulars, ...more })

const counts = {
  input_tokens: 10,
  cache_read_input_tokens: 300,
  cache_creation_input_tokens: 20,
  output_tokens: 50
}
const use = (name: string, type = "server_tool_use") => ({ type, id: "srvtoolu_1", name, input: {} })
const terms = { service_tier: "priority", speed: "fast", inference_geo: "us" }

describe("Messages", () => {
  const usage = {
    ...counts,
    ...terms,
    output_tokens_details: { thinking_tokens: 7 },
    server_tool_use: { web_search_requests: 2, web_fetch_requests: 0 }
  }
  const content = [
    use("web_search"),
    use("web_search"),
    use("web_search"),
    use("web_fetch"),
    use("bash_code_execution"),
    use("text_editor_code_execution"),
    use("of_tomorrow"),
    use("deploy", "mcp_tool_use"),
    use("undo", "mcp_tool_use"),
    use("mine", "tool_use")
  ]
  const all = expected({
    cacheReadTokens: 300,
    cacheWriteTokens: 20,
    reasoningTokens: 7,
    served: { tier: "priority", speed: "fast", region: "us" },
    toolUses: [
      { tool: "web_search", uses: 2 },
      { tool: "code_execution", uses: 2 },
      { tool: "other", uses: 1 },
      { tool: "mcp", uses: 2 }
    ]
  })
  const start = {
    type: "message_start",
    message: { usage: { ...counts, server_tool_use: { web_search_requests: 0 } } }
  }
  const blocks = content.map((block) => ({ type: "content_block_start", content_block: block }))

  it("tells terms, caches, thoughts and uses, which the provider counts better than we do", () => {
    assert.deepStrictEqual(told(whole(messagesUpstream, { content, usage })), all)
    const end = { type: "message_delta", usage }
    assert.deepStrictEqual(told(streamed(messagesUpstream, start, ...blocks, end)), all)
  })

  it("tells what was used before a stream broke off", () => {
    const { toolUses } = streamed(messagesUpstream, start, ...blocks.slice(0, 4))
    assert.deepStrictEqual(toolUses, [
      { tool: "web_search", uses: 3 },
      { tool: "web_fetch", uses: 1 }
    ])
  })

  const sampling = (type: string, model: string | undefined, tokens: number) => ({
    type,
    ...(model !== undefined && { model }),
    input_tokens: tokens,
    output_tokens: 1
  })
  const other = (
    model: string,
    inputTokens: number,
    outputTokens: number,
    isApart: boolean,
    [cacheReadTokens, cacheWriteTokens] = [0, 0]
  ) => ({ model, inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens, isApart })
  const caches = { cache_read_input_tokens: 3, cache_creation_input_tokens: 2 }

  it.each<[iterations: ReadonlyArray<JsonObject>, others: ReadonlyArray<object>]>([
    [[sampling("message", undefined, 5)], []],
    [[sampling("message", "claude-a", 5)], []],
    [
      [sampling("advisor_message", "claude-b", 5), sampling("message", undefined, 9)],
      [other("claude-b", 5, 1, true)]
    ],
    [[sampling("advisor_message", undefined, 5)], [other("", 5, 1, true)]],
    [
      [{ ...sampling("advisor_message", "claude-b", 5), ...caches }],
      [other("claude-b", 10, 1, true, [3, 2])]
    ],
    [[sampling("compaction", "claude-c", 70)], [other("claude-c", 70, 1, false)]],
    [[sampling("compaction", undefined, 70)], []],
    [
      [sampling("message", "claude-a", 5), sampling("fallback_message", "claude-b", 330)],
      [other("claude-a", 5, 1, false), other("claude-b", 330, 50, false, [300, 20])]
    ]
  ])("tells the tokens of other models in %j", (iterations, others) => {
    const { others: found } = whole(messagesUpstream, { content: [], usage: { ...counts, iterations } })
    assert.deepStrictEqual<ReadonlyArray<object>>(found, others)
  })

  it.each(["a\u0000b", "\ud800", "a model", "m".repeat(201), ""])(
    "keeps %j for no name of a model, which the call's row could not hold, but counts its tokens",
    (name) => {
      const iterations = [sampling("advisor_message", name, 5)]
      const { others } = whole(messagesUpstream, { content: [], usage: { ...counts, iterations } })
      assert.deepStrictEqual<ReadonlyArray<object>>(others, [other("", 5, 1, true)])
    }
  )

  it.each([-1, 1.5, "9", null, 9e12])("does not count %j uses", (uses) => {
    const { toolUses } = whole(messagesUpstream, {
      usage: { ...counts, server_tool_use: { web_search_requests: uses } }
    })
    assert.deepStrictEqual(toolUses, [])
  })

  it("keeps no text where a name should be, and no number of uses that can not be", () => {
    const odd = {
      ...counts,
      service_tier: "a prompt?",
      speed: { a: 1 },
      server_tool_use: { web_search_requests: 5_000 }
    }
    const { served, toolUses } = whole(messagesUpstream, { usage: odd })
    assert.deepStrictEqual(told({ ...noParticulars, served }), noParticulars)
    assert.deepStrictEqual(toolUses, [{ tool: "web_search", uses: 1_000 }])
  })
})

describe("chat completions", () => {
  const usage = {
    prompt_tokens: 30,
    completion_tokens: 20,
    total_tokens: 50,
    prompt_tokens_details: { cached_tokens: 8, cache_write_tokens: 3 },
    completion_tokens_details: { reasoning_tokens: 12 }
  }
  const cited = { annotations: [{ type: "url_citation", url_citation: { url: "https://example.com" } }] }
  const all = expected({
    cacheReadTokens: 8,
    cacheWriteTokens: 3,
    reasoningTokens: 12,
    served: { tier: "flex" },
    toolUses: [{ tool: "web_search", uses: 1 }]
  })

  it("tells tier, caches, thoughts, and that the web was searched", () => {
    const answer = { service_tier: "flex", choices: [{ index: 0, message: cited }], usage }
    assert.deepStrictEqual(told(whole(chatUpstream, answer)), all)
    const chunks = [
      { service_tier: "flex", choices: [{ index: 0, delta: { content: "Hi" } }] },
      { service_tier: "flex", choices: [{ index: 0, delta: cited }] },
      { choices: [{ index: 0, delta: cited }] },
      { choices: [], usage }
    ]
    assert.deepStrictEqual(told(streamed(chatUpstream, ...chunks)), all)
  })

  it("tells what was counted where nothing but zeros comes behind it", () => {
    const zeros = { usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 } }
    for (const events of [
      [{ usage }, zeros],
      [zeros, { usage }]
    ])
      assert.strictEqual(streamed(chatUpstream, ...events).cacheReadTokens, 8)
  })

  it("tells sources and searches where a provider counts them", () => {
    const counted = { ...usage, num_sources_used: 4, num_search_queries: 2 }
    assert.deepStrictEqual(whole(chatUpstream, { usage: counted }).toolUses, [
      { tool: "live_search", uses: 4 },
      { tool: "web_search", uses: 2 }
    ])
    const plugins = {
      search: { count: 3, strategy: "agent" },
      code_interpreter: { count: 1 },
      of_tomorrow: 1
    }
    assert.deepStrictEqual(whole(chatUpstream, { usage: { ...usage, plugins } }).toolUses, [
      { tool: "web_search", uses: 3 },
      { tool: "code_interpreter", uses: 1 }
    ])
  })

  it("tells that the web was searched by what was found there", () => {
    const found = { choices: [], web_search: [{ title: "Tides", link: "https://tides.example" }] }
    const toolUses = [{ tool: "web_search", uses: 1 }]
    assert.deepStrictEqual(whole(chatUpstream, { ...found, usage }).toolUses, toolUses)
    assert.deepStrictEqual(streamed(chatUpstream, found, found, { choices: [], usage }).toolUses, toolUses)
    assert.deepStrictEqual(whole(chatUpstream, { ...found, web_search: [] }).toolUses, [])
    assert.deepStrictEqual(whole(chatUpstream, { choices: [{ message: { annotations: [] } }] }).toolUses, [])
  })

  it("tells calls of the provider's own tools, and none of the client's", () => {
    const call = (type: string) => ({ index: 0, id: "1", type, function: { name: "$web_search" } })
    const tool_calls = [call("builtin_function"), call("function"), call("builtin_function")]
    const toolUses = [{ tool: "web_search", uses: 2 }]
    const answer = { choices: [{ index: 0, message: { content: "", tool_calls } }], usage }
    assert.deepStrictEqual(whole(chatUpstream, answer).toolUses, toolUses)
    const more = { index: 0, function: { arguments: "{}" } }
    const chunks = [...tool_calls, more].map((each) => ({
      choices: [{ index: 0, delta: { tool_calls: [each] } }]
    }))
    assert.deepStrictEqual(streamed(chatUpstream, ...chunks).toolUses, toolUses)
  })
})

describe("Responses", () => {
  const usage = {
    input_tokens: 40,
    input_tokens_details: { cached_tokens: 32, cache_write_tokens: 4 },
    output_tokens: 9,
    output_tokens_details: { reasoning_tokens: 6 }
  }
  const output = [
    { type: "web_search_call", action: { type: "search", query: "x" } },
    { type: "web_search_call", action: { type: "open_page" } },
    { type: "web_search_call", action: { type: "find_in_page" } },
    { type: "web_search_call", action: {} },
    { type: "code_interpreter_call" },
    { type: "file_search_call" },
    { type: "image_generation_call" },
    { type: "mcp_call" },
    { type: "mcp_list_tools" },
    { type: "function_call" },
    { type: "custom_tool_call" },
    { type: "local_shell_call" },
    { type: "shell_call", environment: { type: "container_reference", container_id: "cntr_1" } },
    { type: "shell_call", environment: { type: "local" } },
    { type: "shell_call" },
    { type: "message", content: [] }
  ]
  const toolUses = [
    { tool: "web_search", uses: 2 },
    { tool: "code_interpreter", uses: 1 },
    { tool: "file_search", uses: 1 },
    { tool: "image_generation", uses: 1 },
    { tool: "mcp", uses: 1 },
    { tool: "shell", uses: 1 }
  ]
  const all = expected({
    cacheReadTokens: 32,
    cacheWriteTokens: 4,
    reasoningTokens: 6,
    served: { tier: "priority" },
    toolUses
  })
  const done = output.map((item) => ({ type: "response.output_item.done", item }))

  it("tells tier, caches, thoughts, and each item of a tool that the provider ran", () => {
    const response = { service_tier: "priority", output, usage }
    assert.deepStrictEqual(told(whole(responsesUpstream, response)), all)
    const created = { type: "response.created", response: { service_tier: "auto" } }
    const end = { type: "response.completed", response }
    assert.deepStrictEqual(told(streamed(responsesUpstream, created, ...done, end)), all)
    const bare = { type: "response.completed", response: { service_tier: "priority", usage } }
    assert.deepStrictEqual(told(streamed(responsesUpstream, created, ...done, bare)), all)
  })

  it("tells what was used before a stream broke off", () => {
    assert.deepStrictEqual(streamed(responsesUpstream, ...done).toolUses, toolUses)
  })
})

describe("Converse", () => {
  it("tells tier and caches in its metadata", () => {
    const usage = { inputTokens: 1, outputTokens: 2, cacheReadInputTokens: 30, cacheWriteInputTokens: 4 }
    const metadata = { usage, serviceTier: { type: "priority" } }
    const all = expected({ cacheReadTokens: 30, cacheWriteTokens: 4, served: { tier: "priority" } })
    assert.deepStrictEqual(told(whole(converseUpstream, metadata)), all)
    assert.deepStrictEqual(told(streamed(converseUpstream, { messageStop: {} }, { metadata })), all)
  })
})
