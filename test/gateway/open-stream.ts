/** A client that reads a streamed answer bit by bit, waits for what it wants to see, stops reading, and leaves. */
import { type IncomingMessage, request } from "node:http"
import type { TestGateway } from "./start-gateway.ts"

export class StreamClient {
  readonly status: number
  readonly headers: IncomingMessage["headers"]
  /** Resolves when the answer has ended, however. `true`: completely. */
  readonly ended: Promise<boolean>
  bytes = 0
  readonly #response: IncomingMessage
  readonly #keepsText: boolean
  #text = ""
  #onData: (() => void) | undefined

  constructor(response: IncomingMessage, keepsText: boolean) {
    this.#response = response
    this.#keepsText = keepsText
    this.status = response.statusCode!
    this.headers = response.headers
    this.ended = new Promise((resolve) => {
      response.on("close", () => {
        resolve(response.complete)
        this.#onData?.()
      })
      response.on("error", () => {})
    })
    if (keepsText) this.read()
  }

  get id(): string {
    return String(this.headers["request-id"])
  }

  get text(): string {
    return this.#text
  }

  /** Reads from now on; a client that keeps no text does not read before. */
  read(): void {
    this.#response.on("data", (chunk: Buffer) => {
      this.bytes += chunk.length
      this.#text = this.#keepsText ? this.#text + chunk.toString() : chunk.subarray(-300).toString()
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

export const openStream = (
  gateway: TestGateway,
  key: string,
  path: string,
  body: object,
  options: { readonly keepsText?: boolean } = {}
): Promise<StreamClient> =>
  new Promise((resolve, reject) => {
    const call = request(`${gateway.url}${path}`, {
      method: "POST",
      agent: false,
      headers: { "x-api-key": key, "content-type": "application/json" }
    })
    call.on("response", (response) => resolve(new StreamClient(response, options.keepsText ?? true)))
    call.on("error", reject)
    call.end(JSON.stringify(body))
  })

/** A call whose client leaves while it waits for the answer's headers. */
export const leaveBeforeAnswer = async (
  gateway: TestGateway,
  key: string,
  path: string,
  body: object
): Promise<void> => {
  const { started } = await gateway.seen()
  const call = request(`${gateway.url}${path}`, {
    method: "POST",
    agent: false,
    headers: { "x-api-key": key, "content-type": "application/json" }
  })
  call.on("error", () => {})
  call.end(JSON.stringify(body))
  await gateway.seen({ started: started + 1 })
  call.destroy()
}
