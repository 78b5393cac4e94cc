/** Schemas of tools as Nova takes them: nothing at the root but their properties and which of them are required. */
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import type { TextEndpoint } from "../../../../src/domain/call.ts"
import type { JsonObject } from "../../../../src/formats/json/json.ts"
import { convertRequest } from "../../../wire/convert-request.ts"
import { providerRefusal } from "../../../wire/provider-refusal.ts"

const messages = [{ role: "user", content: "hi" }]

const requestOf = (endpoint: TextEndpoint, schema: JsonObject): JsonObject =>
  ({
    messages: { max_tokens: 9, messages, tools: [{ name: "f", input_schema: schema }] },
    chat_completions: {
      messages,
      tools: [{ type: "function", function: { name: "f", parameters: schema } }]
    },
    responses: { input: "hi", tools: [{ type: "function", name: "f", parameters: schema }] }
  })[endpoint]

const schemaFor = (model: string, schema: JsonObject, endpoint: TextEndpoint = "messages") => {
  const sent = Result.getOrThrow(convertRequest(endpoint, model, requestOf(endpoint, schema)))
  assert.isUndefined(providerRefusal(sent))
  const { tools } = sent.body.toolConfig as { readonly tools: ReadonlyArray<JsonObject> }
  const { inputSchema } = tools[0]!.toolSpec as { readonly inputSchema: { readonly json: JsonObject } }
  return inputSchema.json
}

const refer = (name: string) => ({ $ref: `#/$defs/${name}` })
const color = { type: "string", enum: ["red", "blue"] }
const tree = { type: "object", properties: { children: { type: "array", items: refer("tree") } } }
const schema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  title: "Paint",
  description: "What to paint",
  type: "object",
  properties: {
    color: { ...refer("color"), description: "of the wall" },
    $ref: { type: "array", items: refer("alias") },
    tree: refer("tree"),
    missing: { ...refer("nobody"), description: "left open" }
  },
  required: ["color"],
  additionalProperties: false,
  $defs: { color, alias: refer("color"), tree }
}

describe("a tool's schema for Nova", () => {
  it.each<TextEndpoint>(["messages", "chat_completions", "responses"])(
    "from %s is bare at its root, and tells in place what it referred to",
    (endpoint) => {
      assert.deepStrictEqual(schemaFor("svc/nova-pro", schema, endpoint), {
        type: "object",
        properties: {
          color: { ...color, description: "of the wall" },
          $ref: { type: "array", items: color },
          tree: { type: "object", properties: { children: { type: "array", items: { type: "object" } } } },
          missing: { description: "left open" }
        },
        required: ["color"]
      })
    }
  )

  it("has the properties of all alternatives at its root, and of what its root refers to", () => {
    const a = { properties: { a: color } }
    const both = { type: "object", properties: { a: color, b: color } }
    const b = { properties: { b: color } }
    assert.deepStrictEqual(schemaFor("svc/nova-pro", { anyOf: [a, refer("b")], $defs: { b } }), both)
    const required = ["a"]
    const whole = { ...refer("both"), $defs: { both: { ...both, required } } }
    assert.deepStrictEqual(schemaFor("svc/nova-2-lite", whole), { ...both, required })
  })

  it("becomes no more than twice as long, however often its parts refer to others, nor deeper than can be written", () => {
    const names = Array.from({ length: 40 }, (_, place) => `d${place}`)
    const twice = (place: number) => ({
      type: "object",
      properties: { a: refer(names[place]!), b: refer(names[place]!) }
    })
    const wide = Object.fromEntries(names.map((name, place) => [name, twice(Math.min(place + 1, 39))]))
    const doubled = { type: "object", properties: { a: refer("d0") }, $defs: wide }
    const made = JSON.stringify(schemaFor("svc/nova-pro", doubled))
    assert.isBelow(made.length, 2 * JSON.stringify(doubled).length)

    const nested = (inner: JsonObject) => {
      let outer = inner
      for (let level = 0; level < 200; level++) outer = { items: outer }
      return outer
    }
    const deep = Object.fromEntries(
      names.map((name, place) => [name, nested(refer(names[place + 1] ?? "d39"))])
    )
    const chain = { type: "object", properties: { a: refer("d0") }, $defs: deep }
    assert.isAbove(JSON.stringify(schemaFor("svc/nova-pro", chain)).length, 1_000)

    const many = Object.fromEntries(
      Array.from({ length: 20_000 }, (_, place) => [`d${place}`, refer(`d${place + 1}`)])
    )
    const aliases = { type: "object", properties: { a: refer("d0") }, $defs: many }
    assert.deepStrictEqual(schemaFor("svc/nova-pro", aliases).properties, { a: {} })
  })

  it("stays as it is for other models on AWS", () => {
    assert.deepStrictEqual(schemaFor("svc/deepseek-v3.2", schema), schema)
  })
})
