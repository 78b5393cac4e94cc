/** A provider of every protocol at once, whose answers count what a test says in all the words their providers have. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { encodeEventStreamMessage } from "../../src/formats/bedrock/event-stream.ts"
import type { JsonObject } from "../../src/formats/json/json.ts"
import { listen } from "../listen.ts"

/** Each part apart; an upstream's protocol says which of them it adds up. */
export interface Counts {
  readonly fresh: number
  readonly cacheRead: number
  readonly cacheWrite: number
  readonly output: number
  readonly images: number
}

export interface CountingProvider {
  readonly url: string
  readonly close: () => void
}

/** `countsFor` is asked with the call's body, whatever its protocol. */
export const startCountingProvider = async (
  countsFor: (body: string) => Counts
): Promise<CountingProvider> => {
  const server = createServer((request, response) => {
    void readBody(request).then((body) => answer(request.url ?? "", body, countsFor(body), response))
  })
  const port = await listen(server)
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    }
  }
}

const readBody = async (request: IncomingMessage): Promise<string> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

const answer = (path: string, body: string, counts: Counts, response: ServerResponse): void => {
  const streams = /"stream": ?true/.test(body)
  const send = (type: string, content: string | Buffer) =>
    response.writeHead(200, { "content-type": type }).end(content)
  const json = (content: JsonObject) => send("application/json", JSON.stringify(content))
  const events = (frames: ReadonlyArray<string>) => send("text/event-stream", frames.join(""))
  const frames = (pieces: ReadonlyArray<Buffer>) =>
    send("application/vnd.amazon.eventstream", Buffer.concat(pieces))
  const end = path.split("/").at(-1)
  switch (end) {
    case "messages":
      return void (streams ? events(messagesEvents(counts).map(named)) : json(message(counts)))
    case "invoke":
      return void json(message(counts))
    case "invoke-with-response-stream":
      return void frames(messagesEvents(counts).map(invokeFrame))
    case "converse":
      return void json(conversed(counts))
    case "converse-stream":
      return void frames(converseFrames(counts))
    case "completions":
      return void (streams ? events(chatEvents(counts)) : json(completion(counts)))
    case "responses":
      return void (streams ? events(responsesEvents(counts).map(named)) : json(responseOf(counts)))
    case "speech":
      return void send("audio/mpeg", Buffer.alloc(100, 7))
    default:
      return void json({
        created: 1,
        data: Array.from({ length: counts.images }, () => ({ b64_json: "AA==" }))
      })
  }
}

const text = "One two three."
const event = (name: string, payload: JsonObject): Buffer =>
  encodeEventStreamMessage({
    headers: {
      ":message-type": { type: "string", value: "event" },
      ":event-type": { type: "string", value: name }
    },
    body: Buffer.from(JSON.stringify(payload))
  })
const named = (data: JsonObject): string =>
  `event: ${String(data["type"])}\ndata: ${JSON.stringify(data)}\n\n`
const invokeFrame = (data: JsonObject): Buffer =>
  event("chunk", { bytes: Buffer.from(JSON.stringify(data)).toString("base64") })

const messagesInput = ({ cacheRead, cacheWrite, fresh }: Counts): JsonObject => ({
  input_tokens: fresh,
  cache_read_input_tokens: cacheRead,
  cache_creation_input_tokens: cacheWrite,
  cache_creation: { ephemeral_5m_input_tokens: 1, ephemeral_1h_input_tokens: cacheWrite - 1 },
  server_tool_use: { web_search_requests: 2 },
  service_tier: "standard"
})
const message = (counts: Counts): JsonObject => ({
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "x",
  content: [{ type: "text", text }],
  stop_reason: "end_turn",
  stop_sequence: null,
  usage: { ...messagesInput(counts), output_tokens: counts.output }
})
const messagesEvents = (counts: Counts): ReadonlyArray<JsonObject> => [
  {
    type: "message_start",
    message: { ...message(counts), content: [], usage: { ...messagesInput(counts), output_tokens: 1 } }
  },
  { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  { type: "content_block_delta", index: 0, delta: { type: "text_delta", text } },
  { type: "content_block_stop", index: 0 },
  {
    type: "message_delta",
    delta: { stop_reason: "end_turn", stop_sequence: null },
    usage: { output_tokens: counts.output }
  },
  // Bedrock's own count, which is not what is billed.
  { type: "message_stop", "amazon-bedrock-invocationMetrics": { inputTokenCount: 1, outputTokenCount: 1 } }
]

const converseUsage = ({ cacheRead, cacheWrite, fresh, output }: Counts): JsonObject => ({
  inputTokens: fresh,
  outputTokens: output,
  totalTokens: fresh + cacheRead + cacheWrite + output,
  cacheReadInputTokens: cacheRead,
  cacheWriteInputTokens: cacheWrite
})
const conversed = (counts: Counts): JsonObject => ({
  output: { message: { role: "assistant", content: [{ text }] } },
  stopReason: "end_turn",
  usage: converseUsage(counts)
})
const converseFrames = (counts: Counts): ReadonlyArray<Buffer> => [
  event("messageStart", { role: "assistant" }),
  event("contentBlockDelta", { contentBlockIndex: 0, delta: { text } }),
  event("contentBlockStop", { contentBlockIndex: 0 }),
  event("messageStop", { stopReason: "end_turn" }),
  event("metadata", { usage: converseUsage(counts), metrics: { latencyMs: 5 } })
]

/** As xAI and Gemini count: thoughts are in the total alone. */
const chatUsage = ({ cacheRead, cacheWrite, fresh, output }: Counts): JsonObject => ({
  prompt_tokens: fresh + cacheRead + cacheWrite,
  completion_tokens: 1,
  total_tokens: fresh + cacheRead + cacheWrite + output,
  prompt_tokens_details: { cached_tokens: cacheRead },
  completion_tokens_details: { reasoning_tokens: output - 1 }
})
const completion = (counts: Counts): JsonObject => ({
  id: "c",
  object: "chat.completion",
  choices: [{ index: 0, message: { role: "assistant", content: text }, finish_reason: "stop" }],
  usage: chatUsage(counts)
})
const chatEvents = (counts: Counts): ReadonlyArray<string> => [
  ...[
    {
      choices: [{ index: 0, delta: { role: "assistant", content: text }, finish_reason: null }],
      usage: null
    },
    { choices: [{ index: 0, delta: {}, finish_reason: "stop" }], usage: null },
    { choices: [], usage: chatUsage(counts) }
  ].map((chunk) => `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", ...chunk })}\n\n`),
  "data: [DONE]\n\n"
]

const responseOf = ({ cacheRead, cacheWrite, fresh, output }: Counts): JsonObject => ({
  id: `resp_${crypto.randomUUID()}`,
  object: "response",
  status: "completed",
  output: [],
  usage: {
    input_tokens: fresh + cacheRead + cacheWrite,
    input_tokens_details: { cached_tokens: cacheRead },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: output }
  }
})
const responsesEvents = (counts: Counts): ReadonlyArray<JsonObject> => [
  { type: "response.created", sequence_number: 0, response: { id: "resp_1", status: "in_progress" } },
  { type: "response.output_text.delta", sequence_number: 1, delta: text },
  { type: "response.completed", sequence_number: 2, response: responseOf(counts) }
]
