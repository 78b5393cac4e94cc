/** Over a stand-in for a connection that takes as much as it likes, and loses what a real one would lose. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import type { HttpResponse } from "uWebSockets.js"
import { afterEach, vi } from "vitest"
import { PacedWriter } from "../../src/http/PacedWriter.ts"
import { Underway } from "../../src/http/Underway.ts"

const corkBytes = 16 * 1024

/** As uWebSockets.js 20 does: what overflows a cork is dropped when what was gathered finds no room. */
class Connection {
  received = Buffer.alloc(0)
  ended = false
  #room: number
  #buffered = Buffer.alloc(0)
  #gathered: Buffer | undefined
  #offset = 0
  #onWritable = () => true
  #clock: NodeJS.Timeout | undefined
  isCutOff = false

  constructor(room: number) {
    this.#room = room
  }

  readonly response = {
    onWritable: (listener: () => boolean) => {
      this.#onWritable = listener
    },
    pause: () => clearTimeout(this.#clock),
    resume: () => this.#startClock(),
    getWriteOffset: () => this.#offset,
    tryEnd: (bytes: Uint8Array, total: number) => {
      const taken = this.#uncork() ? Math.min(bytes.length, this.#room) : 0
      this.#put(Buffer.from(bytes.subarray(0, taken)))
      this.#offset += taken
      this.ended = this.#offset === total
      return [taken === bytes.length, this.ended]
    },
    cork: (send: () => void) => {
      if (this.#gathered !== undefined) return send()
      this.#gathered = Buffer.alloc(0)
      send()
      if (!this.#uncork()) this.#startClock()
    },
    write: (piece: Uint8Array | string) => this.#write(Buffer.from(piece as Uint8Array)),
    end: (body: Uint8Array = Buffer.alloc(0)) => {
      this.#write(Buffer.from(body))
      this.ended = true
    }
  } as unknown as HttpResponse

  /** The client has read: so much more finds room. */
  read(bytes: number): void {
    this.#room += bytes
    clearTimeout(this.#clock)
    if (this.ended) this.#flush()
    else this.#onWritable()
  }

  #startClock(): void {
    clearTimeout(this.#clock)
    this.#clock = setTimeout(() => (this.isCutOff = true), 10_000).unref()
  }

  #write(piece: Buffer): boolean {
    if (!this.#flush()) {
      this.#buffered = Buffer.concat([this.#buffered, piece])
      return false
    }
    if (this.#gathered === undefined) return this.#put(piece)
    if (this.#gathered.length + piece.length <= corkBytes) {
      this.#gathered = Buffer.concat([this.#gathered, piece])
      return true
    }
    return this.#uncork() && this.#put(piece)
  }

  #uncork(): boolean {
    const gathered = this.#gathered
    this.#gathered = undefined
    return gathered === undefined || gathered.length === 0 ? this.#flush() : this.#put(gathered)
  }

  #flush(): boolean {
    const buffered = this.#buffered
    this.#buffered = Buffer.alloc(0)
    return this.#put(buffered)
  }

  #put(bytes: Buffer): boolean {
    const taken = Math.min(bytes.length, this.#room)
    this.#room -= taken
    this.received = Buffer.concat([this.received, bytes.subarray(0, taken)])
    this.#buffered = Buffer.concat([this.#buffered, bytes.subarray(taken)])
    return this.#buffered.length === 0
  }
}

/** Bytes that show when some are missing, doubled or out of place. */
const counting = (size: number, from: number) =>
  Buffer.from(Uint16Array.from({ length: size }, (_, at) => from + at).buffer)

const Size = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 40_000 }))
const Step = Schema.Struct({ kind: Schema.Literals(["write", "read"]), bytes: Size })
const Steps = Schema.Array(Step).check(Schema.isMaxLength(40))
const Reads = Schema.Array(Size).check(Schema.isMaxLength(10))

const isRead = async (unread: Underway): Promise<boolean> => {
  const fiber = Effect.runFork(unread.whenNone)
  await Promise.resolve()
  const read = fiber.pollUnsafe() !== undefined
  fiber.interruptUnsafe()
  return read
}

const readAll = (connection: Connection) => {
  for (let turn = 0; turn < 3; turn++) connection.read(1e9)
}

describe("an answer", () => {
  afterEach(() => void vi.useRealTimers())

  it.prop(
    "that is streamed reaches a client of any pace whole and in order",
    [Size, Steps, Size],
    async ([room, steps, last]) => {
      const connection = new Connection(room)
      const unread = new Underway()
      const writer = new PacedWriter(connection.response, unread)
      let expected = Buffer.alloc(0)
      const next = (size: number) => {
        const piece = counting(size, expected.length)
        expected = Buffer.concat([expected, piece])
        return piece
      }
      const head = next(200)
      writer.begin(() => void connection.response.write(head))
      for (const { kind, bytes } of steps) {
        if (kind === "write") writer.write(next(bytes))
        else connection.read(bytes)
      }
      writer.end(next(last))
      assert.strictEqual(await isRead(unread), connection.ended)
      readAll(connection)
      assert.isTrue(connection.ended)
      assert.isTrue(await isRead(unread))
      assert.strictEqual(connection.received.length, expected.length)
      assert.isTrue(connection.received.equals(expected))
    },
    { arbitrary: { runs: 500 } }
  )

  it.prop("that is whole reaches a client of any pace whole", [Size, Size, Reads], ([room, size, reads]) => {
    const connection = new Connection(room)
    const head = counting(200, 7)
    const body = counting(size, 0)
    const write = () => void connection.response.write(head)
    new PacedWriter(connection.response, new Underway()).endWith(write, body)
    for (const bytes of reads) connection.read(bytes)
    readAll(connection)
    assert.isTrue(connection.ended)
    assert.isTrue(connection.received.equals(Buffer.concat([head, body])))
  })

  it("that is streamed has its silences, also behind a piece of which nobody was told that it found no room", () => {
    vi.useFakeTimers()
    const connection = new Connection(500)
    const writer = new PacedWriter(connection.response, new Underway())
    writer.begin(() => void connection.response.write("head"))
    for (const bytes of [1_000, 2_000]) {
      assert.isTrue(writer.write(counting(bytes / 2, 0)))
      vi.advanceTimersByTime(60_000)
      assert.isFalse(connection.isCutOff)
      assert.isFalse(writer.write("more"))
      connection.read(bytes)
    }
    writer.end("")
    assert.isTrue(connection.ended)
    vi.advanceTimersByTime(60_000)
    assert.strictEqual(vi.getTimerCount(), 0)
  })

  it("that nobody takes any more is waited for no longer", async () => {
    const connection = new Connection(0)
    const unread = new Underway()
    const writer = new PacedWriter(connection.response, unread)
    // Only the second one is told that the first found no room.
    assert.isTrue(writer.write("some"))
    assert.isFalse(writer.write("more"))
    writer.end("last")
    assert.isFalse(await isRead(unread))
    writer.forget()
    assert.isTrue(await isRead(unread))
  })
})
