import { assert } from "@effect/vitest"
import { describe, it } from "vitest"
import { describeFailure } from "../../src/threads/describe-failure.ts"

describe("what killed a thread", () => {
  it("is an error's message, or its stack where that helps", () => {
    const error = new Error("it broke")
    assert.strictEqual(describeFailure(error, false), "it broke")
    assert.include(describeFailure(error, true), "describe-failure.test.ts")
  })

  it.each([
    ["nothing", undefined, "undefined"],
    ["a text", "why not", "why not"],
    [
      "an object without a prototype",
      Object.assign(Object.create(null) as object, { code: "57P03" }),
      "57P03"
    ],
    ["a symbol", Symbol("odd"), "odd"]
  ])("may be %s", (_, cause, part) => {
    const text = describeFailure(cause, true)
    assert.include(text, part)
    assert.notInclude(text, "\n")
  })
})
