/** References within the schemas of tools, as Kimi, Google and Claude take them. */
import { assert, it } from "@effect/vitest"
import type { JsonObject } from "../../../src/formats/json/json.ts"
import { convert as toClaude, fn } from "./chat-requests.ts"
import { convert, tool } from "./messages-requests.ts"

const parametersOf = (input_schema: JsonObject, provider = "moonshotai") => {
  const tools = convert({ tools: [tool("f", { input_schema })] }, { provider })
    .tools as ReadonlyArray<JsonObject>
  return (tools[0]!.function as JsonObject).parameters
}
const name = { type: "string", minLength: 1 }
const refer = ($ref: string) => ({ $ref })

it("nothing but a description stands beside a reference", () => {
  const beside = { ...refer("#/$defs/name"), type: "string", format: "uuid", description: "whose" }
  const schema = { type: "object", properties: { a: beside, $ref: name }, $defs: { name } }
  assert.deepStrictEqual(parametersOf(schema), {
    ...schema,
    properties: { a: { ...refer("#/$defs/name"), description: "whose" }, $ref: name }
  })
  assert.deepStrictEqual(parametersOf(schema, "openai"), schema)
})

it("nothing but a description and a default stand beside a reference for Google, wherever it leads", () => {
  const beside = { ...refer("#/definitions/name"), description: "whose", default: { $ref: 1, type: "x" } }
  const schema = {
    ...refer("#/$defs/name"),
    type: "object",
    properties: { $ref: name, list: { type: "array", items: { ...beside, type: "string", minLength: 2 } } },
    anyOf: [{ ...refer("#/$defs/name"), required: ["list"] }]
  }
  assert.deepStrictEqual(parametersOf(schema, "google"), {
    ...schema,
    properties: { $ref: name, list: { type: "array", items: beside } },
    anyOf: [refer("#/$defs/name")]
  })
})

it("what is referred to elsewhere becomes a definition, once, also where it refers to itself, and stands nowhere else", () => {
  const node = { type: "object", properties: { child: refer("#"), "a/b": name } }
  const properties = {
    node,
    again: { type: "array", items: refer("#/properties/node/properties/a~1b") },
    older: { anyOf: [refer("#/definitions/name"), refer("#/properties/node/properties/a~1b")] },
    known: refer("#/$defs/name")
  }
  const schema = { type: "object", properties, definitions: { name }, $defs: { name } }
  const fitted = {
    node: { type: "object", properties: { child: refer("#/$defs/referred_1"), "a/b": name } },
    again: { type: "array", items: refer("#/$defs/referred_2") },
    older: { anyOf: [refer("#/$defs/referred_3"), refer("#/$defs/referred_2")] },
    known: refer("#/$defs/name")
  }
  const own = { type: "object", properties: fitted }
  assert.deepStrictEqual(parametersOf(schema), {
    ...own,
    $defs: { name, referred_1: own, referred_2: name, referred_3: name }
  })
})

it("a reference to nothing is left out, and a root that refers tells itself", () => {
  const lost = { type: "object", properties: { a: refer("#/$defs/none"), b: refer("https://example.com/x") } }
  assert.deepStrictEqual(parametersOf(lost), { type: "object", properties: { a: {}, b: {} } })
  const node = { type: "object", properties: { next: refer("#/$defs/node") } }
  const root = { ...refer("#/$defs/alias"), $defs: { alias: refer("#/$defs/node"), node } }
  assert.deepStrictEqual(parametersOf(root), { ...node, $defs: root.$defs })
  for (const endless of [refer("#"), { ...refer("#/$defs/a"), $defs: { a: refer("#/$defs/a") } }])
    assert.deepInclude(parametersOf(endless) as JsonObject, { type: "object", properties: {} })
})

it("a name is referred to as addresses write it, or as it is", () => {
  const definitions = { "List<a/b>": name, "50%": name, "Set%3Ca%3E": name }
  const names = ["List%3Ca~1b%3E", "List%3Ca%2Fb%3E", "50%", "Set%3Ca%3E"]
  for (const $ref of names.map((each) => `#/definitions/${each}`))
    assert.deepStrictEqual(parametersOf({ type: "object", properties: { a: refer($ref) }, definitions }), {
      type: "object",
      properties: { a: refer("#/$defs/referred_1") },
      $defs: { referred_1: name }
    })
})

it("alternatives of one type have it each for Kimi, and what is said of all stays beside them", () => {
  const either = { description: "which", anyOf: [{ const: "a" }, { type: "string", minLength: 2 }] }
  const fitted = { ...either, anyOf: [{ type: "string", const: "a" }, either.anyOf[1]!] }
  const of = (property: JsonObject) => ({ type: "object", properties: { either: property } })
  assert.deepStrictEqual(parametersOf(of({ ...either, type: "string" })), of(fitted))
})

it("alternatives that are told elsewhere become one object as others do", () => {
  const $defs = {
    named: { type: "object", properties: { name } },
    counted: { type: "object", properties: { count: { type: "integer" } } }
  }
  const anyOf = [refer("#/$defs/named"), refer("#/$defs/counted")]
  const merged = { type: "object", properties: { name, count: { type: "integer" } } }
  const either = { type: "object", anyOf }
  assert.deepStrictEqual(parametersOf({ ...either, $defs, properties: { either } }), {
    ...merged,
    properties: { ...merged.properties, either: merged },
    $defs
  })
  assert.deepStrictEqual(toClaude({ tools: [fn("f", { anyOf, $defs })] }).tools, [
    { name: "f", input_schema: { ...merged, $defs } }
  ])
})
