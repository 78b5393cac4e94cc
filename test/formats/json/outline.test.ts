/** Of what is too long to be parsed, the short values are left in their places. */
import { assert, describe, it } from "@effect/vitest"
import { outline } from "../../../src/formats/json/outline.ts"

const room = 2_000
const outlineOf = (value: unknown): unknown => {
  const text = outline(Buffer.from(JSON.stringify(value)), room)
  assert.isDefined(text)
  assert.isBelow(text!.length, 2 * room)
  return JSON.parse(text!)
}
const long = "é".repeat(5_000)
const many = Array.from({ length: 5_000 }, (_, index) => index)

describe("an outline", () => {
  it("has all that is short, however long its neighbours are", () => {
    const usage = { input_tokens: 1, output_tokens: 2 }
    assert.deepStrictEqual(
      outlineOf({
        type: "response.completed",
        response: { output: [{ type: "image", result: long }], tools: many, id: "r", text: long, usage }
      }),
      {
        type: "response.completed",
        response: { output: [{ type: "image", result: "" }], tools: [], id: "r", text: "", usage }
      }
    )
  })

  it("reaches the finish of a choice whose delta is long", () => {
    const delta = { content: "Here:", images: [{ image_url: { url: long } }] }
    assert.deepStrictEqual(outlineOf({ choices: [{ index: 0, delta, finish_reason: "stop" }] }), {
      choices: [{ index: 0, delta: { content: "Here:", images: [] }, finish_reason: "stop" }]
    })
  })

  it("keeps the shortest first, and no more than there is room for", () => {
    const members = Object.fromEntries(many.slice(0, 900).map((index) => [`k${index}`, "x".repeat(index)]))
    const kept = outlineOf({ ...members, last: long }) as Record<string, string>
    assert.strictEqual(kept["k1"], "x")
    assert.notInclude(Object.values(kept), "x".repeat(899))
  })

  it("leaves deep things empty, and does not go deeper than it must", () => {
    const deep = `{"a":${"[".repeat(100_000)}${"]".repeat(100_000)},"b":1}`
    assert.deepStrictEqual(JSON.parse(outline(Buffer.from(deep), room)!), { a: [[[[]]]], b: 1 })
  })

  it.each([
    ["no object", "[1,2]"],
    ["no whole object", `{"a":"${long}`],
    ["of more values than anybody has", `{"a":[${"0,".repeat(500_000)}0]}`],
    ["of more members", `{${'"a":1,'.repeat(2_000)}"b":2}`]
  ])("is not made of what is %s", (_, text) => {
    assert.isUndefined(outline(Buffer.from(text), room))
  })
})
