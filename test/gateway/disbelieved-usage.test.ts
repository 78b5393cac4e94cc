/** Counts of an upstream's that can not be: streams are charged by our own bound, and what was told is kept. */
import { assert, describe, it } from "@effect/vitest"
import { ChatPassthrough } from "../../src/formats/chat/ChatPassthrough.ts"
import { ResponsesPassthrough } from "../../src/formats/responses/ResponsesPassthrough.ts"
import { chargeOfFinished, outputSoFar } from "../../src/gateway/consumed.ts"
import { limitsOf } from "../tokens/limits.ts"
import { chatModel } from "../wire/models.ts"
import {
  after,
  billingFor,
  chat,
  chunk,
  claudeBilling,
  codecsOfMessages,
  event,
  inputGuess,
  start,
  stop,
  text
} from "./fed-codecs.ts"

describe("a usage that can not be", () => {
  const model = chatModel({ capabilities: ["streaming"] })
  const billing = { ...billingFor(model), limits: limitsOf(model, { outputEach: 100, inputBound: 60 }) }
  const ended = (usage: object) =>
    chat(
      chunk({ content: "one two three" }, null),
      chunk({}, "stop"),
      chunk({}, null, { usage }),
      "data: [DONE]\n\n"
    )
  const usageOf = (input: number, output: number) => ({
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output
  })

  it("is not charged, nor held for, but our own bound is, and what was told is kept", () => {
    const codec = ended(usageOf(9, 900_000_000))
    const { disbelieved, estimated, usage } = chargeOfFinished(codec, billing)
    assert.deepStrictEqual(disbelieved, { inputTokens: 9, outputTokens: 900_000_000 })
    assert.isTrue(estimated)
    assert.strictEqual(usage.inputTokens, 9)
    assert.isAtLeast(usage.outputTokens, 3)
    assert.isBelow(usage.outputTokens, 40)
    assert.strictEqual(outputSoFar(codec, billing).bound, usage.outputTokens)
    const input = chargeOfFinished(ended(usageOf(900_000_000, 3)), billing)
    assert.deepStrictEqual(input.usage, { inputTokens: 60, outputTokens: 3 })
  })

  it("since it is no number of tokens is not charged either", () => {
    for (const usage of [
      { prompt_tokens: 9, completion_tokens: -5, total_tokens: 4 },
      { prompt_tokens: 9, completion_tokens: 2.5, total_tokens: 11.5 },
      { prompt_tokens: -1, completion_tokens: 3, total_tokens: 2 },
      { prompt_tokens: 9, completion_tokens: 9e12, total_tokens: 9e12 }
    ]) {
      const { disbelieved, estimated, usage: charged } = chargeOfFinished(ended(usage), billing)
      assert.deepStrictEqual([disbelieved, estimated, charged.inputTokens], [{}, true, inputGuess])
      assert.isAtLeast(charged.outputTokens, 3)
      assert.isBelow(charged.outputTokens, 40)
    }
  })

  it("is forgotten where a better one follows", () => {
    const codec = chat(
      chunk({ content: "one" }, null, { usage: usageOf(-1, 3) }),
      chunk({}, "stop", { usage: usageOf(9, 2) }),
      "data: [DONE]\n\n"
    )
    const charge = { usage: { inputTokens: 9, outputTokens: 2 }, units: 1, estimated: false }
    assert.deepInclude(chargeOfFinished(codec, billing), charge)
  })

  it.each(codecsOfMessages)("is seen in a Messages stream %s", (_, codecOf) => {
    for (const tokens of [-1, 0.5, 9e12]) {
      const end = event("message_delta", {
        delta: { stop_reason: "end_turn" },
        usage: { output_tokens: tokens }
      })
      const charge = chargeOfFinished(codecOf(start, text, end, stop), claudeBilling)
      assert.deepStrictEqual([charge.disbelieved, charge.usage.inputTokens], [{}, 7])
    }
    const large = event("message_delta", {
      delta: { stop_reason: "end_turn" },
      usage: { output_tokens: 9e8 }
    })
    const charge = chargeOfFinished(codecOf(start, text, large, stop), claudeBilling)
    assert.deepStrictEqual(charge.disbelieved, { inputTokens: 7, outputTokens: 9e8 })
    assert.isBelow(charge.usage.outputTokens, 60)
  })

  it("is seen in a Responses stream", () => {
    const delta = event("response.output_text.delta", { delta: "one two three" })
    for (const [usage, told] of [
      [{ input_tokens: 9, output_tokens: -1 }, {}],
      [
        { input_tokens: 9, output_tokens: 9e8 },
        { inputTokens: 9, outputTokens: 9e8 }
      ]
    ] as const) {
      const codec = after(
        new ResponsesPassthrough(),
        delta,
        event("response.completed", { response: { usage } })
      )
      assert.deepStrictEqual(chargeOfFinished(codec, billing).disbelieved, told)
    }
  })

  it("is no chunk for a client that has not asked for one", () => {
    const codec = new ChatPassthrough({ includeUsage: false })
    for (const usage of [usageOf(9, -5), usageOf(9, 5), {}])
      assert.isUndefined(codec.push(Buffer.from(`data: ${JSON.stringify({ choices: [], usage })}\n\n`)))
  })
})
