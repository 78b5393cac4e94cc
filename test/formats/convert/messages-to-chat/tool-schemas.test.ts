/** Schemas of tools as chat providers take them. */
import { assert, it } from "@effect/vitest"
import type { JsonObject } from "../../../../src/formats/json/json.ts"
import { convert as toClaude, fn } from "../chat-requests.ts"
import { convert, tool } from "../messages-requests.ts"

const parametersOf = (input_schema: JsonObject) => {
  const tools = convert({ tools: [tool("f", { input_schema })] }).tools as ReadonlyArray<JsonObject>
  return (tools[0]!.function as JsonObject).parameters
}

it("an array says what it holds, wherever it stands and whatever it is called; one that says so stays as it is", () => {
  const list = { type: "array", description: "names" }
  const whole = {
    type: "object",
    properties: {
      examples: list,
      items: { type: ["array", "null"] },
      pair: { type: "array", prefixItems: [{ type: "string" }] },
      rows: { type: "array", items: { type: "array", default: { type: "array" } } },
      either: { anyOf: [{ type: "array" }, { $ref: "#/$defs/default" }] }
    },
    $defs: { default: list },
    required: ["examples"]
  }
  assert.deepStrictEqual(parametersOf(whole), {
    ...whole,
    properties: {
      examples: { ...list, items: {} },
      items: { type: ["array", "null"], items: {} },
      pair: whole.properties.pair,
      rows: { type: "array", items: { type: "array", default: { type: "array" }, items: {} } },
      either: { anyOf: [{ type: "array", items: {} }, { $ref: "#/$defs/default" }] }
    },
    $defs: { default: { ...list, items: {} } }
  })
  const told = { type: "object", properties: { a: { type: "array", items: { type: "string" } } } }
  assert.strictEqual(JSON.stringify(parametersOf(told)), JSON.stringify(told))
})

it("what is null at the root is as if it were not there", () => {
  const empty = { type: "object", properties: null, required: null, additionalProperties: false }
  assert.deepStrictEqual(parametersOf(empty), { type: "object", additionalProperties: false, properties: {} })
  assert.deepStrictEqual(parametersOf({ type: null }), { type: "object", properties: {} })
  const { tools } = toClaude({ tools: [fn("f", empty)] })
  const [{ input_schema: schema }] = tools as readonly [JsonObject]
  assert.deepStrictEqual(schema, { type: "object", additionalProperties: false })
})
