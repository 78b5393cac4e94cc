/** Over a stand-in for a connection that takes as much as it likes, and loses what a real one would lose. */
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import type { HttpResponse } from "uWebSockets.js"
import { PacedWriter } from "../../src/http/PacedWriter.ts"

const corkBytes = 16 * 1024

/** As uWebSockets.js 20 does: what overflows a cork is dropped when what was gathered finds no room. */
class Connection {
  received = Buffer.alloc(0)
  ended = false
  #room: number
  #buffered = Buffer.alloc(0)
  #gathered: Buffer | undefined
  #onWritable = () => true

  constructor(room: number) {
    this.#room = room
  }

  readonly response = {
    onWritable: (listener: () => boolean) => {
      this.#onWritable = listener
    },
    resume: () => {},
    cork: (send: () => void) => {
      if (this.#gathered !== undefined) return send()
      this.#gathered = Buffer.alloc(0)
      send()
      this.#uncork()
    },
    write: (piece: Uint8Array | string) => this.#write(Buffer.from(piece as Uint8Array)),
    end: () => {
      this.ended = true
    }
  } as unknown as HttpResponse

  /** The client has read: so much more finds room. */
  read(bytes: number): void {
    this.#room += bytes
    if (this.ended) this.#flush()
    else this.#onWritable()
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
const Step = Schema.Struct({ kind: Schema.Literals(["write", "read", "wait"]), bytes: Size })
const Steps = Schema.Array(Step).check(Schema.isMaxLength(40))

describe("a streamed answer", () => {
  it.prop(
    "reaches a client of any pace whole and in order",
    [Size, Steps, Size],
    ([room, steps, last]) => {
      const connection = new Connection(room)
      const writer = new PacedWriter(connection.response)
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
        else if (kind === "read") connection.read(bytes)
        else writer.keepWaiting()
      }
      writer.end(next(last))
      connection.read(Infinity)
      assert.isTrue(connection.ended)
      assert.strictEqual(connection.received.length, expected.length)
      assert.isTrue(connection.received.equals(expected))
    },
    { arbitrary: { runs: 500 } }
  )
})
