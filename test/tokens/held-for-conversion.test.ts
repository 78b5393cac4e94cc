/** What a conversion adds to a request is held for by the words in which its client asks for it. */
import { assert, describe, it } from "@effect/vitest"
import type { JsonObject } from "../../src/formats/json/json.ts"
import { measureInput } from "../../src/tokens/measure-input.ts"
import { modelNamed } from "../catalogue.ts"

const models = ["claude-sonnet-4-6", "claude-fable-5"].map(modelNamed)
const hi = { role: "user", content: "hi" }
const thinking = { type: "adaptive" }
/** Names and types of members weigh a little each. */
const names = 12
const assertAlike = (asked: JsonObject, own: JsonObject, by = models) => {
  for (const model of by) {
    const [one, other] = [asked, own].map((body) => measureInput(body, model))
    assert.strictEqual(one!.guess, other!.guess)
    assert.approximately(one!.bound, other!.bound, names)
  }
}
const called = { name: "f", arguments: "{}" }

describe("held for as much as when Claude is asked for it by its own words", () => {
  it.each<readonly [is: string, asked: JsonObject, own: JsonObject]>([
    ["an effort of chat", { messages: [hi], reasoning_effort: "low" }, { messages: [hi], thinking }],
    ["an effort of Responses", { input: [hi], reasoning: { effort: "low" } }, { messages: [hi], thinking }],
    [
      "an effort that is set on the way",
      { input: [hi, { type: "configuration_update", reasoning: { effort: "low" } }] },
      { messages: [hi, { role: "system" }], thinking }
    ],
    [
      "a call of chat's older form",
      { messages: [hi, { role: "assistant", content: null, function_call: called }] },
      { messages: [hi, { role: "assistant", content: [{ type: "tool_use", name: "f", input: "{}" }] }] }
    ]
  ])("is %s", (_, asked, own) => assertAlike(asked, own))

  it.each<readonly [is: string, asked: JsonObject]>([
    ["no effort of chat", { reasoning_effort: "none" }],
    ["an effort of nothing", { reasoning_effort: null, reasoning: { summary: null } }],
    ["no call", { function_call: "auto" }]
  ])("is nothing by %s", (_, asked) => assertAlike({ messages: [hi], ...asked }, { messages: [hi] }))

  it("is a summary of what is thought, by a model that always thinks", () => {
    const [plain, thinker] = models
    const asked = { input: [hi], reasoning: { summary: "auto" } }
    assertAlike(asked, { messages: [hi] }, [plain!])
    assertAlike(asked, { messages: [hi], thinking }, [thinker!])
  })

  it.each<JsonObject>([
    { response_format: { type: "json_object" } },
    { text: { format: { type: "json_object" } } }
  ])("is what is said where %j has no counterpart", (asked) => {
    for (const model of models) {
      const alone = measureInput({ messages: [hi] }, model)
      const measured = measureInput({ messages: [hi], ...asked }, model)
      assert.isAtLeast(measured.bound, alone.bound + 30)
      assert.strictEqual(measured.guess, alone.guess)
    }
  })

  it("is the tool that Nova is made to answer by, as much as one of the client's", () => {
    const schema = { type: "object", properties: { name: { type: "string", description: "Who" } } }
    const [asked, offered] = [
      { messages: [hi], response_format: { type: "json_schema", json_schema: { schema } } },
      {
        messages: [hi],
        tools: [{ name: "json_answer", description: "words ".repeat(16), input_schema: schema }]
      }
    ].map((body) => measureInput(body, modelNamed("svc/nova-pro")))
    assert.isAtLeast(asked!.bound, offered!.bound)
    assert.closeTo(asked!.guess, offered!.guess, 10)
  })
})
