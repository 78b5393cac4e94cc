/** What is charged for a stream: the upstream's count where it holds, else the gateway's own, and said so. */
import { assert, describe, it } from "@effect/vitest"
import { noParticulars } from "../../src/domain/particulars.ts"
import { pairs } from "../../src/formats/pairs.ts"
import type { StreamCodec } from "../../src/formats/stream/stream-codec.ts"
import { billingOf } from "../../src/gateway/billing.ts"
import { chargeOfFinished, chargeOfLeft, outputSoFar, withinHold } from "../../src/gateway/consumed.ts"
import type { TextCall } from "../../src/gateway/TextCall.ts"
import { context } from "../formats/bedrock-fixtures.ts"
import { limitsOf } from "../tokens/limits.ts"
import { chatModel } from "../wire/models.ts"
import {
  after,
  chat,
  chatBilling,
  chunk,
  claudeBilling,
  codecsOfMessages,
  counted,
  event,
  inputGuess,
  messages,
  start,
  stop,
  text
} from "./fed-codecs.ts"

describe("a stream that was left", () => {
  it("before any content is not charged, whatever its upstream has counted", () => {
    assert.isUndefined(chargeOfLeft(messages(), claudeBilling))
    assert.isUndefined(chargeOfLeft(messages(start), claudeBilling))
  })

  it("is charged the input that its upstream counted at the start, and the output that has come", () => {
    const charge = chargeOfLeft(messages(start, text), claudeBilling)!
    assert.isTrue(charge.estimated)
    assert.strictEqual(charge.usage.inputTokens, 7)
    assert.isAtLeast(charge.usage.outputTokens, 3)
    assert.isAtMost(charge.usage.outputTokens, 12)
  })

  it("is charged the estimated input where nothing was counted", () => {
    const charge = chargeOfLeft(chat(chunk({ content: "one two three" }, null)), chatBilling)!
    assert.deepStrictEqual([charge.usage.inputTokens, charge.estimated], [inputGuess, true])
  })

  it("is charged no more output by our guess than its cap lets come, unless more has surely come", () => {
    const codec = chat(chunk({ content: "some words of an answer ".repeat(20) }, null))
    const chargedWith = (outputEach: number) => {
      const billing = { ...chatBilling, limits: limitsOf(chatModel(), { outputEach }) }
      const { outputTokens } = chargeOfLeft(codec, billing)!.usage
      assert.strictEqual(outputSoFar(codec, billing).guess, outputTokens)
      return outputTokens
    }
    const guess = chargedWith(10_000)
    assert.strictEqual(chargedWith(guess - 3), guess - 3)
    assert.strictEqual(chargedWith(20), guess)
  })

  it("is charged the input that its upstream has told, be it without any output", () => {
    const begun = event("message_start", {
      message: { usage: { input_tokens: 41, cache_read_input_tokens: 2 } }
    })
    for (const [, codecOf] of codecsOfMessages)
      assert.strictEqual(chargeOfLeft(codecOf(begun, text), claudeBilling)!.usage.inputTokens, 43)
  })

  it("is charged by the gateway's own count where its upstream has only written zeros so far", () => {
    const zeros = { usage: { input_tokens: 0, output_tokens: 0 } }
    const left = messages(event("message_start", { message: zeros }), text)
    const usage = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }
    const leftChat = chat(chunk({ content: "one two three" }, null, { usage }))
    for (const charge of [chargeOfLeft(left, claudeBilling)!, chargeOfLeft(leftChat, chatBilling)!]) {
      assert.deepStrictEqual([charge.usage.inputTokens, charge.estimated], [inputGuess, true])
      assert.isAbove(charge.usage.outputTokens, 0)
    }
  })

  it("is charged its upstream's count once that is of the whole output", () => {
    const usage = { prompt_tokens: 9, completion_tokens: 2, total_tokens: 11 }
    const frames = [chunk({ content: "one two three four five" }, null), chunk({}, "stop", { usage })]
    const charge = { usage: { inputTokens: 9, outputTokens: 2 }, units: 1, estimated: false }
    for (const whole of [chat(...frames), after(pairs.messages.chat_completions.stream(context), ...frames)])
      assert.deepInclude(chargeOfLeft(whole, chatBilling), charge)
    const ended = messages(start, text, counted, stop)
    const billed = chargeOfLeft(ended, claudeBilling)!
    assert.deepStrictEqual(billed.usage, { inputTokens: 7, outputTokens: 30 })
    assert.isFalse(billed.estimated)
  })

  it("is charged no less than its upstream had counted on the way", () => {
    const usage = { prompt_tokens: 9, completion_tokens: 20, total_tokens: 29 }
    const going = chat(chunk({ content: "one" }, null, { usage }), chunk({ content: " two" }, null))
    const charge = chargeOfLeft(going, chatBilling)!
    assert.deepStrictEqual(charge.usage, { inputTokens: 9, outputTokens: 20 })
    assert.isTrue(charge.estimated)
  })

  it("behind the count of all its thoughts is charged that in full, whatever its cap", () => {
    const usage = { prompt_tokens: 9, completion_tokens: 9_000, total_tokens: 9_009 }
    const frames = [chunk({ content: "one" }, null), chunk({}, "stop", { usage })]
    const capped = { ...chatBilling, limits: limitsOf(chatModel(), { outputEach: 64 }) }
    const charge = { usage: { inputTokens: 9, outputTokens: 9_000 }, units: 1, estimated: false }
    for (const left of [chat(...frames), after(pairs.messages.chat_completions.stream(context), ...frames)])
      assert.deepInclude(chargeOfLeft(left, capped), charge)
  })

  it("is charged no output beyond what was held for where its wallet was empty", () => {
    const charge = { usage: { inputTokens: 7, outputTokens: 30 }, units: 1, estimated: true }
    assert.deepStrictEqual(withinHold(charge, 20).usage, { inputTokens: 7, outputTokens: 20 })
    assert.deepStrictEqual(withinHold(charge, 40), charge)
    assert.deepStrictEqual(withinHold(charge, undefined), charge)
  })

  it("is charged what others read and wrote apart, of which nothing was cut off", () => {
    const uncached = { cacheReadTokens: 0, cacheWriteTokens: 0 }
    const within = { model: "m", inputTokens: 5, ...uncached, outputTokens: 1, isApart: false }
    const apart = { ...within, isApart: true }
    const usage = { inputTokens: 7, outputTokens: 30 }
    const particulars = { ...noParticulars, others: [within, apart] }
    const charge = { usage, units: 1, estimated: true, particulars, disbelieved: {} }
    const cut = {
      usage: { inputTokens: 7, outputTokens: 20 },
      particulars: { ...particulars, others: [apart] }
    }
    assert.deepStrictEqual(withinHold(charge, 20), { ...charge, ...cut })
    assert.deepStrictEqual(withinHold(charge, 30), charge)
  })
})

describe.each(codecsOfMessages)("a Messages stream %s", (_, codecOf) => {
  it.each([
    ["no usage", {}],
    ["a usage without output", { usage: { input_tokens: 7 } }],
    ["an absurd output", { usage: { output_tokens: -1 } }]
  ])("that ends with %s is not charged the beginning of a count", (_what, more) => {
    const end = event("message_delta", { delta: { stop_reason: "end_turn" }, ...more })
    const left = chargeOfLeft(codecOf(start, text, end), claudeBilling)!
    const finished = chargeOfFinished(codecOf(start, text, end, stop), claudeBilling)
    for (const { estimated, usage } of [left, finished]) {
      assert.deepStrictEqual([usage.inputTokens, estimated], [7, true])
      assert.isAtLeast(usage.outputTokens, 3)
    }
  })

  it("that counts its output on the way is not charged that count once more has come", () => {
    const early = event("message_delta", { delta: {}, usage: { output_tokens: 2 } })
    const end = event("message_delta", { delta: { stop_reason: "end_turn" }, usage: {} })
    const left = codecOf(start, text, early, text)
    const finished = codecOf(start, text, early, text, end, stop)
    for (const { estimated, usage } of [left, finished].map((each) =>
      chargeOfFinished(each, claudeBilling)
    )) {
      assert.deepStrictEqual([usage.inputTokens, estimated], [7, true])
      assert.isAtLeast(usage.outputTokens, 6)
    }
  })

  it("whose last counts are such is charged them, whatever numbers it told before", () => {
    const begun = event("message_start", { message: { usage: { input_tokens: -1, output_tokens: -1 } } })
    const going = event("message_delta", { delta: {}, usage: { output_tokens: 0.5 } })
    const usage = { input_tokens: 9, output_tokens: 30 }
    const end = event("message_delta", { delta: { stop_reason: "end_turn" }, usage })
    for (const frames of [
      [begun, text, end, stop],
      [begun, text, going, text, end, stop]
    ]) {
      const charge = chargeOfFinished(codecOf(...frames), claudeBilling)
      assert.deepStrictEqual([charge.usage, charge.estimated], [{ inputTokens: 9, outputTokens: 30 }, false])
    }
    const ofInput = chargeOfFinished(codecOf(begun, text, counted, stop), claudeBilling)
    assert.deepStrictEqual([ofInput.estimated, ofInput.disbelieved], [true, {}])
  })

  it("that is left once its whole output was told is charged for that", () => {
    const billed = chargeOfLeft(codecOf(start, text, counted), claudeBilling)!
    assert.deepStrictEqual([billed.usage, billed.estimated], [{ inputTokens: 7, outputTokens: 30 }, false])
  })
})

describe("what a hold must cover", () => {
  const usage = { prompt_tokens: 9, completion_tokens: 5000, total_tokens: 5009 }
  const content = chunk({ content: "one two three" }, null)
  const reached = (codec: StreamCodec) => outputSoFar(codec, chatBilling)

  it("is no more than its upstream counted, once the stream is over", () => {
    const few = { ...usage, completion_tokens: 1, total_tokens: 10 }
    const over = chat(content, chunk({}, "stop", { usage: few }), "data: [DONE]\n\n")
    assert.deepStrictEqual(reached(over), { bound: 1, guess: 1, least: 1, isWhole: true })
  })

  it("grows to the upstream's count as soon as that is told, which has thoughts in it that nobody saw", () => {
    assert.isBelow(reached(chat(content)).bound, 100)
    const told = [content, chunk({}, "stop", { usage })]
    for (const codec of [chat(...told), after(pairs.messages.chat_completions.stream(context), ...told)])
      assert.deepStrictEqual(reached(codec), { bound: 5000, guess: 5000, least: 5000, isWhole: false })
    assert.deepStrictEqual(outputSoFar(messages(start, text, counted), claudeBilling).bound, 30)
  })

  it("stays where it is when the stream ends and its upstream has counted nothing", () => {
    const whole = chat(content, chunk({}, "stop"), "data: [DONE]\n\n")
    assert.deepStrictEqual(reached(whole), reached(chat(content)))
    assert.isAbove(reached(whole).guess, 0)
  })

  it("does not fall to the zeros that some upstreams send until the end", () => {
    const zero = { ...usage, completion_tokens: 0, total_tokens: 9 }
    const going = chat(chunk({ content: "one two three" }, null, { usage: zero }))
    assert.deepStrictEqual(reached(going), reached(chat(content)))
  })
})

describe("a stream that ended well", () => {
  it("is charged for other models as its upstream told, unless its count can not be believed", () => {
    const uncached = { cacheReadTokens: 0, cacheWriteTokens: 0 }
    const other = { model: "m", inputTokens: 5, ...uncached, outputTokens: 1, isApart: true }
    const { meter } = chat(chunk({ content: "one two" }, null))
    const told = (outputTokens: number, outputOfOther = 1, more: Partial<StreamCodec> = {}) =>
      chargeOfFinished(
        {
          meter,
          finished: true,
          usage: { inputTokens: 9, outputTokens },
          ...more,
          particulars: { ...noParticulars, others: [other, { ...other, outputTokens: outputOfOther }] }
        } as unknown as StreamCodec,
        chatBilling
      )
    assert.deepStrictEqual(told(2).particulars?.others, [other, other])
    assert.isUndefined(told(2).disbelieved)
    assert.deepStrictEqual(told(2, 900_000_000).particulars?.others, [other])
    assert.deepStrictEqual(told(900_000_000).particulars?.others, [])
    for (const more of [{ usage: undefined }, { usageIsNonsense: true }, { usageIsFinal: false }]) {
      const { estimated, particulars, units } = told(2, 1, more)
      assert.deepStrictEqual([estimated, units, particulars?.others], [true, 1, []])
    }
  })

  it("is charged what it can have sent at most where its upstream told a number that is no count", () => {
    const content = chunk({ content: "one two three" }, null)
    const whole = (usage?: object) => chat(content, chunk({}, "stop", { usage }), "data: [DONE]\n\n")
    const seen = outputSoFar(chat(content), chatBilling)
    assert.isBelow(seen.guess, seen.bound)
    const outputOf = (usage?: object) => chargeOfFinished(whole(usage), chatBilling).usage.outputTokens
    assert.strictEqual(outputOf(), seen.guess)
    assert.strictEqual(outputOf({ prompt_tokens: 9, completion_tokens: -1 }), seen.bound)
  })

  it("is charged no less than it has sent where its upstream stopped counting on the way", () => {
    const usage = { prompt_tokens: 9, completion_tokens: 1, total_tokens: 10 }
    const going = chat(
      chunk({ content: "one" }, null, { usage }),
      chunk({ content: " two three four" }, null)
    )
    const charge = chargeOfFinished(after(going, chunk({}, "stop"), "data: [DONE]\n\n"), chatBilling)
    assert.deepStrictEqual([charge.usage.inputTokens, charge.estimated], [9, true])
    assert.isAtLeast(charge.usage.outputTokens, 3)
  })

  it("is charged what its upstream counted, also where that is zero", () => {
    const zero = event("message_delta", { delta: { stop_reason: "end_turn" }, usage: { output_tokens: 0 } })
    const charge = { usage: { inputTokens: 7, outputTokens: 0 }, units: 1, estimated: false }
    assert.deepInclude(chargeOfFinished(messages(start, text, zero, stop), claudeBilling), charge)
    const usage = { prompt_tokens: 7, completion_tokens: 0, total_tokens: 7 }
    const told = [chunk({ content: "one two" }, null), chunk({}, "stop", { usage }), "data: [DONE]\n\n"]
    for (const codec of [chat(...told), after(pairs.messages.chat_completions.stream(context), ...told)])
      assert.deepInclude(chargeOfFinished(codec, chatBilling), charge)
  })

  it("is charged by the gateway's own count, and said so, where its upstream counted nothing", () => {
    const whole = chat(chunk({ content: "one two three" }, null), chunk({}, "stop"), "data: [DONE]\n\n")
    const charge = chargeOfFinished(whole, chatBilling)
    assert.isTrue(charge.estimated)
    assert.strictEqual(charge.usage.inputTokens, inputGuess)
    assert.isAbove(charge.usage.outputTokens, 0)
    assert.isUndefined(charge.disbelieved)
  })
})

describe("what of an upstream's count can be", () => {
  it("has room for all answers, and for thoughts beyond the cap", () => {
    const outputMaxOf = (thinkingBeyondCap: number, answers: number) => {
      const prepared = { inputGuess, thinkingBeyondCap, answers, rounds: 1 }
      const admitted = { cap: 10_000, inputTokens: 60 }
      const text = {
        admitted,
        call: { model: { ...chatModel(), contextWindow: null } },
        prepared
      } as unknown as TextCall
      return billingOf(text).limits.outputMax
    }
    const plain = outputMaxOf(0, 1)
    assert.isAtLeast(plain, 10_000)
    assert.isAtLeast(outputMaxOf(5_000, 1), plain + 5_000)
    assert.isAtLeast(outputMaxOf(5_000, 3), 45_000)
  })
})
