/** Streams written after the providers' public documents, with every oddity of framing, byte for byte to their clients. */
import { assert } from "@effect/vitest"
import { afterAll, beforeAll, describe, it } from "vitest"
import { readMetrics } from "../operations/read-metrics.ts"
import { audit } from "../../src/ledger/audit.ts"
import { ask, chatCall, errorOf, messagesCall, replay, responsesCall } from "./ask.ts"
import { startGateway, type TestAccount, type TestGateway } from "./start-gateway.ts"

const surcharges = {
  anthropic: { tiers: { fast: 6, us: 1.1 }, tool_prices_vnd: { web_search: 260 } },
  openai: { tiers: { priority: 2 }, tool_prices_vnd: { web_search: 65.5 } },
  mistral: { hosted_tools: "refuse" }
}

let gateway: TestGateway
let account: TestAccount
beforeAll(async () => {
  gateway = await startGateway({ yaml: { providers: surcharges } })
  account = await gateway.account()
})
afterAll(() => gateway.stop())

const messagesStream = [
  'event: message_start\ndata: {"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","content":[],"model":"x","usage":{"input_tokens":10,"cache_creation_input_tokens":200,"cache_read_input_tokens":3000,"output_tokens":1}}}',
  'event: content_block_start\ndata: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}',
  'event: ping\ndata: {"type": "ping"}',
  ": a comment",
  'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Xin ch\\u00e0o 😀"}}   ',
  'event: content_block_stop\ndata: {"type":"content_block_stop","index":0}',
  'event: an_event_of_tomorrow\nid: 7\ndata: {"type":"an_event_of_tomorrow","n":12345678901234567890}',
  'event: message_delta\ndata: {"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":15}}',
  'event: message_stop\ndata: {"type":"message_stop"}',
  ""
]

const chatStream = [
  'data: {"id":"c","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}',
  'data:{"id":"c","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"Hi 😀"},"finish_reason":null}]}',
  'data: {"id":"c","object":"chat.completion.chunk","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}',
  'data: {"id":"c","object":"chat.completion.chunk","choices":[],"usage":{"prompt_tokens":7,"completion_tokens":2,"total_tokens":19}}',
  "data: [DONE]",
  ""
]

/** Usage where some providers tell it: in the choice that ends the stream, and in a member of their own. */
const told = { prompt_tokens: 30, completion_tokens: 4, total_tokens: 34 }
const endings = [
  { choices: [{ index: 0, delta: {}, finish_reason: "stop", usage: told }] },
  { choices: [{ index: 0, delta: {}, finish_reason: "stop" }], x_groq: { id: "req_1", usage: told } }
].map((ending) => chatStream.slice(0, 2).concat(`data: ${JSON.stringify(ending)}`, "data: [DONE]", ""))

const responsesStream = [
  'event: response.created\ndata: {"type":"response.created","sequence_number":0,"response":{"id":"resp_1","status":"in_progress"}}',
  'event: response.output_text.delta\ndata: {"type":"response.output_text.delta","sequence_number":1,"delta":"Hi"}',
  'event: response.completed\ndata: {"type":"response.completed","sequence_number":2,"response":{"id":"resp_1","status":"completed","usage":{"input_tokens":40,"input_tokens_details":{"cached_tokens":32},"output_tokens":9}}}',
  ""
]

const cases = [
  ["/v1/messages", messagesCall("Hello", { stream: true }), messagesStream, [3210, 15]],
  [
    "/v1/chat/completions",
    chatCall("Hello", { stream: true, stream_options: { include_usage: true } }),
    chatStream,
    [7, 12]
  ],
  ...endings.map(
    (events) => ["/v1/chat/completions", chatCall("Hello", { stream: true }), events, [30, 4]] as const
  ),
  ["/v1/responses", responsesCall("Hello", { stream: true }), responsesStream, [40, 9]]
] as const

describe("a documented stream", () => {
  for (const [place, [path, call, events, usage]] of cases.entries()) {
    for (const [name, end] of [
      ["line feeds", "\n"],
      ["carriage returns and line feeds", "\r\n"]
    ] as const) {
      it(`${place} of ${path} with ${name}, cut anywhere, stays as it is and costs its usage`, async () => {
        const stream = events.join("\n\n").replaceAll("\n", end)
        for (const chunkSizes of [[1], [2, 3], [17], [1 << 20]]) {
          const headers = { "content-type": "text/event-stream" }
          await replay(gateway, { path, headers, body: stream, chunkSizes })
          const answer = await ask(gateway, account.key, path, call)
          assert.strictEqual(answer.text, stream)
          const row = (await gateway.calls(account.accountId, 1)).find(({ id }) => id === answer.id)!
          assert.deepStrictEqual<ReadonlyArray<number>>([row.input_tokens, row.output_tokens], usage)
          assert.isFalse(row.estimated)
        }
      })
    }
  }
})

const sse = (...events: ReadonlyArray<{ readonly type: string }>) =>
  events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("")

/** By what the answer tells, whatever its protocol calls it. */
const shown = (text: string): ReadonlyArray<number> => {
  const number = (names: string) =>
    Number([...text.matchAll(new RegExp(`"(?:${names})":(\\d+)`, "g"))].at(-1)![1])
  return [number("input_tokens|prompt_tokens"), number("output_tokens|completion_tokens")]
}
const item = { id: "msg_1", type: "message", role: "assistant" }
const saidByGpt: ReadonlyArray<{ readonly type: string; readonly [member: string]: unknown }> = [
  { type: "response.created", response: { id: "resp_1", status: "in_progress" } },
  { type: "response.output_item.added", output_index: 0, item: { ...item, content: [] } },
  { type: "response.output_text.delta", item_id: "msg_1", output_index: 0, content_index: 0, delta: "Hi" },
  { type: "response.completed", response: { id: "resp_1", status: "completed", output: [], usage: null } }
]
/** Of a provider that counts as it goes, and not to the end. */
const countedAtFirst = (prompt: number, completion: number) => {
  const usage = { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion }
  const first = chatStream[0]!.replace(/\}$/, `,"usage":${JSON.stringify(usage)}}`)
  return [first, ...chatStream.slice(1, 3), ...chatStream.slice(4)]
}
const uncounted = [
  [
    "/v1/messages",
    messagesStream.map((event) => event.replace(/"usage":\{"output_tokens":15\}/, '"usage":{}'))
  ],
  ["/v1/chat/completions", chatStream.toSpliced(3, 1)],
  ["/v1/responses", sse(...saidByGpt).split("\n\n")],
  ["/v1/chat/completions", countedAtFirst(30, 1)],
  ["/v1/chat/completions", countedAtFirst(0, 0)]
] as const
const wholeUsage = { stream: true, stream_options: { include_usage: true } }
const sentence = "A sentence of some ten words is what this is."

describe("a converted stream whose provider has not counted all of it", () => {
  it.each([
    ["/v1/chat/completions", chatCall("Hello", { ...wholeUsage, model: "claude-sonnet-5" }), uncounted[0]],
    ["/v1/responses", responsesCall("Hello", { stream: true, model: "claude-sonnet-5" }), uncounted[0]],
    ["/v1/messages", messagesCall("Hello", { stream: true, model: "deepseek-v4-pro" }), uncounted[1]],
    ["/v1/responses", responsesCall("Hello", { stream: true, model: "deepseek-v4-pro" }), uncounted[1]],
    ["/v1/messages", messagesCall("Hello", { stream: true, model: "gpt-5.5" }), uncounted[2]],
    ["/v1/messages", messagesCall("Hello", { stream: true, model: "deepseek-v4-pro" }), uncounted[3]],
    ["/v1/responses", responsesCall("Hello", { stream: true, model: "deepseek-v4-pro" }), uncounted[4]]
  ] as const)("tells its client of %s what it is charged", async (path, call, [upstream, events]) => {
    const headers = { "content-type": "text/event-stream" }
    const body = events.join("\n\n").replace(/Hi|Xin/, sentence)
    await replay(gateway, { path: upstream, headers, body })
    const answer = await ask(gateway, account.key, path, call)
    assert.include(answer.text, sentence)
    const row = (await gateway.calls(account.accountId, 1)).find(({ id }) => id === answer.id)!
    assert.deepStrictEqual(shown(answer.text), [row.input_tokens, row.output_tokens])
    assert.isTrue(row.estimated)
  })
})

const counts = { input_tokens: 100, cache_read_input_tokens: 40, output_tokens: 10 }
const advice = { type: "advisor_message", model: "claude-opus-4-8", input_tokens: 50, output_tokens: 5 }
const message = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "x",
  content: [
    { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: {} },
    { type: "server_tool_use", id: "srvtoolu_2", name: "code_execution", input: {} },
    { type: "text", text: "Hi" }
  ],
  stop_reason: "end_turn",
  usage: { ...counts, speed: "fast", server_tool_use: { web_search_requests: 1 }, iterations: [advice] }
}
const messageEvents = sse(
  { type: "message_start", message: { ...message, content: [], usage: counts } } as { type: string },
  ...message.content.map((block, index) => ({ type: "content_block_start", index, content_block: block })),
  { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: message.usage } as { type: string },
  { type: "message_stop" }
)
const completion = {
  id: "c",
  object: "chat.completion",
  service_tier: "priority",
  choices: [{ index: 0, message: { role: "assistant", content: "Hi" }, finish_reason: "stop" }],
  usage: {
    prompt_tokens: 7,
    completion_tokens: 3,
    total_tokens: 10,
    completion_tokens_details: { reasoning_tokens: 2 }
  }
}
const response = {
  id: "resp_1",
  object: "response",
  status: "completed",
  service_tier: "default",
  output: [{ type: "web_search_call", id: "ws_1", status: "completed", action: { type: "search" } }],
  usage: { input_tokens: 9, output_tokens: 1 }
}
const tools = [{ type: "web_search_20250305", name: "web_search" }]
const fast = { speed: "fast", inference_geo: "us", tools }
const claudeTools = [
  { tool: "web_search", uses: 1 },
  { tool: "code_execution", uses: 1 }
]

// Sonnet and Opus 4.8 cost 6,500, Sol 2,400 VND for a million tokens.
const fastCost = ((150n + 55n) * 6_500n * 66n) / 10n + 260_000_000n
const sold = [
  ["/v1/messages", messagesCall("Hi", fast), message, fastCost, "fast+us", claudeTools, 40],
  [
    "/v1/messages",
    messagesCall("Hi", { ...fast, stream: true }),
    messageEvents,
    fastCost,
    "fast+us",
    claudeTools,
    40
  ],
  [
    "/v1/chat/completions",
    chatCall("Hi", { service_tier: "priority" }),
    completion,
    10n * 4_800n,
    "priority",
    null,
    null
  ],
  ["/v1/chat/completions", chatCall("Hi"), completion, 10n * 4_800n, "priority", null, null],
  [
    "/v1/responses",
    responsesCall("Hi", { service_tier: "priority" }),
    response,
    10n * 2_400n + 65_500_000n,
    null,
    [{ tool: "web_search", uses: 1 }],
    null
  ]
] as const

describe("what a provider sells at another price", () => {
  it.each(sold)("is charged on %s: %j", async (path, call, body, cost, tier, toolUses, cached) => {
    const content =
      typeof body === "string"
        ? { body, headers: { "content-type": "text/event-stream" } }
        : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }
    await replay(gateway, { path, ...content })
    const answer = await ask(gateway, account.key, path, call)
    assert.strictEqual(answer.status, 200, answer.text)
    const row = (await gateway.calls(account.accountId, 1)).find(({ id }) => id === answer.id)!
    assert.strictEqual(row.cost_micro_vnd, cost)
    assert.deepStrictEqual([row.tier, row.cache_read_tokens], [tier, cached])
    assert.deepStrictEqual(row.tool_uses?.map(({ tool, uses }) => ({ tool, uses })) ?? null, toolUses)
    assert.match(row.route ?? "", /^(anthropic|openai)#0$/)
  })

  it("is counted where it has no price, and proven by the audit", async () => {
    const metrics = await readMetrics(gateway.url)
    const samples = metrics.get("tollgate_unpriced_tool_uses_total")!.samples
    assert.deepStrictEqual(
      samples.map(({ labels, value }) => [labels["tool"], value]),
      [["code_execution", 2]]
    )
    assert.deepStrictEqual((await gateway.run(audit())).violations, [])
  })

  it("is refused where the operator does not sell it", async () => {
    const call = chatCall("Hi", { model: "mistral-medium-2604", tools: [{ type: "web_search" }] })
    const answer = await ask(gateway, account.key, "/v1/chat/completions", call)
    assert.strictEqual(answer.status, 400)
    assert.strictEqual(errorOf(answer, "chat").param, "tools")
    const abroad = await ask(
      gateway,
      account.key,
      "/v1/messages",
      messagesCall("Hi", { inference_geo: "eu" })
    )
    assert.strictEqual(abroad.status, 400)
    assert.include(errorOf(abroad).message, "inference_geo")
  })
})
