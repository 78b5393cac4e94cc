/** Names and schemas of tools as chat providers take them. */
import { assert, it } from "@effect/vitest"
import type { JsonObject } from "../../../../src/formats/json/json.ts"
import { assistant, convert, result, tool, use, user } from "../messages-requests.ts"

it.each([
  ["google", "21st_magic", "_magic"],
  ["moonshotai", "21st_magic", "magic"],
  ["moonshotai", "_magic", "magic"]
])("a tool's name begins for %s as it demands: not %s, but %s", (provider, forbidden, allowed) => {
  const names = [forbidden, allowed]
  const history = { messages: [assistant(use("t1", forbidden)), user(result("t1", "r"))] }
  const body = convert({ tools: names.map((name) => tool(name)), ...history }, { provider })
  const [first, second] = (body.tools as ReadonlyArray<JsonObject>).map(
    (sent) => (sent.function as JsonObject).name
  )
  assert.match(first as string, new RegExp(`^tool_${forbidden}_`))
  assert.strictEqual(second, allowed)
  assert.include(JSON.stringify(body.messages), `"name":"${first as string}"`)
  const elsewhere = convert({ tools: [tool(forbidden)] }, { provider: "openai" })
  assert.include(JSON.stringify(elsewhere.tools), `"name":"${forbidden}"`)
})

it("a tool's schema has no type beside alternatives for Kimi, and no list of items", () => {
  const needs = (name: string) => ({ required: [name], properties: { [name]: { type: "string" } } })
  const either = { type: "object", properties: { a: { type: "string" } }, anyOf: [needs("a"), needs("b")] }
  const schema = {
    ...either,
    properties: {
      either,
      list: { type: "array", items: [{ type: "string", anyOf: [{ minLength: 1 }, { type: "null" }] }] },
      type: { type: "string", default: { type: "x", anyOf: [], items: [1] } },
      anything: true
    },
    required: ["list"]
  }
  const merged = { type: "object", properties: { a: { type: "string" }, b: { type: "string" } } }
  const kimi = convert({ tools: [tool("f", { input_schema: schema })] }, { provider: "moonshotai" })
  assert.deepStrictEqual(kimi.tools, [
    {
      type: "function",
      function: {
        name: "f",
        parameters: {
          ...merged,
          properties: {
            ...merged.properties,
            either: merged,
            list: {
              type: "array",
              prefixItems: [{ anyOf: [{ type: "string", minLength: 1 }, { type: "null" }] }]
            },
            type: schema.properties.type,
            anything: {}
          },
          required: ["list"]
        }
      }
    }
  ])
  const other = convert({ tools: [tool("f", { input_schema: schema })] }, { provider: "example" })
  assert.include(JSON.stringify(other.tools), JSON.stringify(schema))
})
