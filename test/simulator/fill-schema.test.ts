/** What the simulated models pass to tools satisfies the tools' schemas. */
import { assert, describe, it } from "@effect/vitest"
import type { Json } from "../../src/formats/json/json.ts"
import { directiveIn, parseSettings, splitModel } from "../../src/simulator/settings.ts"
import { fillSchema } from "../../src/simulator/turn/fill-schema.ts"

describe("the smallest value of a schema", () => {
  it.each<[Json, Json]>([
    [{ type: "object" }, {}],
    [{ type: "object", properties: { a: { type: "string" }, b: {} }, required: ["a"] }, { a: "Hà Nội" }],
    [{ type: "integer", exclusiveMinimum: 0, maximum: 9 }, 1],
    [{ type: "number", minimum: 5 }, 5],
    [{ type: "number", maximum: -2 }, -2],
    [{ type: "array", items: { type: "boolean" }, minItems: 2 }, [true, true]],
    [{ enum: ["red", "green"] }, "red"],
    [{ const: 7 }, 7],
    [{ type: ["null", "string"] }, null],
    [{ anyOf: [{ type: "boolean" }, { type: "null" }] }, true],
    [{ type: "string", minLength: 8 }, "Hà Nội.."],
    [{ type: "string", maxLength: 2 }, "Hà"],
    [{ type: "string", format: "date" }, "2025-01-31"],
    [{ $ref: "#/$defs/x", $defs: { x: { type: "boolean" } } }, true]
  ])("of %j is %j", (schema, expected) => {
    assert.deepStrictEqual(fillSchema(schema), expected)
  })

  it("ends for a schema that holds itself", () => {
    const schema = { type: "object", properties: { next: { $ref: "#" } }, required: ["next"] }
    assert.isObject(fillSchema(schema))
  })
})

describe("settings", () => {
  it("are found in a prompt, the last ones counting, and after a model's name", () => {
    assert.strictEqual(directiveIn("[sim: tokens=1] and [sim: tokens=2]"), " tokens=2")
    assert.isUndefined(directiveIn("[sim: never closed"))
    assert.deepStrictEqual(splitModel("gpt-5.5@tokens=2,latency=3"), {
      model: "gpt-5.5",
      directive: "tokens=2,latency=3"
    })
    assert.deepStrictEqual(splitModel("a@b"), { model: "a@b", directive: undefined })
  })

  it("are read, or named when they are wrong", () => {
    assert.deepInclude(parseSettings("tokens=2, hang=after:3 drip=10/5 refuse=1"), {
      tokens: 2,
      hang: 3,
      drip: { bytes: 10, everyMs: 5 },
      refuse: true
    })
    for (const wrong of ["tokens=two", "hang=later", "drip=0/5", "colour=red", "tokens", "usage=some"])
      assert.include(parseSettings(`latency=1 ${wrong}`), wrong)
  })
})
