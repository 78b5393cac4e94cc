import { assert, describe, it } from "@effect/vitest"
import { requireSpeechRequest } from "../../../src/formats/speech/request.ts"
import { refusedField } from "../refused-field.ts"

describe("a speech request", () => {
  it("may name its voice by an id", () => {
    const voice = { id: "voice_1234" }
    assert.isUndefined(refusedField(requireSpeechRequest, { input: "a", voice }))
    assert.strictEqual(refusedField(requireSpeechRequest, { input: "a", voice: {} }), "voice.id")
  })

  it("has words and a voice", () => {
    const body = { input: "Xin chào", voice: "alloy", speed: 1 }
    assert.isUndefined(refusedField(requireSpeechRequest, body))
    assert.strictEqual(refusedField(requireSpeechRequest, { voice: "alloy" }), "input")
    assert.strictEqual(refusedField(requireSpeechRequest, { input: "", voice: "alloy" }), "input")
    assert.strictEqual(refusedField(requireSpeechRequest, { input: "a" }), "voice")
    assert.strictEqual(refusedField(requireSpeechRequest, { input: "a", voice: 3 }), "voice")
  })
})
