/** How much a Responses client lets Claude think, and what it is shown of it. */
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { forConverse, forMessages } from "../../../../src/formats/convert/messages-dialect.ts"
import { responsesRequestToMessages } from "../../../../src/formats/convert/responses-to-messages/request.ts"
import type { JsonObject } from "../../../../src/formats/json/json.ts"
import { claudeModel } from "../../../wire/models.ts"
import { functionTool } from "../responses-requests.ts"

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

  it("with a summary shows what those think who always do, also where nobody says how much", () => {
    const always = claudeModel({ refuses: ["sampling", "thinking_disabled"] })
    const reasoning = { summary: "auto" }
    const { output_config, thinking } = convert({ reasoning }, always)
    assert.deepStrictEqual(thinking, { type: "adaptive", display: "summarized" })
    assert.isUndefined(output_config)
    const forced = { tools: [functionTool("f")], tool_choice: "required" }
    assert.isUndefined(convert({ reasoning, ...forced }, always).thinking)
    assert.isUndefined(convert({ reasoning }, always, forConverse).thinking)
    assert.isUndefined(convert({ reasoning: {} }, always).thinking)
  })

  it("says nothing of it to who shows it anyway, who does not think, and who knows no such thing", () => {
    const reasoning = { effort: "high", summary: "auto" }
    assert.deepStrictEqual(convert({ reasoning }, claudeModel()).thinking, { type: "adaptive" })
    assert.deepStrictEqual(convert({ reasoning: { effort: "none", summary: "auto" } }).thinking, {
      type: "disabled"
    })
    assert.isUndefined(convert({ reasoning }, newer, forConverse).thinking)
    assert.isUndefined(convert({ reasoning: { summary: "auto" } }).thinking)
  })

  it("leaves a budget to the model for which the cap has no room", () => {
    const { thinking } = convert({ reasoning: { max_tokens: 3_000 }, max_output_tokens: 3_000 })
    assert.deepStrictEqual(thinking, { type: "adaptive" })
  })

  it.each<[JsonObject, JsonObject]>([
    [{ enabled: false }, { type: "disabled" }],
    [{ enabled: true }, { type: "adaptive" }],
    [{ max_tokens: 3_000 }, { type: "enabled", budget_tokens: 3_000 }]
  ])("is heard where it is said as OpenRouter's clients say it: %j", (reasoning, thinking) => {
    assert.deepStrictEqual(convert({ reasoning }).thinking, thinking)
  })
})

describe("the cap of a Responses request", () => {
  it("holds under other protocols' names, too; the smaller of two", () => {
    assert.strictEqual(convert({ max_tokens: 50 }).max_tokens, 50)
    assert.strictEqual(convert({ max_output_tokens: 40, max_completion_tokens: 50 }).max_tokens, 40)
    assert.strictEqual(convert({ max_output_tokens: null }).max_tokens, newer.maxOutputTokens)
  })
})
