/** One HTTP request to the dashboard and its reply; nothing beyond this file knows uWebSockets.js. */
import type { HttpRequest, HttpResponse } from "uWebSockets.js"
import { endHead } from "../sockets/end-head.ts"
import { holdOpen } from "../sockets/hold-open.ts"
import { inPieces } from "../sockets/in-pieces.ts"

export interface Incoming {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  /** Empty where there is none; names in lower case. */
  readonly header: (name: string) => string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

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

const bodyBytesMax = 1_048_576

export interface Handler {
  /** Never fails. */
  readonly answer: (incoming: Incoming) => Promise<Reply>
  /** Told why a reply could not be made or finished. */
  readonly broken: (incoming: Pick<Incoming, "method" | "path">, cause: unknown) => void
}

/** Takes what it needs from `request` at once, since uWebSockets.js frees it when its handler returns. */
export const serveExchange = (
  response: HttpResponse,
  request: HttpRequest,
  { answer, broken }: Handler
): void => {
  const headers: Record<string, string> = {}
  request.forEach((name, value) => {
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`
  })
  const head = {
    method: request.getMethod().toUpperCase(),
    path: request.getUrl(),
    query: new URLSearchParams(request.getQuery()),
    header: (name: string) => headers[name] ?? "",
    headers
  }
  const gone = new AbortController()
  response.onAborted(() => gone.abort())
  collectBody(response, (body) => {
    if (gone.signal.aborted) return
    const reply = body === undefined ? Promise.resolve(tooLarge) : answer({ ...head, body })
    reply
      .then((reply) =>
        sendReply(response, reply, {
          gone,
          isHead: head.method === "HEAD",
          broken: (cause) => broken(head, cause)
        })
      )
      .catch((cause: unknown) => {
        broken(head, cause)
        if (!gone.signal.aborted) response.close()
      })
  })
}

const tooLarge: Reply = {
  status: 413,
  headers: [["content-type", "application/json"]],
  body: JSON.stringify({ error: { code: "too_large" } })
}

const collectBody = (response: HttpResponse, done: (body: Buffer | undefined) => void) => {
  let chunks: Array<Buffer> = []
  let size = 0
  response.onData((chunk, isLast) => {
    const wasTooLarge = size > bodyBytesMax
    size += chunk.byteLength
    if (size > bodyBytesMax) {
      chunks = []
      if (!wasTooLarge) done(undefined)
      return
    }
    // uWebSockets.js reuses the chunk's memory.
    chunks.push(Buffer.from(chunk.slice(0)))
    if (isLast) done(Buffer.concat(chunks))
  })
}

interface Sending {
  readonly gone: AbortController
  readonly isHead: boolean
  readonly broken: (cause: unknown) => void
}

const sendReply = async (response: HttpResponse, reply: Reply, { broken, gone, isHead }: Sending) => {
  const { body } = reply
  const writeHead = () => {
    response.writeStatus(String(reply.status))
    for (const [name, value] of reply.headers) response.writeHeader(name, value)
  }
  if (typeof body !== "function") {
    if (gone.signal.aborted) return
    response.cork(() => {
      writeHead()
      if (isHead) endHead(response, Buffer.byteLength(body))
      else response.end(body)
    })
    return
  }
  // Run also when the client has left by now: what the reply holds, such as a place among few, it lets go at its end.
  const sink = makeSink(response, gone.signal)
  if (!gone.signal.aborted) response.cork(writeHead)
  try {
    await body(sink)
    if (!gone.signal.aborted) response.cork(() => response.end())
  } catch (cause) {
    broken(cause)
    // The status is out already: only a broken connection tells the client that the rest is missing.
    if (!gone.signal.aborted) response.close()
  } finally {
    gone.abort()
  }
}

const makeSink = (response: HttpResponse, left: AbortSignal): Sink => {
  let resume = () => {}
  if (!left.aborted) {
    response.onWritable(() => {
      resume()
      return true
    })
  }
  left.addEventListener("abort", () => resume())
  return {
    left,
    write: (chunk) => {
      if (left.aborted) return Promise.resolve(false)
      let hasRoom = true
      for (const piece of inPieces(chunk)) {
        response.cork(() => {
          hasRoom = response.write(piece)
        })
      }
      if (hasRoom) return Promise.resolve(true)
      const release = holdOpen(response)
      return new Promise((resolve) => {
        resume = () => {
          release()
          resolve(!left.aborted)
        }
      })
    }
  }
}
