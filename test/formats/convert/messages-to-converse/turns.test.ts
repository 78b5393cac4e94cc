/** The order of what a turn holds on its way to Converse. */
import { assert, describe, it } from "@effect/vitest"
import { assistant, calls, convert, tool, user } from "../../bedrock-convert.ts"

describe("the model's turn in a conversation for Converse", () => {
  it("holds its words before its calls", () => {
    const [asked, called, answered] = calls as [object, { readonly content: ReadonlyArray<object> }, object]
    const content = [...called.content, { type: "text", text: "One moment." }]
    const { body } = convert({ tools: [tool], messages: [asked, assistant(content), answered, user("so?")] })
    const told = body.messages[1].content as ReadonlyArray<object>
    assert.deepStrictEqual(
      told.map((block) => Object.keys(block)[0]),
      ["text", "toolUse"]
    )
  })
})
