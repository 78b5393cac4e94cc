/** What undici, the other client, makes of an answer that ends with its connection. */
import { Duplex } from "node:stream"
import { Client } from "undici"

export interface ReadAnswer {
  readonly status: number
  readonly type: string
  /** In Latin-1. */
  readonly body: string
}

/** A connection that takes a request, and gives the answer: no socket is needed for that. */
class Wire extends Duplex {
  #answer: Buffer | undefined

  constructor(answer: Buffer) {
    super()
    this.#answer = answer
    this.on("error", () => {})
  }

  override _read(): void {}

  override _write(_: unknown, __: unknown, done: () => void): void {
    const answer = this.#answer
    this.#answer = undefined
    done()
    if (answer === undefined) return
    setImmediate(() => {
      this.push(answer)
      this.push(null)
    })
  }

  ref(): this {
    return this
  }

  unref(): this {
    return this
  }
}

/** `undefined` where it reads none. */
export const undiciReads = async (answer: Buffer): Promise<ReadAnswer | undefined> => {
  const client = new Client("http://provider.test", {
    pipelining: 1,
    connect: (_, done) => queueMicrotask(() => done(null, new Wire(answer) as never))
  })
  try {
    const { body, headers, statusCode } = await client.request({ method: "POST", path: "/", body: "{}" })
    const bytes = Buffer.from(await body.arrayBuffer())
    // undici leaves tabs behind a value.
    const type = String(headers["content-type"]).trim()
    return { status: statusCode, type, body: bytes.toString("latin1") }
  } catch {
    return undefined
  } finally {
    await client.destroy()
  }
}
