/** One request to the dashboard as a value, and its reply as another, or as a stream with back-pressure. */
import type { LocalExchange } from "../sockets/LocalExchange.ts"

export interface Incoming {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  /** Empty where there is none; names in lower case. */
  readonly header: (name: string) => string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** The gateway says in it what the answer has as `request-id`. */
export const requestIdHeader = "x-request-id"

/** Where a streamed reply goes. `write` resolves when there is room for more; false once the client has left. */
export interface Sink {
  readonly write: (chunk: string | Uint8Array) => Promise<boolean>
  readonly left: AbortSignal
}

export interface Reply {
  readonly status: number
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>
  readonly body: string | Uint8Array | ((sink: Sink) => Promise<void>)
}

/** An operator may set 500 prices at once. */
const bodyBytesMax = 256 * 1024

interface Handler {
  /** Never fails. */
  readonly answer: (incoming: Incoming) => Promise<Reply>
  /** Told why a reply could not be made or finished. */
  readonly broken: (incoming: Pick<Incoming, "method" | "path" | "header">, cause: unknown) => void
}

export const serveExchange = (exchange: LocalExchange, { answer, broken }: Handler): void => {
  const { headers, path } = exchange
  const head = {
    method: exchange.method.toUpperCase(),
    path,
    query: new URLSearchParams(exchange.query),
    header: (name: string) => headers[name] ?? "",
    headers
  }
  const gone = new AbortController()
  exchange.onGone(() => gone.abort())
  exchange.readBody(bodyBytesMax, (body) => {
    const reply = body === undefined ? Promise.resolve(tooLarge) : answer({ ...head, body })
    reply
      .then((reply) => sendReply(exchange, reply, gone, (cause) => broken(head, cause)))
      .catch((cause: unknown) => {
        broken(head, cause)
        exchange.destroy()
      })
  })
}

const tooLarge: Reply = {
  status: 413,
  headers: [["content-type", "application/json"]],
  body: JSON.stringify({ error: { code: "too_large" } })
}

const sendReply = async (
  exchange: LocalExchange,
  { body, headers, status }: Reply,
  gone: AbortController,
  broken: (cause: unknown) => void
) => {
  if (typeof body !== "function") {
    exchange.cork(() => {
      exchange.begin(status, headers)
      exchange.end(body)
    })
    return
  }
  // Run also when the client has left by now: what the reply holds, such as a place among few, it lets go at its end.
  // So it is where the head alone is asked for.
  if (exchange.method === "head") gone.abort()
  const sink = makeSink(exchange, gone.signal)
  exchange.cork(() => exchange.begin(status, headers))
  try {
    await body(sink)
    exchange.cork(() => exchange.end())
  } catch (cause) {
    broken(cause)
    // The status is out already: only a broken connection tells the client that the rest is missing.
    exchange.destroy()
  } finally {
    gone.abort()
  }
}

const makeSink = (exchange: LocalExchange, left: AbortSignal): Sink => {
  let resume = () => {}
  exchange.whenWritable(() => resume())
  left.addEventListener("abort", () => resume())
  return {
    left,
    write: (chunk) => {
      if (left.aborted) return Promise.resolve(false)
      if (exchange.write(chunk)) return Promise.resolve(true)
      return new Promise((resolve) => {
        resume = () => resolve(!left.aborted)
      })
    }
  }
}
