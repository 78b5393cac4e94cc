/** Answers in which a provider tells a secret of ours, in every place where an endpoint may look for its words. */
import { chatCall, messagesCall, type Replayed, responsesCall } from "../gateway/ask.ts"
import { endpoints } from "../gateway/endpoints.ts"

/** A call of a caller, and what its provider answers. */
interface Telling {
  readonly path: string
  readonly body: unknown
  readonly answer: Replayed
}

const told = (secret: string) => ({
  type: "invalid_request_error",
  message: secret,
  param: secret,
  code: secret
})

const failed = (secret: string) => JSON.stringify({ type: "error", error: told(secret) })

const stream = (...events: ReadonlyArray<object>) => ({
  headers: { "content-type": "text/event-stream", "x-key": "simulated" },
  body: events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("")
})

const contents = {
  "/v1/messages": { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hi" } },
  "/chat/completions": { choices: [{ index: 0, delta: { content: "Hi" } }] },
  "/responses": { type: "response.output_text.delta", delta: "Hi" }
} as const

/** Each endpoint by way of each protocol of providers. */
const texts = [
  { path: "/v1/messages", upstream: "/v1/messages", call: messagesCall, model: "claude-sonnet-5" },
  { path: "/v1/messages", upstream: "/chat/completions", call: messagesCall, model: "mistral-medium-2604" },
  {
    path: "/v1/chat/completions",
    upstream: "/chat/completions",
    call: chatCall,
    model: "mistral-medium-2604"
  },
  { path: "/v1/chat/completions", upstream: "/v1/messages", call: chatCall, model: "claude-sonnet-5" },
  { path: "/v1/responses", upstream: "/responses", call: responsesCall, model: "gpt-5.5" },
  { path: "/v1/responses", upstream: "/v1/messages", call: responsesCall, model: "claude-sonnet-5" },
  { path: "/v1/responses", upstream: "/chat/completions", call: responsesCall, model: "mistral-medium-2604" }
] as const

/** Every way with the same answer, asked for whole or as a stream. */
const ofTexts = (
  isStream: boolean,
  answerOf: (text: (typeof texts)[number]) => Omit<Replayed, "path">
): ReadonlyArray<Telling> =>
  texts.map((text) => ({
    path: text.path,
    body: text.call("Hello", { stream: isStream, model: text.model }),
    answer: { path: text.upstream, ...answerOf(text) }
  }))

export const tellings: Readonly<Record<string, (secret: string) => ReadonlyArray<Telling>>> = {
  "a refusal": (secret) => ofTexts(false, () => ({ status: 400, body: failed(secret) })),
  "a stream that is refused": (secret) => ofTexts(true, () => ({ status: 400, body: failed(secret) })),
  "a limit": (secret) => ofTexts(false, () => ({ status: 429, body: failed(secret) })),
  "an error told as a success": (secret) => ofTexts(false, () => ({ body: failed(secret) })),
  "a stream's first event": (secret) => ofTexts(true, () => stream({ type: "error", error: told(secret) })),
  "an event under way": (secret) =>
    ofTexts(true, ({ upstream }) => stream(contents[upstream], { type: "error", error: told(secret) })),
  "a response that failed": (secret) => {
    const event = { type: "response.failed", response: { error: told(secret) } }
    return ofTexts(true, ({ upstream }) => stream(contents[upstream], event)).filter(
      ({ answer }) => answer.path === "/responses"
    )
  },
  "images and speech": (secret) =>
    endpoints
      .slice(4)
      .flatMap(([path, body]) =>
        [
          { status: 400, body: failed(secret) },
          { body: failed(secret), headers: { "content-type": "application/json" } },
          { body: "sound", headers: { "content-type": `audio/mpeg; codecs="${secret}, x"` } },
          stream({ type: "error", error: told(secret) })
        ].map((answer) => ({ path, body, answer: { path: path.slice("/v1".length), ...answer } }))
      )
}
