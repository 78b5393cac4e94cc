import { assert, it } from "@effect/vitest"
import { pairs } from "../../src/formats/pairs.ts"
import { encodeEventStreamMessage } from "../../src/formats/bedrock/event-stream.ts"
import {
  context,
  converseNames,
  invokeNames,
  readStream,
  recordedEvents,
  runCodec
} from "../formats/bedrock-fixtures.ts"
import { Random } from "../Random.ts"
import { describeWith } from "../shared-folder.ts"

describeWith("fixtures", "a stream that fails under way", () => {
  it.each([
    ["invoke-stream-exception-throttling", "rate_limit_error", /Too many requests/],
    ["invoke-stream-exception-model-error", "api_error", /./],
    ["converse-stream-exception-validation", "invalid_request_error", /Input is too long/],
    ["converse-stream-exception-internal", "api_error", /./],
    ["invoke-stream-truncated", "api_error", /broke off/]
  ])("%s is a %s", (name, type, message) => {
    const bytes = readStream(name)
    for (const size of [bytes.length, 1]) {
      const codec = name.startsWith("invoke")
        ? pairs.messages.invoke.stream(context)
        : pairs.messages.converse.stream(context)
      const { output, failure } = runCodec(codec, bytes, size)
      assert.strictEqual(failure?.type, type)
      assert.match(failure!.message, message)
      assert.isFalse(codec.finished)
      assert.notInclude(output.toString(), "message_stop")
      assert.isTrue(codec.contentSeen)
    }
  })

  it("is known as failed before any content", () => {
    const exception = encodeEventStreamMessage({
      headers: {
        ":message-type": { type: "string", value: "exception" },
        ":exception-type": { type: "string", value: "throttlingException" }
      },
      body: Buffer.from('{"message":"Too many tokens"}')
    })
    for (const codec of [pairs.messages.invoke.stream(context), pairs.messages.converse.stream(context)]) {
      assert.isUndefined(codec.push(exception))
      assert.deepStrictEqual(codec.failure, { type: "rate_limit_error", message: "Too many tokens" })
      assert.isFalse(codec.contentSeen)
    }
  })

  it("names no resource of the account", () => {
    const error = encodeEventStreamMessage({
      headers: {
        ":message-type": { type: "string", value: "error" },
        ":error-code": { type: "string", value: "AccessDenied" },
        ":error-message": { type: "string", value: "arn:aws:iam::123456789012:user/x may not" }
      },
      body: Buffer.alloc(0)
    })
    const codec = pairs.messages.converse.stream(context)
    codec.push(error)
    assert.strictEqual(codec.failure?.type, "api_error")
    assert.notInclude(codec.failure!.message, "123456789012")
  })

  it("never looks finished after any cut", () => {
    for (const name of [...invokeNames, ...converseNames].slice(0, 4)) {
      const bytes = readStream(name)
      for (let length = 0; length < bytes.length; length += 83) {
        const codec = name.startsWith("invoke")
          ? pairs.messages.invoke.stream(context)
          : pairs.messages.converse.stream(context)
        const { failure, output } = runCodec(codec, bytes.subarray(0, length))
        // Without its metadata alone a Converse answer is whole.
        if (codec.finished) assert.include(output.toString(), "message_delta")
        else assert.isDefined(failure)
      }
    }
  })

  it("gives a typed failure or an answer for any mutation of its bytes and its events", () => {
    const random = new Random(7)
    const names = [...invokeNames, ...converseNames]
    for (let round = 0; round < 400; round++) {
      const name = random.pick(names)
      const bytes = round % 2 === 0 ? damaged(readStream(name), random) : mutatedEvents(name, random)
      for (const codec of [
        pairs.messages.invoke.stream(context),
        pairs.chat_completions.invoke.stream(context),
        pairs.messages.converse.stream(context),
        pairs.chat_completions.converse.stream(context)
      ]) {
        const { failure } = runCodec(codec, bytes, 1 + random.below(900))
        assert.isTrue(codec.finished !== (failure !== undefined))
      }
    }
  })
})

const damaged = (bytes: Buffer, random: Random): Buffer => {
  const copy = Buffer.from(bytes)
  for (let count = 0; count < 3; count++) copy[random.below(copy.length)] = random.below(256)
  return copy
}

/** The recorded events with values swapped for others, in frames whose checksums are right. */
const mutatedEvents = (name: string, random: Random): Buffer => {
  const values = [null, 0, -1, 1e300, "", "x", [], {}, true, "bm90IGpzb24=", [[{}]]]
  const mutate = (value: unknown): unknown => {
    if (random.chance(0.02)) return random.pick<unknown>(values)
    if (Array.isArray(value)) return value.map(mutate)
    if (typeof value !== "object" || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, mutate(inner)]))
  }
  return Buffer.concat(
    recordedEvents(name).map(({ headers, payload, inner }) => {
      const changed =
        inner === undefined
          ? mutate(payload)
          : { bytes: Buffer.from(JSON.stringify(mutate(inner))).toString("base64") }
      return encodeEventStreamMessage({
        headers: Object.fromEntries(
          Object.entries(headers).map(([key, value]) => [key, { type: "string", value }])
        ),
        body: Buffer.from(JSON.stringify(changed))
      })
    })
  )
}
