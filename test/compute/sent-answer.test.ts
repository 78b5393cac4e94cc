import { assert, describe, it } from "@effect/vitest"
import { received, type SentAnswer, sent } from "../../src/compute/sent-answer.ts"
import type { CodecAnswer, CodecTask } from "../../src/compute/codec-tasks.ts"
import { modelNamed } from "../catalogue.ts"

/** A body at a place in shared memory that has more in it. */
const body = new Uint8Array(new SharedArrayBuffer(100), 10, 50).fill(7)
const task: CodecTask = {
  _tag: "PreparePlain",
  task: { row: "input_tokens", model: modelNamed("req/gpt-4o-mini-tts"), body }
}
const done = (bytes: Uint8Array): CodecAnswer => ({
  _tag: "Done",
  value: { bytes, contentType: "application/json", images: 0, terms: {}, imageUrl: undefined }
})

/** What the answer is made of once it has crossed to the thread that asked. */
const crossed = (answer: SentAnswer): SentAnswer => structuredClone(answer)

const bytesOf = (answer: CodecAnswer): Uint8Array => {
  if (answer._tag !== "Done" || typeof answer.value !== "object") throw new Error(answer._tag)
  return (answer.value as { readonly bytes: Uint8Array }).bytes
}

describe("an answer of a codec worker", () => {
  it("whose bytes are of the task's own memory brings their place, and has those of whoever asked", () => {
    const answer = received(task, crossed(sent(task, done(body.subarray(3, 40)))))
    assert.strictEqual(bytesOf(answer).buffer, body.buffer)
    assert.deepStrictEqual([bytesOf(answer).byteOffset, bytesOf(answer).byteLength], [13, 37])
    assert.include((answer as { readonly value: object }).value, { contentType: "application/json" })
  })

  it("without bytes is sent as it is", () => {
    for (const answer of [
      { _tag: "Done", value: 12 },
      { _tag: "Bug", stack: "at" }
    ] as const)
      assert.strictEqual(received(task, sent(task, answer)), answer)
  })
})
