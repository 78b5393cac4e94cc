/** Somebody's program that takes webhooks: keeps what it was sent, and answers as a test wants it to. */
import { createServer, type IncomingHttpHeaders } from "node:http"
import { listen } from "../listen.ts"

export interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: string
  // oxlint-disable-next-line typescript/no-explicit-any -- The shape is what the tests are about.
  readonly json: any
}

export interface Receiver {
  readonly url: string
  readonly received: ReadonlyArray<Received>
  /** Waits until there are so many; those that are of `kind`. */
  readonly next: (count: number, kind?: string) => Promise<ReadonlyArray<Received>>
  readonly answerWith: (answer: (index: number) => number | "never") => void
  readonly stop: () => void
}

export const startReceiver = async (): Promise<Receiver> => {
  const received: Array<Received> = []
  const waiting = new Set<() => void>()
  let answer: (index: number) => number | "never" = () => 204
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => void chunks.push(chunk))
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString()
      received.push({ headers: request.headers, body, json: JSON.parse(body) })
      const status = answer(received.length - 1)
      if (status !== "never") response.writeHead(status, { location: "http://127.0.0.1:1/" }).end()
      for (const look of waiting) look()
    })
  })
  const port = await listen(server)
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    next: (count, kind) =>
      new Promise((resolve) => {
        const look = () => {
          const own = received.filter(({ json }) => kind === undefined || json.type === kind)
          if (own.length < count) return
          waiting.delete(look)
          resolve(own)
        }
        waiting.add(look)
        look()
      }),
    answerWith: (next) => {
      answer = next
    },
    stop: () => {
      server.close()
      server.closeAllConnections()
    }
  }
}
