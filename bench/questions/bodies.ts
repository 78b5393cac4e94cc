/** The request bodies of the suite. */
import { chatAgent } from "./agent-bodies.ts"

const padded = (text: string, bytes: number, make: (text: string) => string): string => {
  const missing = bytes - Buffer.byteLength(make(text))
  return make(missing > 0 ? text + " lorem ipsum".repeat(Math.ceil(missing / 12)).slice(0, missing) : text)
}

export const chatPath = "/v1/chat/completions"
export const messagesPath = "/v1/messages"
export const responsesPath = "/v1/responses"

const chatModel = "gpt-5.5"
const messagesModel = "claude-sonnet-4-6"
/** Behind it stands the lean upstream. */
export const leanModel = "mistral-medium-2604"

export interface BodyOptions {
  readonly model?: string
  readonly prompt?: string
  readonly stream?: boolean
  readonly bytes?: number
}

export const chatBody = ({
  bytes = 400,
  model = chatModel,
  prompt = "Hello.",
  stream
}: BodyOptions = {}): string =>
  padded(prompt, bytes, (content) =>
    JSON.stringify({
      model,
      messages: [{ role: "user", content }],
      max_completion_tokens: 1024,
      ...(stream === true ? { stream, stream_options: { include_usage: true } } : {})
    })
  )

export const messagesBody = ({
  bytes = 400,
  model = messagesModel,
  prompt = "Hello.",
  stream
}: BodyOptions = {}): string =>
  padded(prompt, bytes, (content) =>
    JSON.stringify({
      model,
      max_tokens: 1024,
      messages: [{ role: "user", content }],
      ...(stream === true ? { stream } : {})
    })
  )

export const responsesBody = ({
  bytes = 400,
  model = chatModel,
  prompt = "Hello.",
  stream
}: BodyOptions = {}): string =>
  padded(prompt, bytes, (input) =>
    JSON.stringify({
      model,
      input,
      max_output_tokens: 1024,
      store: false,
      ...(stream === true ? { stream } : {})
    })
  )

/** For the lean upstream. */
export const leanBody = (options: BodyOptions = {}): string =>
  chatBody({ model: leanModel, ...options }).replace("max_completion_tokens", "max_tokens")

/** A stream whose events carry the time they were sent. */
export const stampedBody = (events: number, intervalMs: number): string =>
  leanBody({ stream: true, prompt: `[bench: events=${events} interval=${intervalMs}]` })

/** Of an answer to a coding agent. */
export const agentEvents = 200

/** What a coding agent sends to the lean upstream. */
export const leanAgent = (bytes: number): string =>
  chatAgent({ model: leanModel, bytes, asks: `[bench: events=${agentEvents} interval=0] Go on.` })

/** The usual kinds, by name. */
export const bodies: Readonly<Record<string, string>> = {
  plain: leanBody(),
  stream: chatBody({ stream: true, prompt: "[sim: tokens=64]" }),
  paced: stampedBody(64, 20),
  convert: chatBody({ stream: true, prompt: "[sim: tokens=64]", model: "claude-sonnet-4-6" }),
  "agent-50": leanAgent(50_000),
  "agent-500": leanAgent(500_000)
}
