/** Streams written after the providers' public documents, with every oddity of framing, byte for byte to their clients. */
import { assert } from "@effect/vitest"
import { afterAll, beforeAll, describe, it } from "vitest"
import { ask, chatCall, messagesCall, replay, responsesCall } from "./ask.ts"
import { startGateway, type TestAccount, type TestGateway } from "./start-gateway.ts"

let gateway: TestGateway
let account: TestAccount
beforeAll(async () => {
  gateway = await startGateway()
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
