/** How much a Responses client lets Claude think, and what it is shown of it. */
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { forConverse, forMessages } from "../../../../src/formats/convert/responses-to-messages/dialect.ts"
import { responsesRequestToMessages } from "../../../../src/formats/convert/responses-to-messages/request.ts"
import type { JsonObject } from "../../../../src/formats/json/json.ts"
import { claudeModel } from "../../../wire/models.ts"

const newer = claudeModel({ refuses: ["sampling"] })
const convert = (more: JsonObject, model = newer, dialect = forMessages): JsonObject =>
  Result.getOrThrow(responsesRequestToMessages({ model: "m", input: "q", ...more }, model, dialect)).body

describe("reasoning of a Responses request", () => {
  it.each(["auto", "concise", "detailed"])("with a %s summary shows what newer Claudes think", (summary) => {
    const { output_config, thinking } = convert({ reasoning: { effort: "high", summary } })
    assert.deepStrictEqual(thinking, { type: "adaptive", display: "summarized" })
    assert.deepStrictEqual(output_config, { effort: "high" })
  })

  it.each([{ effort: "high" }, { effort: "high", summary: null }, { effort: "high", summary: "loud" }])(
    "without one leaves that to the model: %j",
    (reasoning) => assert.deepStrictEqual(convert({ reasoning }).thinking, { type: "adaptive" })
  )

  it("says nothing of it to who shows it anyway, who does not think, and who knows no such thing", () => {
    const reasoning = { effort: "high", summary: "auto" }
    assert.deepStrictEqual(convert({ reasoning }, claudeModel()).thinking, { type: "adaptive" })
    assert.deepStrictEqual(convert({ reasoning: { effort: "none", summary: "auto" } }).thinking, {
      type: "disabled"
    })
    assert.isUndefined(convert({ reasoning }, newer, forConverse).thinking)
    assert.isUndefined(convert({ reasoning: { summary: "auto" } }).thinking)
  })
})
