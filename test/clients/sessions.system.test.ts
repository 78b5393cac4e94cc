/**
 * Sessions of several turns through the whole gateway, with thoughts, calls at once and a custom tool: what a model thought
 * comes back to its own provider, which takes nothing else, and a session goes on with another model.
 */
import Anthropic from "@anthropic-ai/sdk"
import { assert, describe, it } from "@effect/vitest"
import OpenAI from "openai"
import type { ResponseInputItem } from "openai/resources/responses/responses"
import { type JsonObject, objectsOf } from "../../src/formats/json/json.ts"
import { useGateway } from "./use-gateway.ts"

const gateway = useGateway()
const parameters = { type: "object", properties: { a: { type: "string" } }, required: ["a"] } as const
const question = "Use the tools [sim: tools=two thinking=on]"

const families = [
  "claude-sonnet-5",
  "svc/claude-sonnet-5",
  "gemini-3.8-flash",
  "deepseek-v4-pro",
  "kimi-k2.6",
  "gpt-5.5"
] as const

type Turns = Array<ResponseInputItem>

/** What the client's own helpers add to an answer is nothing that the provider takes. */
const asSent = (output: object): Turns =>
  JSON.parse(JSON.stringify(output), (name, value: unknown) =>
    name === "parsed" || name === "parsed_arguments" ? undefined : value
  ) as Turns

/** The user asks, both tools are called, their outputs are answered. */
const turn = async (model: string, input: Turns): Promise<void> => {
  const client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: gateway.key, maxRetries: 0 })
  input.push({ role: "user", content: question })
  for (const step of ["calls", "answer"]) {
    const { output } = await client.responses
      .stream({
        model,
        input,
        store: false,
        include: ["reasoning.encrypted_content"],
        reasoning: { effort: "medium", summary: "auto" },
        tools: [
          { type: "function", name: "f", parameters: { ...parameters }, strict: false },
          { type: "custom", name: "patch" }
        ]
      })
      .finalResponse()
    input.push(...asSent(output))
    const types = output.map(({ type }) => type)
    if (step === "answer") return assert.include(types, "message", model)
    assert.includeMembers(types, ["function_call", "custom_tool_call"], model)
    for (const item of output)
      if (item.type === "function_call" || item.type === "custom_tool_call")
        input.push({ type: `${item.type}_output`, call_id: item.call_id, output: "42" } as ResponseInputItem)
  }
}

const lastBody = async (): Promise<JsonObject> =>
  JSON.parse((await gateway.gateway().seen()).last.at(-1)!.body) as JsonObject

describe("a session of a Responses client", () => {
  it.each(families)("on %s goes on for three turns, and with another model and back", async (model) => {
    const input: Turns = []
    for (let count = 0; count < 3; count++) await turn(model, input)
    const marks = input.filter(({ type }) => type === "reasoning").length
    assert.isAtLeast(marks, 3, "every turn has a thought")
    for (const other of families) if (other !== model) await turn(other, input)
    await turn(model, input)
    await gateway.newCalls(2 * (3 + families.length))
  })
})

describe("a session of a Messages client", () => {
  it("on GPT gives the provider its own reasoning back in every turn, before what came of it", async () => {
    const client = new Anthropic({ baseURL: gateway.url, apiKey: gateway.key, maxRetries: 0 })
    const messages: Array<Anthropic.MessageParam> = []
    let thoughts = 0
    for (let count = 0; count < 3; count++) {
      messages.push({ role: "user", content: question })
      for (let step = 0; step < 2; step++) {
        const { content } = await client.messages
          .stream({
            model: "gpt-5.5",
            max_tokens: 4_000,
            messages,
            thinking: { type: "enabled", budget_tokens: 2_000 },
            tools: [
              { name: "f", input_schema: { ...parameters, required: ["a"] } },
              { name: "g", input_schema: { ...parameters, required: ["a"] } }
            ]
          })
          .finalMessage()
        const sent = objectsOf((await lastBody())["input"]).filter((item) => item["type"] === "reasoning")
        assert.lengthOf(sent, thoughts)
        for (const item of sent) assert.match(String(item["encrypted_content"]), /^gAAAAA/)
        thoughts += content.filter(({ type }) => type === "thinking").length
        messages.push({ role: "assistant", content })
        const calls = content.filter((block) => block.type === "tool_use")
        if (step === 1) assert.lengthOf(calls, 0)
        else {
          assert.lengthOf(calls, 2)
          messages.push({
            role: "user",
            content: calls.map(({ id }) => ({ type: "tool_result" as const, tool_use_id: id, content: "42" }))
          })
        }
      }
    }
    assert.strictEqual(thoughts, 6)
    await gateway.newCalls(6)
  })
})
