/** The providers' own clients where they take one tool call at a time, on models that can not be told so. */
import Anthropic from "@anthropic-ai/sdk"
import { assert, describe, it } from "@effect/vitest"
import OpenAI from "openai"
import { toolPrompt, weatherSchema } from "./models.ts"
import { assertCharged, useGateway } from "./use-gateway.ts"

const gateway = useGateway()
const anthropic = () => new Anthropic({ baseURL: gateway.url, apiKey: gateway.key, maxRetries: 0 })
const openai = () => new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: gateway.key, maxRetries: 0 })

const models = ["svc/nova-pro", "svc/gpt-oss-120b"]
const prompt = `${toolPrompt} [sim: tools=two]`
const messages = [{ role: "user" as const, content: prompt }]
const name = "get_weather"

describe("one call at a time", () => {
  it.each(models)(
    "is what the OpenAI client gets of %s, and pays for all that was written",
    async (model) => {
      const tools = [{ type: "function" as const, function: { name, parameters: weatherSchema } }]
      const asked = { model, messages, tools }
      const { completions } = openai().chat
      const both = await completions.create(asked)
      const one = await completions.create({ ...asked, parallel_tool_calls: false })
      const streamed = await completions
        .stream({ ...asked, parallel_tool_calls: false })
        .finalChatCompletion()
      assert.lengthOf(both.choices[0]!.message.tool_calls!, 2)
      for (const { choices } of [one, streamed]) {
        assert.lengthOf(choices[0]!.message.tool_calls!, 1)
        assert.strictEqual(choices[0]!.finish_reason, "tool_calls")
      }
      const { message } = one.choices[0]!
      const result = { role: "tool" as const, tool_call_id: message.tool_calls![0]!.id, content: "rain" }
      const next = await completions.create({ ...asked, messages: [...messages, message, result] })
      assert.include(next.choices[0]!.message.content, "rain")
      const rows = await gateway.newCalls(4)
      for (const row of rows) assertCharged(row, model)
      for (const row of rows.slice(1, 3)) assert.strictEqual(row.output_tokens, rows[0]!.output_tokens)
    }
  )

  it.each(models)("is what it gets on Responses, of %s", async (model) => {
    const tools = [{ type: "function" as const, name, parameters: weatherSchema, strict: false }]
    const asked = { model, input: prompt, tools, parallel_tool_calls: false }
    const plain = await openai().responses.create(asked)
    const streamed = await openai().responses.stream(asked).finalResponse()
    for (const { output, parallel_tool_calls: parallel } of [plain, streamed]) {
      assert.lengthOf(
        output.filter(({ type }) => type === "function_call"),
        1
      )
      assert.isFalse(parallel)
    }
    for (const row of await gateway.newCalls(2)) assertCharged(row, model)
  })

  it.each(models)("is what the Anthropic client gets of %s", async (model) => {
    const asked = {
      model,
      max_tokens: 500,
      messages,
      tools: [{ name, input_schema: weatherSchema }],
      tool_choice: { type: "auto" as const, disable_parallel_tool_use: true }
    }
    const plain = await anthropic().messages.create(asked)
    const streamed = await anthropic().messages.stream(asked).finalMessage()
    for (const { content, stop_reason: reason } of [plain, streamed]) {
      assert.lengthOf(
        content.filter(({ type }) => type === "tool_use"),
        1
      )
      assert.strictEqual(reason, "tool_use")
    }
    for (const row of await gateway.newCalls(2)) assertCharged(row, model)
  })
})
