/** Schemas that most providers take, made of those that clients send. */
import { assert, describe, it } from "@effect/vitest"
import { rootObject } from "../../../src/formats/json/json-schema.ts"

describe("alternatives made one object", () => {
  it("have what the schema's own reference tells, also where an alternative that follows it tells otherwise", () => {
    const $defs = {
      base: { properties: { kind: { const: "base" } } },
      derived: { allOf: [{ $ref: "#/$defs/base" }], properties: { kind: { const: "derived" } } }
    }
    const { properties } = rootObject({ anyOf: [{ $ref: "#/$defs/derived" }], $ref: "#/$defs/base", $defs })
    assert.deepStrictEqual(properties, { kind: { anyOf: [{ const: "derived" }, { const: "base" }] } })
  })
})
