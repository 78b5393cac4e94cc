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

const texts = [
  {
    path: "/v1/messages",
    upstream: "/v1/messages",
    call: messagesCall,
    content: { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hi" } }
  },
  {
    path: "/v1/chat/completions",
    upstream: "/chat/completions",
    call: chatCall,
    content: { choices: [{ index: 0, delta: { content: "Hi" } }] }
  },
  {
    path: "/v1/responses",
    upstream: "/responses",
    call: responsesCall,
    content: { type: "response.output_text.delta", delta: "Hi" }
  }
] as const

/** Every text endpoint with the same answer, asked for whole or as a stream. */
const ofTexts = (
  isStream: boolean,
  answerOf: (text: (typeof texts)[number]) => Omit<Replayed, "path">
): ReadonlyArray<Telling> =>
  texts.map((text) => ({
    path: text.path,
    body: text.call("Hello", { stream: isStream }),
    answer: { path: text.upstream, ...answerOf(text) }
  }))

export const tellings: Readonly<Record<string, (secret: string) => ReadonlyArray<Telling>>> = {
  "a refusal": (secret) => ofTexts(false, () => ({ status: 400, body: failed(secret) })),
  "a stream that is refused": (secret) => ofTexts(true, () => ({ status: 400, body: failed(secret) })),
  "a limit": (secret) => ofTexts(false, () => ({ status: 429, body: failed(secret) })),
  "an error told as a success": (secret) => ofTexts(false, () => ({ body: failed(secret) })),
  "a stream's first event": (secret) => ofTexts(true, () => stream({ type: "error", error: told(secret) })),
  "an event under way": (secret) =>
    ofTexts(true, ({ content }) => stream(content, { type: "error", error: told(secret) })),
  "a response that failed": (secret) => {
    const event = { type: "response.failed", response: { error: told(secret) } }
    return ofTexts(true, ({ content }) => stream(content, event)).filter(
      ({ path }) => path === "/v1/responses"
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
