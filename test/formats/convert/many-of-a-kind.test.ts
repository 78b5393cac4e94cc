/** Requests with very many of one thing: what takes the square of their number would hold a codec worker for minutes. */
import { assert, describe, it, vi } from "@effect/vitest"
import { messagesCap } from "../../../src/formats/output-cap.ts"
import { DocumentNames } from "../../../src/formats/convert/messages-to-converse/document-names.ts"
import { rootObject } from "../../../src/formats/json/json-schema.ts"
import { fitsStrictMode } from "../../../src/formats/json/strict-schema.ts"
import type { JsonObject } from "../../../src/formats/json/json.ts"
import { UniqueNames } from "../../../src/formats/convert/UniqueNames.ts"
import { composedLengths } from "../../composed-lengths.ts"
import { scanMembers } from "../../../src/formats/json/scan.ts"
import { claudeModel } from "../../wire/models.ts"
import { convert as toConverse, nova } from "../bedrock-convert.ts"
import { convert as toMessages } from "./chat-requests.ts"
import { convert as toChat } from "./messages-requests.ts"

const many = 100_000
const names = Array.from({ length: many }, (_, index) => `n${index}`)

describe("a request is converted at once, however many there are of", { timeout: 30_000 }, () => {
  it("documents of one title", () => {
    const documents = new DocumentNames()
    const given = new Set(names.map(() => documents.nameFor("Report")))
    assert.strictEqual(given.size, many)
    assert.isTrue(given.has(`Report (${many})`))
  })

  it("accents of a title", () => {
    const title = `a${"\u0300\u0323".repeat(many)}`
    const { lengths } = composedLengths(() => new DocumentNames().nameFor(title))
    assert.isAtMost(Math.max(...lengths), 2_000)
  })

  it("names that are alike up to where a number is put", () => {
    let numbers = 0
    const unique = new UniqueNames((name, count) => {
      if (++numbers > 4 * many) throw new Error("the same numbers are tried again and again")
      return `${name.slice(0, 4)}_${count}`
    })
    const given = new Set([...names, ...names].map((name) => unique.take(`same${name}`)))
    assert.strictEqual(given.size, 2 * many)
  })

  it("caps", () => {
    const bytes = Buffer.from(`{${'"max_tokens":5,'.repeat(many)}"model":"m"}`)
    const cap = messagesCap(claudeModel(), { max_tokens: 5 }, scanMembers(bytes)!)
    assert.strictEqual(cap.edits.length, many)
  })

  it("tools", () => {
    const tools = names.map((name) => ({ name, input_schema: {} }))
    const { body } = toConverse({ tools }, nova)
    assert.strictEqual((body["toolConfig"] as { tools: ReadonlyArray<unknown> }).tools.length, many)
  })

  it("tools that are allowed", () => {
    const tools = names.map((name) => ({ type: "function", function: { name } }))
    const choice = { type: "allowed_tools", allowed_tools: { mode: "auto", tools } }
    const body = toMessages({ tools, tool_choice: choice })
    assert.strictEqual((body["tools"] as ReadonlyArray<unknown>).length, many)
  })

  it("calls under one id, and their results", () => {
    const call = { id: "call_1", type: "function", function: { name: "f", arguments: "{}" } }
    const messages = [
      { role: "user", content: "hi" },
      { role: "assistant", tool_calls: names.map(() => call) },
      ...names.map((content) => ({ role: "tool", tool_call_id: "call_1", content }))
    ]
    const [, assistant, user] = toMessages({ messages })["messages"] as ReadonlyArray<{
      content: Array<{ id: string; tool_use_id: string; content: string }>
    }>
    assert.strictEqual(new Set(assistant!.content.map(({ id }) => id)).size, many)
    assert.deepStrictEqual(
      user!.content.map((result) => result.tool_use_id),
      assistant!.content.map(({ id }) => id)
    )
  })

  it("results and texts in one turn", () => {
    const results = names.map((id) => ({ type: "tool_result", tool_use_id: id, content: "x" }))
    const texts = names.map(() => ({ type: "text", text: "x" }))
    const calls = names.map((id) => ({ type: "tool_use", id, name: "f", input: {} }))
    const asked = (content: ReadonlyArray<JsonObject>) => ({ role: "user", content })
    const { messages } = toChat({
      // The first is answered twice, so that the order must be found.
      messages: [{ role: "assistant", content: calls }, asked([...results, results[0]!, ...texts])]
    })
    assert.strictEqual((messages as ReadonlyArray<unknown>).length, many + 2)
  })

  it("parts of a user who speaks twice, and of a system prompt with marks", () => {
    const texts = names.map(() => ({ type: "text", text: "x" }))
    const marked = texts.map((text) => ({ ...text, cache_control: { type: "ephemeral" } }))
    const asked = [
      { role: "system", content: marked },
      { role: "user", content: "hi" },
      { role: "user", content: texts }
    ]
    const { messages, system } = toMessages({ messages: asked })
    assert.strictEqual((system as ReadonlyArray<unknown>).length, many)
    assert.strictEqual((messages as ReadonlyArray<{ content: Array<unknown> }>)[0]!.content.length, many + 1)
  })

  it("parts of a user who speaks twice, and of a system prompt, for Converse", () => {
    const content = names.map(() => ({ type: "text", text: "x" }))
    const asked = [
      { role: "system", content },
      { role: "user", content: "hi" },
      { role: "user", content }
    ]
    const { messages, system } = toConverse({ messages: asked }, nova).body
    assert.strictEqual((system as ReadonlyArray<unknown>).length, many)
    assert.strictEqual((messages as ReadonlyArray<{ content: Array<unknown> }>)[0]!.content.length, many + 1)
  })

  it("images in a result", () => {
    const image = { type: "image", source: { type: "url", url: "https://example.com/a.png" } }
    const calls = [{ type: "tool_use", id: "call_1", name: "f", input: {} }]
    const results = [{ type: "tool_result", tool_use_id: "call_1", content: names.map(() => image) }]
    const asked = [
      { role: "assistant", content: calls },
      { role: "user", content: results }
    ]
    const [, , user] = toChat({ messages: asked })["messages"] as ReadonlyArray<{ content: Array<unknown> }>
    // Whose they are stands before them.
    assert.strictEqual(user!.content.length, many + 1)
  })

  it("properties that are required", () => {
    const properties = Object.fromEntries(names.map((name) => [name, { type: "null" }]))
    const schema = { type: "object", additionalProperties: false, required: names.toReversed(), properties }
    assert.isTrue(fitsStrictMode(schema))
  })

  it("alternatives", () => {
    const variants: Array<JsonObject> = names.map((name) => ({ properties: { [name]: {} } }))
    assert.strictEqual(Object.keys(rootObject({ anyOf: variants }).properties as object).length, many)
  })

  it("alternatives within alternatives, each of which is looked at once", () => {
    const variants = names.slice(0, 1_000).map((name): JsonObject => ({ properties: { [name]: {} } }))
    let schema: JsonObject = { anyOf: variants }
    for (let level = 0; level < 200; level++)
      schema = { anyOf: [schema, { properties: { [`l${level}`]: {} } }] }
    const written = vi.spyOn(JSON, "stringify")
    try {
      assert.strictEqual(Object.keys(rootObject(schema).properties as object).length, 1_200)
      assert.isAtMost(written.mock.calls.length, 1_200)
    } finally {
      written.mockRestore()
    }
  })

  it("references that lead from one to the next", () => {
    const $defs = Object.fromEntries(
      names.map((name, index) => [
        name,
        { anyOf: [{ $ref: `#/$defs/n${index + 1}` }, { properties: { [name]: {} } }] }
      ])
    )
    const { properties } = rootObject({ anyOf: [{ $ref: "#/$defs/n0" }], $defs })
    assert.hasAnyKeys(properties as object, ["n0", "n100"])
  })
})
