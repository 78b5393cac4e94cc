/** Whole answers that are none, although they come with a success's status: nobody pays for them. */
import { assert, describe, it } from "@effect/vitest"
import { AnswerUnreadable, readAnswer } from "../../src/compute/read-answer.ts"
import { writeOrigin } from "../../src/formats/convert/tool-origin.ts"
import type { Way } from "../../src/formats/pairs.ts"
import { context } from "../formats/bedrock-fixtures.ts"
import { modelNamed } from "../catalogue.ts"
import { limitsOf } from "../tokens/limits.ts"

const model = modelNamed("gpt-5.5")
const limits = limitsOf(model)
const read = (way: Way, answer: object) =>
  readAnswer({ way, model, bytes: Buffer.from(JSON.stringify(answer)), context, limits })

const chat = (...reasons: ReadonlyArray<string | null>) => ({
  choices: reasons.map((finish_reason, index) => ({ index, message: { content: "a" }, finish_reason })),
  usage: { prompt_tokens: 5, completion_tokens: 7, total_tokens: 12 }
})

/** What a converted answer tells its client. */
const shownBy = (endpoint: Way["endpoint"], bytes: Uint8Array) => {
  const [input, output] = endpoint === "chat_completions" ? ["prompt", "completion"] : ["input", "output"]
  const shown = (JSON.parse(Buffer.from(bytes).toString()) as { usage: Record<string, number> }).usage
  return { inputTokens: shown[`${input}_tokens`], outputTokens: shown[`${output}_tokens`] }
}

describe("a whole answer", () => {
  const endpoints = ["chat_completions", "messages"] as const

  it.each(["error", "network_error", "insufficient_system_resource", "function_call_filter: MALFORMED"])(
    "that its upstream ends with %s has broken off, for chat and Messages clients alike",
    (reason) => {
      for (const endpoint of endpoints)
        assert.throws(() => read({ endpoint, protocol: "chat_completions" }, chat(reason)), AnswerUnreadable)
      assert.throws(
        () => read({ endpoint: "chat_completions", protocol: "chat_completions" }, chat("stop", reason)),
        AnswerUnreadable
      )
    }
  )

  it("that ends for a reason of its own is charged as it was counted", () => {
    for (const reason of ["stop", "length", "sensitive", "content_filter: SAFETY", "eos", null]) {
      for (const endpoint of endpoints) {
        const { estimated, usage } = read({ endpoint, protocol: "chat_completions" }, chat(reason))
        assert.deepStrictEqual({ estimated, ...usage }, { estimated: false, inputTokens: 5, outputTokens: 7 })
      }
    }
  })

  it("may begin with a byte order mark, as a stream may", () => {
    const bytes = Buffer.from(`\ufeff${JSON.stringify(chat("stop"))}`)
    const protocol = "chat_completions"
    const task = { model, bytes, context, limits }
    assert.deepStrictEqual(
      readAnswer({ ...task, way: { endpoint: "chat_completions", protocol } }).bytes,
      bytes
    )
    const converted = readAnswer({ ...task, way: { endpoint: "messages", protocol } }).bytes
    assert.nestedPropertyVal(JSON.parse(Buffer.from(converted).toString()), "content[0].text", "a")
  })

  it.each([null, undefined, {}, { inputTokens: -3, outputTokens: 4 }, { inputTokens: 3, outputTokens: "4" }])(
    "from Converse with the usage %j is charged by the gateway's own count, and said so",
    (usage) => {
      const content = [{ text: "one two three four" }]
      const answer = { output: { message: { role: "assistant", content } }, stopReason: "end_turn", usage }
      for (const endpoint of endpoints) {
        const billed = read({ endpoint, protocol: "converse" }, answer)
        const input = usage?.inputTokens === 3 ? 3 : context.inputEstimate
        assert.deepStrictEqual([billed.usage.inputTokens, billed.estimated], [input, true])
        assert.isAtLeast(billed.usage.outputTokens, 3)
      }
    }
  )

  it("from Converse is charged its whole input, cached or not, and the zeros its upstream counted", () => {
    const message = { role: "assistant", content: [{ text: "one" }] }
    const counted = { inputTokens: 3, outputTokens: 0, cacheReadInputTokens: 50, cacheWriteInputTokens: 600 }
    for (const endpoint of endpoints) {
      const answer = { output: { message }, stopReason: "end_turn", usage: { ...counted, totalTokens: 653 } }
      const { estimated, usage } = read({ endpoint, protocol: "converse" }, answer)
      assert.deepStrictEqual({ estimated, ...usage }, { estimated: false, inputTokens: 653, outputTokens: 0 })
    }
  })

  it.each([
    ["chat_completions", { choices: [{ message: { content: "one two" }, finish_reason: "stop" }] }],
    ["messages", { content: [{ type: "text", text: "one two" }], stop_reason: "end_turn" }],
    [
      "responses",
      {
        status: "completed",
        output: [{ type: "message", content: [{ type: "output_text", text: "one two" }] }]
      }
    ],
    ["converse", { output: { message: { content: [{ text: "one two" }] } }, stopReason: "end_turn" }]
  ] as const)("of %s without a usage shows converted what is billed for it", (protocol, answer) => {
    for (const endpoint of ["chat_completions", "messages", "responses"] as const) {
      if (endpoint === protocol) continue
      const { bytes, usage } = read({ endpoint, protocol }, answer)
      assert.isAbove(usage.outputTokens, 0)
      assert.deepStrictEqual(shownBy(endpoint, bytes), usage)
    }
  })

  it("without a usage is charged no more by our guess than its cap lets come, unless more has surely come", () => {
    const content = "some words of an answer ".repeat(20)
    const bytes = Buffer.from(
      JSON.stringify({ choices: [{ message: { content }, finish_reason: "length" }] })
    )
    for (const endpoint of ["chat_completions", "messages", "responses"] as const) {
      const chargedWith = (more: Parameters<typeof limitsOf>[1]) => {
        const way = { endpoint, protocol: "chat_completions" } as const
        return readAnswer({ way, model, bytes, context, limits: limitsOf(model, more) }).usage.outputTokens
      }
      const guess = chargedWith({})
      assert.strictEqual(chargedWith({ outputEach: guess - 3 }), guess - 3)
      assert.strictEqual(chargedWith({ outputEach: guess - 3, answers: 2 }), guess)
      assert.strictEqual(chargedWith({ outputEach: 20 }), guess)
    }
  })

  it("of a chat upstream shows converted what is billed, wherever a count stands that is not", () => {
    const odd = { prompt_tokens: 900, completion_tokens: -1 }
    const absurd = { prompt_tokens: 900, completion_tokens: 900_000_000 }
    const choice = { message: { content: "one two" }, finish_reason: "stop" }
    for (const usage of [odd, absurd])
      for (const answer of [
        { choices: [choice], usage },
        { choices: [choice], x_groq: { usage } },
        { choices: [{ ...choice, usage }] }
      ])
        for (const endpoint of ["messages", "responses"] as const) {
          const { bytes, estimated, usage: billed } = read({ endpoint, protocol: "chat_completions" }, answer)
          assert.isTrue(estimated)
          assert.isBelow(billed.outputTokens, 100)
          assert.deepStrictEqual(shownBy(endpoint, bytes), billed)
        }
  })

  const told = { prompt_tokens: 900, completion_tokens: 30 }
  const ofMessages = { input_tokens: 300, cache_read_input_tokens: 600, output_tokens: 30 }
  const protocols = [
    ["chat_completions", { choices: [{ message: { content: "one two" }, finish_reason: "stop" }] }, told],
    ["messages", { content: [{ type: "text", text: "one two" }], stop_reason: "end_turn" }, ofMessages],
    [
      "responses",
      {
        status: "completed",
        output: [{ type: "message", content: [{ type: "output_text", text: "one two" }] }]
      },
      { input_tokens: 900, output_tokens: 30 }
    ],
    [
      "converse",
      { output: { message: { content: [{ text: "one two" }] } }, stopReason: "end_turn" },
      { inputTokens: 300, cacheReadInputTokens: 600, outputTokens: 30 }
    ]
  ] as const

  it.each(protocols)(
    "of %s is charged, and shows, the input that is told without a count of the output",
    (protocol, answer, usage) => {
      const output = Object.keys(usage).findLast((name) => /output|completion/i.test(name))!
      for (const endpoint of ["chat_completions", "messages", "responses"] as const) {
        for (const odd of [undefined, null, "30", -1, 900_000_000]) {
          const begun = read({ endpoint, protocol }, { ...answer, usage: { ...usage, [output]: odd } })
          assert.deepStrictEqual([begun.usage.inputTokens, begun.estimated], [900, true])
          assert.isBelow(begun.usage.outputTokens, 30)
          if (endpoint !== protocol) assert.deepStrictEqual(shownBy(endpoint, begun.bytes), begun.usage)
        }
        const [, input] = /^(prompt_tokens|input_?tokens)/i.exec(Object.keys(usage)[0]!)!
        const odd = read({ endpoint, protocol }, { ...answer, usage: { ...usage, [input!]: -1 } })
        assert.isTrue(odd.estimated)
        if (endpoint !== protocol) assert.deepStrictEqual(shownBy(endpoint, odd.bytes), odd.usage)
      }
    }
  )

  const beyond = { prompt_tokens: 9, completion_tokens: 900_000_000 }
  const choice = { message: { content: "one two" }, finish_reason: "stop" }

  it.each([
    ["its own member", { choices: [choice], usage: beyond }],
    ["Groq's", { choices: [choice], x_groq: { usage: beyond } }],
    ["its choice", { choices: [{ ...choice, usage: beyond }] }]
  ])("that tells what can not be in %s shows converted what is billed for it", (_, answer) => {
    for (const endpoint of ["messages", "responses"] as const) {
      const { bytes, disbelieved, usage } = read({ endpoint, protocol: "chat_completions" }, answer)
      assert.isDefined(disbelieved)
      assert.deepStrictEqual(shownBy(endpoint, bytes), usage)
    }
  })

  it("whose protocol is the client's keeps its counts, also where calls of custom tools are told anew", () => {
    const answer = { choices: [choice], usage: beyond }
    const toolNames = new Map([["run_1", writeOrigin({ name: "run", namespace: undefined, isCustom: true })]])
    for (const names of [context.toolNames, toolNames]) {
      const { bytes } = readAnswer({
        way: { endpoint: "chat_completions", protocol: "chat_completions" },
        model,
        bytes: Buffer.from(JSON.stringify(answer)),
        context: { ...context, toolNames: names },
        limits
      })
      assert.deepStrictEqual(JSON.parse(Buffer.from(bytes).toString()), answer)
    }
  })

  it("without what its protocol's clients read is none", () => {
    const usage = { input_tokens: 5, output_tokens: 7 }
    assert.throws(
      () => read({ endpoint: "responses", protocol: "responses" }, { id: "resp_1", usage }),
      AnswerUnreadable
    )
    assert.throws(
      () => read({ endpoint: "chat_completions", protocol: "chat_completions" }, { usage }),
      AnswerUnreadable
    )
    assert.throws(() => read({ endpoint: "messages", protocol: "messages" }, { usage }), AnswerUnreadable)
    const whole = read({ endpoint: "responses", protocol: "responses" }, { id: "resp_1", output: [], usage })
    assert.deepStrictEqual(whole.usage, { inputTokens: 5, outputTokens: 7 })
  })
})

describe("a usage that can not be", () => {
  const text = "one two three four"
  const small = { ...limits, outputMax: 1_000, inputMax: 1_050_000, inputBound: 60 }
  const readIn = (way: Way, answer: object) =>
    readAnswer({ way, model, bytes: Buffer.from(JSON.stringify(answer)), context, limits: small })
  const answers: ReadonlyArray<readonly [Way, (input: number, output: number) => object]> = [
    [
      { endpoint: "chat_completions", protocol: "chat_completions" },
      (prompt_tokens, completion_tokens) => ({
        choices: [{ message: { content: text }, finish_reason: "stop" }],
        usage: { prompt_tokens, completion_tokens }
      })
    ],
    [
      { endpoint: "messages", protocol: "messages" },
      (input_tokens, output_tokens) => ({
        content: [{ type: "text", text }],
        usage: { input_tokens, output_tokens }
      })
    ],
    [
      { endpoint: "responses", protocol: "responses" },
      (input_tokens, output_tokens) => ({
        output: [{ type: "message", content: [{ type: "output_text", text }] }],
        usage: { input_tokens, output_tokens }
      })
    ],
    [
      { endpoint: "messages", protocol: "converse" },
      (inputTokens, outputTokens) => ({
        output: { message: { role: "assistant", content: [{ text }] } },
        stopReason: "end_turn",
        usage: { inputTokens, outputTokens }
      })
    ]
  ]

  it.each(answers)("is not charged on the way %j, but our own bound is", (way, answer) => {
    const output = readIn(way, answer(9, 900_000_000))
    assert.deepStrictEqual(output.disbelieved, { inputTokens: 9, outputTokens: 900_000_000 })
    assert.isTrue(output.estimated)
    assert.strictEqual(output.usage.inputTokens, 9)
    const bound = output.usage.outputTokens
    assert.isAtLeast(bound, 4)
    assert.isBelow(bound, 50)
    const input = readIn(way, answer(900_000_000, 4))
    assert.deepStrictEqual(input.usage, { inputTokens: 60, outputTokens: 4 })
    for (const odd of [-1, 0.5, 9e12]) {
      const { disbelieved, estimated, usage } = readIn(way, answer(9, odd))
      assert.deepStrictEqual([disbelieved, estimated, usage.outputTokens], [{}, true, bound])
    }
    const fine = readIn(way, answer(9, 4))
    assert.deepStrictEqual([fine.disbelieved, fine.estimated], [undefined, false])
  })
})
