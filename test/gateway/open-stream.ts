/** A client that reads an answer bit by bit, waits for what it wants to see, stops reading, and leaves. */
import { type IncomingMessage, request } from "node:http"
import type { TestGateway } from "./start-gateway.ts"

interface Reading {
  /** `false`: nothing is read before `read` is called. */
  readonly read?: boolean
  /** `false`: of the text only its end is kept. */
  readonly keepsText?: boolean
}

export class StreamClient {
  readonly status: number
  readonly headers: IncomingMessage["headers"]
  /** Resolves when the answer has ended, however; `complete` where it ended as it should. */
  readonly ended: Promise<{ readonly text: string; readonly complete: boolean }>
  bytes = 0
  readonly #response: IncomingMessage
  readonly #keepsText: boolean
  #text = ""
  #onData: (() => void) | undefined

  constructor(response: IncomingMessage, { keepsText = true, read = true }: Reading) {
    this.#response = response
    this.#keepsText = keepsText
    this.status = response.statusCode!
    this.headers = response.headers
    this.ended = new Promise((resolve) => {
      response.on("close", () => {
        resolve({ text: this.#text, complete: response.complete })
        this.#onData?.()
      })
      response.on("error", () => {})
    })
    if (read) this.read()
  }

  get id(): string {
    return String(this.headers["request-id"])
  }

  get text(): string {
    return this.#text
  }

  /** Reads from now on. */
  read(): void {
    this.#response.setEncoding("utf8")
    this.#response.on("data", (chunk: string) => {
      this.bytes += Buffer.byteLength(chunk)
      this.#text = this.#keepsText ? this.#text + chunk : chunk.slice(-300)
      this.#onData?.()
    })
  }

  /** Waits until the text read so far has this in it, so many times. */
  async until(wanted: string, times = 1): Promise<void> {
    while (this.#text.split(wanted).length <= times) {
      if (this.#response.closed) throw new Error(`the stream ended before '${wanted}': ${this.#text}`)
      await new Promise<void>((resolve) => (this.#onData = resolve))
    }
  }

  leave(): void {
    this.#response.destroy()
  }
}

/** A POST over a connection of its own, answered as soon as the headers of its answer have come. */
export const post = (
  url: string,
  key: string,
  body: unknown,
  { headers, ...reading }: Reading & { readonly headers?: Readonly<Record<string, string>> } = {}
): Promise<StreamClient> =>
  new Promise((resolve, reject) => {
    const call = begin(url, key, body, headers)
    call.on("response", (response) => resolve(new StreamClient(response, reading)))
    call.on("error", reject)
  })

export const openStream = (
  gateway: TestGateway,
  key: string,
  path: string,
  body: object,
  reading: Reading = {}
): Promise<StreamClient> => post(`${gateway.url}${path}`, key, body, reading)

/** A call whose client leaves while it waits for the answer's headers. */
export const leaveBeforeAnswer = async (
  gateway: TestGateway,
  key: string,
  path: string,
  body: object
): Promise<void> => {
  const { started } = await gateway.seen()
  const call = begin(`${gateway.url}${path}`, key, body)
  call.on("error", () => {})
  await gateway.seen({ started: started + 1 })
  call.destroy()
}

const begin = (url: string, key: string, body: unknown, headers: Readonly<Record<string, string>> = {}) => {
  const call = request(url, {
    method: "POST",
    agent: false,
    headers: { "x-api-key": key, "content-type": "application/json", ...headers }
  })
  call.end(JSON.stringify(body))
  return call
}
