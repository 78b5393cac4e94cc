/** When speech counts as given, which its price is for: not before there is sound, and whole only with its end. */
import { assert, describe, it } from "@effect/vitest"
import { AudioCodec } from "../../../src/formats/speech/AudioCodec.ts"
import { SpeechPassthrough } from "../../../src/formats/speech/SpeechPassthrough.ts"

const event = (body: object) => `data: ${JSON.stringify(body)}\n\n`
const sound = event({ type: "speech.audio.delta", audio: "UklGRg==" })
const silence = event({ type: "speech.audio.delta", audio: "" })
const done = event({ type: "speech.audio.done", usage: { input_tokens: 3, output_tokens: 40 } })
const end = "data: [DONE]\n\n"

const fed = (...frames: ReadonlyArray<string>) => {
  const codec = new SpeechPassthrough()
  const given = frames.map((frame) => codec.push(Buffer.from(frame))?.toString() ?? "").join("")
  codec.end()
  return { codec, text: given + codec.tail.toString() }
}

describe("speech as a stream of events", () => {
  it("is whole with its last event, and passed on byte for byte", () => {
    const { codec, text } = fed(silence, sound, sound, done)
    assert.deepStrictEqual([codec.contentSeen, codec.finished, codec.failure], [true, true, undefined])
    assert.strictEqual(text, silence + sound + sound + done)
  })

  it.each([
    ["without its last event", [sound, end]],
    ["without a sound", [silence, done]],
    ["with an error", [sound, event({ error: { message: "no" } })]],
    ["with an event that is an error", [sound, event({ type: "error", message: "no" }), done]],
    ["with rubbish", [sound, "data: {\n\n", done]]
  ])("that ends %s has failed", (_, frames) => {
    const { codec } = fed(...frames)
    assert.isFalse(codec.finished)
    assert.isDefined(codec.failure)
  })

  it("is whole, too, where all of the sound comes in one large event", () => {
    const large = event({ type: "speech.audio.delta", audio: "A".repeat(200_000) })
    const { codec, text } = fed(large, done)
    assert.deepStrictEqual([codec.contentSeen, codec.finished, codec.failure], [true, true, undefined])
    assert.strictEqual(text, large + done)
  })

  it("has no content before a sound has come", () => {
    assert.isFalse(fed(silence).codec.contentSeen)
    assert.isFalse(fed(event({ type: "speech.audio.delta", audio: null })).codec.contentSeen)
    assert.isFalse(fed(event({ type: "speech.audio.info", audio: "x" })).codec.contentSeen)
  })
})

describe("speech as it is", () => {
  it("is whole when its connection ends, if any of it has come", () => {
    const codec = new AudioCodec()
    assert.isFalse(codec.contentSeen)
    assert.strictEqual(codec.push(Buffer.from("RIFF"))?.toString(), "RIFF")
    assert.deepStrictEqual([codec.contentSeen, codec.finished], [true, false])
    codec.end()
    assert.isTrue(codec.finished)
    const silent = new AudioCodec()
    silent.end()
    assert.isFalse(silent.finished)
  })
})
