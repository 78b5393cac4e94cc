/** A group's tools become tools of their own on a conversion, each by the group's name and its own: that is held for. */
import { assert, describe, it } from "@effect/vitest"
import { countInputTokens } from "../../src/tokens/count-input-tokens.ts"
import { measureInput } from "../../src/tokens/measure-input.ts"
import { convertResponses } from "../formats/convert/responses-requests.ts"
import { modelNamed } from "../catalogue.ts"

const groupOf = (count: number, type: string, name = "mcp__files_of_the_company") => {
  const tools = Array.from({ length: count }, (_, place) => ({ type, name: `run_${place}` }))
  return { type: "namespace", name, description: "Files", tools }
}
const question = { role: "user", content: "hi" }

describe("tools in a group", () => {
  it.each(
    ["claude-sonnet-4-6", "svc/nova-2-lite", "gemini-3.1-pro-preview", "kimi-k2.6"].flatMap((id) =>
      ["custom", "function"].map((type) => ({ id, type }))
    )
  )("of type $type are held for as $id gets them", ({ id, type }) => {
    const model = modelNamed(id)
    for (const count of [1, 10, 60])
      for (const name of ["n", undefined]) {
        const tools = [groupOf(count, type, name)]
        const input = [question]
        const made = countInputTokens(convertResponses({ model: id, input, tools }, model), model)
        assert.isAtLeast(measureInput({ model: id, input, tools }, model).bound, made)
        const added = [question, { type: "additional_tools", tools }]
        assert.isAtLeast(measureInput({ model: id, input: added }, model).bound, made)
      }
  })

  it("that are custom ones are held for as those outside of one", () => {
    const model = modelNamed("claude-sonnet-4-6")
    const bound = (tools: ReadonlyArray<ReturnType<typeof groupOf>>) =>
      measureInput({ input: [], tools }, model).bound
    const more = bound([groupOf(10, "custom")]) - bound([groupOf(10, "function")])
    assert.approximately(more, 900, 20)
  })

  it("are no more to read than they are many, whatever the group's name", () => {
    const model = modelNamed("claude-sonnet-4-6")
    const named = (length: number) =>
      measureInput(
        { input: [], tools: [groupOf(1_000, "function", "n".repeat(length))] },
        { ...model, contextWindow: null }
      ).bound
    assert.isAtMost(named(1_000_000) - named(200), 1_000_000)
    for (const tools of [
      [{ type: "namespace" }],
      [{ type: "namespace", name: 1, tools: [1, null, { type: "namespace" }] }]
    ])
      assert.isAtLeast(measureInput({ input: [], tools }, model).bound, 1)
  })
})
