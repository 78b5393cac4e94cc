import { assert, describe, it } from "@effect/vitest"
import { readdirSync, readFileSync } from "node:fs"
import { crc32 } from "node:zlib"
import {
  encodeEventStreamMessage,
  EventStreamDecoder,
  type EventStreamMessage,
  type MessageHeaders
} from "../../../src/formats/bedrock/event-stream.ts"
import { Random } from "../../Random.ts"
import { describeWith, sharedPath } from "../../shared-folder.ts"

const folder = sharedPath("fixtures/bedrock")

interface Vector {
  readonly name: string
  readonly base64: string
  readonly headers: Record<string, unknown>
  readonly payload: string
}

const readJson = (name: string) => JSON.parse(readFileSync(`${folder}/${name}`, "utf8"))
const streamBytes = (name: string) => Buffer.from(readFileSync(`${folder}/${name}`, "utf8"), "base64")

const plainHeaders = (headers: MessageHeaders) =>
  Object.fromEntries(
    Object.entries(headers).map(([name, { type, value }]) => {
      if (type === "long") return [name, value.valueOf()]
      if (type === "binary") return [name, `<bytes "${Buffer.from(value).toString()}">`]
      if (type === "timestamp") return [name, `<timestamp ${value.getTime()}>`]
      if (type === "uuid") return [name, `<uuid ${value}>`]
      return [name, value]
    })
  )

const plain = (message: EventStreamMessage) => ({
  headers: plainHeaders(message.headers),
  payload: Buffer.from(message.body).toString("utf8")
})

const decodeAll = (bytes: Uint8Array, sizes: (index: number) => number) => {
  const decoder = new EventStreamDecoder()
  const messages: Array<ReturnType<typeof plain>> = []
  for (let start = 0, index = 0; start < bytes.length; index++) {
    const size = Math.max(1, sizes(index))
    messages.push(...decoder.push(bytes.subarray(start, start + size)).map(plain))
    start += size
  }
  return { messages, corrupt: decoder.corrupt, midMessage: decoder.midMessage }
}

describeWith("fixtures", "the official event-stream vectors", () => {
  const vectors = readJson("eventstream-vectors.json").vectors

  it.each(vectors.positive as Array<Vector>)("decodes $name, whole and byte by byte", (vector) => {
    const bytes = Buffer.from(vector.base64, "base64")
    for (const size of [bytes.length, 1]) {
      const { messages, corrupt, midMessage } = decodeAll(bytes, () => size)
      assert.isUndefined(corrupt)
      assert.isFalse(midMessage)
      assert.deepStrictEqual(messages, [{ headers: vector.headers, payload: vector.payload }])
    }
  })

  it.each(vectors.negative as Array<Vector>)("rejects $name, whole and byte by byte", (vector) => {
    const bytes = Buffer.from(vector.base64, "base64")
    for (const size of [bytes.length, 1]) {
      const { messages, corrupt } = decodeAll(bytes, () => size)
      assert.deepStrictEqual(messages, [])
      assert.isString(corrupt)
    }
  })

  it("decodes all of them concatenated, and gives those before a corrupt one", () => {
    const good = Buffer.concat(vectors.positive.map((vector: Vector) => Buffer.from(vector.base64, "base64")))
    const bad = Buffer.concat([good, Buffer.from(vectors.negative[1].base64, "base64"), good])
    assert.lengthOf(decodeAll(good, () => 7).messages, vectors.positive.length)
    const { messages, corrupt } = decodeAll(bad, () => bad.length)
    assert.lengthOf(messages, vectors.positive.length)
    assert.isString(corrupt)
  })
})

describeWith("fixtures", "recorded streams", () => {
  const names = readdirSync(folder).filter((name) => name.endsWith(".b64") && !name.includes("truncated"))

  it.each(names)("%s decodes to what was recorded, wherever it is cut", (name) => {
    const bytes = streamBytes(name)
    const whole = decodeAll(bytes, () => bytes.length)
    assert.isUndefined(whole.corrupt)
    assert.isFalse(whole.midMessage)
    const recorded = readJson(name.replace(".b64", ".json")).response.decoded_events as Array<{
      headers: Record<string, string>
      payload: unknown
    }>
    // The composed fixtures list only their last two events.
    const last = whole.messages.slice(-recorded.length).map(({ headers, payload }, index) => ({
      headers,
      payload: typeof recorded[index]!.payload === "string" ? payload : JSON.parse(payload)
    }))
    assert.deepStrictEqual(
      last,
      recorded.map(({ headers, payload }) => ({ headers, payload }))
    )
    assert.deepStrictEqual(
      decodeAll(bytes, () => 1),
      whole
    )
    const random = new Random(1)
    assert.deepStrictEqual(
      decodeAll(bytes, () => random.below(700)),
      whole
    )
  })

  it("knows that a truncated stream ends inside a message", () => {
    const { midMessage, corrupt } = decodeAll(streamBytes("invoke-stream-truncated.b64"), () => 100)
    assert.isTrue(midMessage)
    assert.isUndefined(corrupt)
  })

  it("finds any single damaged byte", () => {
    const bytes = streamBytes("converse-stream-guardrail.b64")
    const count = decodeAll(bytes, () => bytes.length).messages.length
    const random = new Random(2)
    for (let round = 0; round < 300; round++) {
      const damaged = Buffer.from(bytes)
      const position = random.below(damaged.length)
      damaged[position]! ^= 1 + random.below(255)
      const result = decodeAll(damaged, () => 1 + random.below(500))
      assert.isTrue(result.corrupt !== undefined || result.midMessage, `byte ${position}`)
      assert.isBelow(result.messages.length, count)
    }
  })
})

describe("the event-stream encoder", () => {
  const headers: MessageHeaders = {
    ":message-type": { type: "string", value: "event" },
    ":event-type": { type: "string", value: "chunk" }
  }

  it("writes what the decoder reads", () => {
    const body = Buffer.from(JSON.stringify({ text: "Xin chào 👋" }))
    const decoder = new EventStreamDecoder()
    const [message] = decoder.push(encodeEventStreamMessage({ headers, body }))
    assert.deepStrictEqual(message!.headers, headers)
    assert.deepStrictEqual(Buffer.from(message!.body), body)
  })

  it("takes a message of several mebibytes in small chunks", () => {
    const bytes = encodeEventStreamMessage({ headers, body: Buffer.alloc(5 * 1024 * 1024, "a") })
    const { messages, corrupt } = decodeAll(bytes, () => 16 * 1024)
    assert.isUndefined(corrupt)
    assert.strictEqual(messages[0]!.payload.length, 5 * 1024 * 1024)
  })

  it("refuses a message over 24 MiB by its prelude alone", () => {
    const bytes = encodeEventStreamMessage({ headers, body: Buffer.alloc(24 * 1024 * 1024) })
    const decoder = new EventStreamDecoder()
    assert.deepStrictEqual(decoder.push(bytes.subarray(0, 12)), [])
    assert.strictEqual(decoder.corrupt, "message length out of range")
  })

  it("refuses headers that reach into the payload", () => {
    const body = Buffer.concat([Buffer.from([1, 97, 7, 0, 40]), Buffer.alloc(60)])
    const bytes = encodeEventStreamMessage({ headers: {}, body })
    bytes.writeUInt32BE(5, 4)
    const decoder = new EventStreamDecoder()
    decoder.push(withChecksums(bytes))
    assert.strictEqual(decoder.corrupt, "malformed or duplicate header")
  })
})

/** The message with its two checksums made right again. */
const withChecksums = (bytes: Buffer): Buffer => {
  bytes.writeUInt32BE(crc32(bytes.subarray(0, 8)), 8)
  bytes.writeUInt32BE(crc32(bytes.subarray(0, -4)), bytes.length - 4)
  return bytes
}
