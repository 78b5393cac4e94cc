/** Clients for tests that watch single connections: a POST over its own socket, read as it comes, or not read at all. */
import { request, type ClientRequest, type IncomingMessage } from "node:http"

export interface OpenAnswer {
  readonly status: number
  readonly headers: IncomingMessage["headers"]
  /** What has come so far. */
  readonly text: () => string
  /** All of it, and whether it ended as it should. */
  readonly ended: Promise<{ readonly text: string; readonly complete: boolean }>
  readonly response: IncomingMessage
  /** Begins to read, where that was put off with `read: false`. */
  readonly read: () => void
  /** Leaves, as a client does that is closed. */
  readonly leave: () => void
}

export const post = (
  url: string,
  key: string,
  body: unknown,
  options: { readonly headers?: Record<string, string>; readonly read?: boolean } = {}
): Promise<OpenAnswer> =>
  new Promise((resolve, reject) => {
    const outgoing: ClientRequest = request(url, {
      method: "POST",
      agent: false,
      headers: { "x-api-key": key, "content-type": "application/json", ...options.headers }
    })
    outgoing.on("error", reject)
    outgoing.on("response", (response) => resolve(open(outgoing, response, options.read !== false)))
    outgoing.end(JSON.stringify(body))
  })

const open = (outgoing: ClientRequest, response: IncomingMessage, read: boolean): OpenAnswer => {
  let text = ""
  response.on("error", () => {})
  outgoing.on("error", () => {})
  const ended = new Promise<{ text: string; complete: boolean }>((resolve) => {
    response.on("close", () => resolve({ text, complete: response.complete }))
  })
  const start = () => {
    response.setEncoding("utf8")
    response.on("data", (chunk: string) => (text += chunk))
  }
  if (read) start()
  return {
    read: start,
    status: response.statusCode!,
    headers: response.headers,
    text: () => text,
    ended,
    response,
    leave: () => outgoing.destroy()
  }
}

export const ask = (prompt: string, fields: Record<string, unknown> = {}) => ({
  model: "claude-sonnet-5",
  max_tokens: 4_000,
  messages: [{ role: "user", content: prompt }],
  ...fields
})

/** Waits until `condition` answers something true; gives that. */
export const eventually = async <A>(
  condition: () => Promise<A | undefined | false> | A | undefined | false,
  seconds = 20
): Promise<A> => {
  const deadline = Date.now() + seconds * 1000
  for (;;) {
    const found = await condition()
    if (found !== undefined && found !== false) return found
    if (Date.now() > deadline) throw new Error(`it did not come to be within ${seconds} s: ${condition}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
