/** Streams of chat upstreams are asked for their usage, which they are charged by; all else of the request stays as it is. */
import { assert, describe, it } from "@effect/vitest"
import { prepareCall } from "../../src/compute/prepare-call.ts"
import { modelNamed } from "../catalogue.ts"

const protocol = "chat_completions"

/** A request that says `more` before its model and messages, which follow it. */
const prepared = (more: string, id: string) => {
  const model = modelNamed(id)
  const rest = `,"model":"${model.upstream.model}","messages":[{"role":"user","content":"x"}]}`
  const body = Buffer.from(`{${more}${rest}`)
  return {
    rest,
    ...prepareCall({ way: { endpoint: protocol, protocol }, model, body, anthropicBeta: "" })
  }
}

/** What of it goes up before them. */
const sent = (more: string, id = "gpt-5.5"): string => {
  const { bytes, rest } = prepared(more, id)
  const text = Buffer.from(bytes).toString()
  assert.isTrue(text.endsWith(rest), text)
  return text.slice(1, -rest.length)
}

const asked = '"stream_options":{"include_usage":true}'

describe("a chat stream", () => {
  it.each([
    ['"stream":true', `"stream":true,${asked}`],
    ['"stream": true , "n": 1', `"stream": true,${asked} , "n": 1`],
    ['"stream":true,"stream_options":null', `"stream":true,${asked}`],
    ['"stream":true,"stream_options":{}', `"stream":true,${asked}`],
    ['"stream_options":{"include_usage":false},"stream":true', `${asked},"stream":true`],
    [
      '"stream":true,"stream_options":{"include_obfuscation":false}',
      '"stream":true,"stream_options":{"include_obfuscation":false,"include_usage":true}'
    ]
  ])("that says %s is asked for its usage: %s", (said, up) => {
    assert.strictEqual(sent(said), up)
  })

  it.each([
    ['"stream":true,"stream_options": {"include_usage": true}'],
    ['"stream":false'],
    ['"stream":null'],
    ['"n":1']
  ])("that asks for it itself, and an answer that is none, stays as it is: %s", (said) => {
    assert.strictEqual(sent(said), said)
  })

  it.each([
    [`"stream":true,${asked}`, true],
    ['"stream":true,"usage":{"include":true}', true],
    ['"stream":true,"usage":{"include":false}', false],
    ['"stream":true', false]
  ])("that says %s has a client who wants to be told it: %s, and is asked for it once", (said, wants) => {
    assert.strictEqual(prepared(said, "deepseek-v4-pro").asked.includeUsage, wants)
    assert.strictEqual(sent(said, "deepseek-v4-pro").split(asked).length, 2)
  })

  it("that tells its usage unasked is not asked: Mistral knows no such member", () => {
    assert.strictEqual(sent('"stream":true', "mistral-large-2512"), '"stream":true')
    assert.strictEqual(sent(`"stream":true,${asked}`, "mistral-large-2512"), '"stream":true')
  })
})
