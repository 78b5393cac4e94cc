/** The providers' own clients, and answers that must fit a schema, from models whose provider binds none to one. */
import Anthropic from "@anthropic-ai/sdk"
import { assert, describe, it } from "@effect/vitest"
import OpenAI from "openai"
import { makeParseableResponseFormat, makeParseableTextFormat } from "openai/lib/parser"
import { toolPrompt, weatherSchema } from "./models.ts"
import { assertCharged, useGateway } from "./use-gateway.ts"

const gateway = useGateway()
const anthropic = () => new Anthropic({ baseURL: gateway.url, apiKey: gateway.key, maxRetries: 0 })
const openai = () => new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: gateway.key, maxRetries: 0 })

/** By the call of a tool, in words, and in words to a provider that speaks Messages. */
const models = ["svc/nova-2-lite", "svc/nova-pro", "svc/llama4-scout-17b-instruct", "minimax-m3"]

const schema = { ...weatherSchema, additionalProperties: false }
const weather = { city: "Hà Nội", days: 1 }
const response_format = makeParseableResponseFormat<typeof weather>(
  { type: "json_schema", json_schema: { name: "weather", strict: true, schema } },
  JSON.parse
)
const text_format = makeParseableTextFormat<typeof weather>(
  { type: "json_schema", name: "weather", strict: true, schema },
  JSON.parse
)
const lookUp = {
  type: "function" as const,
  function: { name: "look_up", strict: true, parameters: { ...schema, description: "Looks" } }
}

const messages = [{ role: "user" as const, content: "Weather" }]
const ask = (model: string) => ({ model, messages, response_format })

describe("an answer of a schema", () => {
  it.each(models)("is parsed by the OpenAI client, from %s", async (model) => {
    const { completions } = openai().chat
    const plain = await completions.parse(ask(model))
    const streamed = await completions.stream(ask(model)).finalChatCompletion()
    for (const { choices } of [plain, streamed]) {
      assert.deepStrictEqual(choices[0]!.message.parsed, weather)
      assert.strictEqual(choices[0]!.finish_reason, "stop")
    }
    for (const row of await gateway.newCalls(2)) assertCharged(row, model)
  })

  it.each(models)("is parsed by the OpenAI client on Responses, from %s", async (model) => {
    const asked = { model, input: "Weather", text: { format: text_format } }
    const plain = await openai().responses.parse(asked)
    const streamed = await openai().responses.stream(asked).finalResponse()
    for (const { output, output_parsed: parsed, status } of [plain, streamed]) {
      assert.deepStrictEqual(parsed, weather)
      assert.strictEqual(status, "completed")
      assert.isFalse(output.some(({ type }) => type === "function_call"))
    }
    for (const row of await gateway.newCalls(2)) assertCharged(row, model)
  })

  // MiniMax hears what a Messages client says as it says it.
  it.each(models.slice(0, 3))("is text to the Anthropic client, from %s", async (model) => {
    const format = { type: "json_schema" as const, schema }
    const asked = { model, max_tokens: 500, messages, output_config: { format } }
    const plain = await anthropic().messages.create(asked)
    const streamed = await anthropic().messages.stream(asked).finalMessage()
    for (const { content, stop_reason: reason } of [plain, streamed]) {
      assert.deepStrictEqual(
        content.map(({ type }) => type),
        ["text"]
      )
      assert.deepStrictEqual(JSON.parse((content[0] as Anthropic.TextBlock).text), weather)
      assert.strictEqual(reason, "end_turn")
    }
    const rows = await gateway.newCalls(2)
    for (const [index, { usage }] of [plain, streamed].entries()) {
      assertCharged(rows[index]!, model)
      assert.strictEqual(rows[index]!.output_tokens, usage.output_tokens)
    }
  })

  it.each(models)("comes after the results of tools, from %s", async (model) => {
    const prompt = { role: "user" as const, content: toolPrompt }
    const asked = { model, tools: [lookUp], response_format }
    const { completions } = openai().chat
    const plain = await completions.create({ ...asked, messages: [prompt] })
    const stream = await completions.create({ ...asked, messages: [prompt], stream: true })
    let [name, finish] = ["", ""]
    for await (const { choices } of stream) {
      name += choices[0]?.delta.tool_calls?.[0]?.function?.name ?? ""
      finish = choices[0]?.finish_reason ?? finish
    }
    const { finish_reason: reason, message } = plain.choices[0]!
    assert.deepStrictEqual([name, finish, reason], ["look_up", "tool_calls", "tool_calls"])
    assert.lengthOf(message.tool_calls!, 1)
    const result = { role: "tool" as const, tool_call_id: message.tool_calls![0]!.id, content: "ok" }
    const answer = await completions.parse({ ...asked, messages: [prompt, message, result] })
    assert.deepStrictEqual(answer.choices[0]!.message.parsed, weather)
    for (const row of await gateway.newCalls(3)) assertCharged(row, model)
  })
})
