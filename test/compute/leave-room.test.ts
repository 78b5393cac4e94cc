/** A cap that nobody asked for and the input fit in the model's window together. */
import { assert, describe, it } from "@effect/vitest"
import { prepareCall } from "../../src/compute/prepare-call.ts"
import { leaveRoom } from "../../src/compute/leave-room.ts"
import { splice } from "../../src/formats/json/splice.ts"
import { capEdits } from "../../src/formats/output-cap.ts"
import { wayTo } from "../../src/formats/pairs.ts"
import { modelNamed } from "../catalogue.ts"

/** A call to a model whose answer may fill its whole window, and the cap that goes up with it. */
const prepared = (endpoint: "responses" | "chat_completions", more: object, id = "kimi-k2.6") => {
  const model = { ...modelNamed(id), contextWindow: 50_000, maxOutputTokens: 50_000 }
  const body = Buffer.from(JSON.stringify({ model: id, ...more }))
  const call = prepareCall({ way: wayTo(endpoint, model)!, model, body, anthropicBeta: "" })
  const sent = splice(Buffer.from(call.bytes), capEdits(call.cap, call.cap.tokens))
  const { max_completion_tokens, max_tokens } = JSON.parse(sent.toString()) as Record<string, unknown>
  return { call, sent: max_tokens ?? max_completion_tokens }
}

const input = "a word ".repeat(10_000)

describe("a converted call's cap", () => {
  it("leaves room for the input where the client gives none", () => {
    const { call, sent } = prepared("responses", { input })
    assert.strictEqual(sent, call.cap.tokens)
    assert.isAtMost(call.cap.tokens + call.inputGuess, 50_000)
    assert.isAbove(call.cap.tokens, 20_000)
  })

  it("is what the client asks for, else", () => {
    assert.strictEqual(prepared("responses", { input, max_output_tokens: 49_000 }).sent, 49_000)
  })

  it("stays where the model's maximum has room", () => {
    const { call } = prepared("responses", { input: "Hello" })
    assert.strictEqual(call.cap.tokens, 50_000 - Math.min(call.inputBound, Math.ceil(call.inputGuess * 1.25)))
    const model = modelNamed("claude-sonnet-4-6")
    const way = wayTo("responses", model)!
    const body = Buffer.from(JSON.stringify({ model: model.id, input }))
    assert.strictEqual(prepareCall({ way, model, body, anthropicBeta: "" }).cap.tokens, model.maxOutputTokens)
  })

  it("is none on calls that go up unchanged without one", () => {
    assert.isUndefined(prepared("chat_completions", { messages: [{ role: "user", content: input }] }).sent)
  })

  it("leaves something for the answer where the input fills the window", () => {
    const model = modelNamed("kimi-k2.6")
    const cap = { tokens: 50_000, edits: [], mustWrite: false, isAsked: true, least: 1 }
    const full = { bound: 10_000_000, guess: 1_000_000 }
    assert.strictEqual(leaveRoom(cap, {}, model, full).tokens, 4_096)
    assert.strictEqual(leaveRoom({ ...cap, tokens: 100 }, {}, model, full).tokens, 100)
    assert.strictEqual(leaveRoom(cap, {}, { ...model, contextWindow: null }, full).tokens, 50_000)
  })
})
