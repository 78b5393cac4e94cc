/** The providers' own clients, unchanged, on models of their own and of every other protocol. */
import Anthropic, { APIError as AnthropicError } from "@anthropic-ai/sdk"
import { assert, describe, it } from "@effect/vitest"
import OpenAI, { APIError as OpenaiError } from "openai"
import { textModels, thinkingModels, toolPrompt, weatherSchema } from "./models.ts"
import { assertCharged, useGateway } from "./use-gateway.ts"

const gateway = useGateway()
const anthropic = () => new Anthropic({ baseURL: gateway.url, apiKey: gateway.key, maxRetries: 0 })
const openai = () => new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: gateway.key, maxRetries: 0 })

const unexpected = (): never => {
  throw new Error("this call should have failed")
}

describe("the Messages client", () => {
  const tools = [{ name: "get_weather", description: "The weather", input_schema: weatherSchema }]

  it.each(textModels)(
    "gets the same text of %s plain and streamed, and pays what it was told",
    async (model) => {
      const request = { model, max_tokens: 500, messages: [{ role: "user" as const, content: "Hello" }] }
      const plain = await anthropic().messages.create({ ...request, system: "Be brief." })
      const streamed = await anthropic()
        .messages.stream({ ...request, system: "Be brief." })
        .finalMessage()
      assert.strictEqual(plain.stop_reason, "end_turn")
      assert.strictEqual(streamed.stop_reason, "end_turn")
      assert.deepStrictEqual(streamed.content, plain.content)
      const rows = await gateway.newCalls(2)
      for (const [index, answer] of [plain, streamed].entries()) {
        assertCharged(rows[index]!, model)
        assert.strictEqual(rows[index]!.input_tokens, answer.usage.input_tokens)
        assert.strictEqual(rows[index]!.output_tokens, answer.usage.output_tokens)
      }
    }
  )

  it.each(textModels)(
    "loops through a tool with %s, parallel calls and an error result too",
    async (model) => {
      for (const order of ["one", "two"]) {
        const messages: Array<Anthropic.MessageParam> = [
          { role: "user", content: `${toolPrompt} [sim: tools=${order}]` }
        ]
        const first = await anthropic()
          .messages.stream({ model, max_tokens: 500, tools, messages })
          .finalMessage()
        const uses = first.content.filter((block) => block.type === "tool_use")
        assert.lengthOf(uses, order === "one" ? 1 : 2)
        assert.strictEqual(first.stop_reason, "tool_use")
        for (const use of uses) assert.deepStrictEqual(use.input, { city: "Hà Nội", days: 1 })
        const second = await anthropic().messages.create({
          model,
          max_tokens: 500,
          tools,
          messages: [
            { role: "user", content: toolPrompt },
            { role: "assistant", content: first.content },
            {
              role: "user",
              content: uses.map((use, index) => ({
                type: "tool_result",
                tool_use_id: use.id,
                is_error: index === 1,
                content: [{ type: "text", text: "31 degrees" }]
              }))
            }
          ]
        })
        assert.strictEqual(second.stop_reason, "end_turn")
        const text = second.content.find((block) => block.type === "text")
        assert.include(text?.text, "31 degrees")
      }
      for (const row of await gateway.newCalls(4)) assertCharged(row, model)
    }
  )

  it.each(thinkingModels)("sends the thoughts of %s back in a tool loop", async (model) => {
    const request = { model, max_tokens: 3000, tools, thinking: { type: "adaptive" as const } }
    const question = { role: "user" as const, content: `${toolPrompt} [sim: thinking=on tools=one]` }
    const first = await anthropic()
      .messages.stream({ ...request, messages: [question] })
      .finalMessage()
    assert.strictEqual(first.content[0]!.type, "thinking")
    const use = first.content.find((block) => block.type === "tool_use")!
    const second = await anthropic().messages.create({
      ...request,
      messages: [
        { ...question, content: toolPrompt },
        { role: "assistant", content: first.content },
        { role: "user", content: [{ type: "tool_result", tool_use_id: use.id, content: "31 degrees" }] }
      ]
    })
    assert.strictEqual(second.stop_reason, "end_turn")
    for (const row of await gateway.newCalls(2)) assertCharged(row, model)
  })

  it("is told what DeepSeek thinks on AWS, as soon as it asks it to", async () => {
    const [model, asked] = ["svc/deepseek-v3.2", { max_tokens: 500, thinking: { type: "adaptive" as const } }]
    const messages = [{ role: "user" as const, content: "Hello" }]
    const message = await anthropic().messages.create({ ...asked, model, messages })
    assert.deepStrictEqual(
      message.content.map(({ type }) => type),
      ["thinking", "text"]
    )
    const effort = { reasoning_effort: "medium" as const }
    const { choices } = await openai().chat.completions.create({ ...effort, model, messages })
    assert.isNotEmpty((choices[0]!.message as { readonly reasoning_content?: string }).reasoning_content)
    for (const row of await gateway.newCalls(2)) assertCharged(row, model)
  })

  it.each(textModels)(
    "sees an error of %s as the SDK's error class, plain and in mid-stream, and pays nothing",
    async (model) => {
      const ask = (prompt: string) => ({
        model,
        max_tokens: 500,
        messages: [{ role: "user" as const, content: prompt }]
      })
      const refused = await anthropic()
        .messages.create(ask("[sim: status=400]"))
        .then(unexpected, (error: unknown) => error)
      assert.instanceOf(refused, AnthropicError)
      assert.strictEqual((refused as AnthropicError).status, 400)
      const broken = await anthropic()
        .messages.stream(ask("[sim: tokens=40 fail_after=12]"))
        .finalMessage()
        .then(unexpected, (error: unknown) => error)
      assert.instanceOf(broken, AnthropicError)
      const rows = await gateway.newCalls(2)
      assert.deepStrictEqual(
        rows.map((row) => [row.status, row.cost_micro_vnd]),
        [
          [400, 0n],
          [rows[1]!.status, 0n]
        ]
      )
      assert.isAtLeast(rows[1]!.status, 400)
    }
  )
})

describe("the chat client", () => {
  const tools = ["get_weather", "get_time"].map((name) => ({
    type: "function" as const,
    function: { name, parameters: weatherSchema }
  }))

  it.each(textModels)(
    "gets the same text of %s plain and streamed, and pays what it was told",
    async (model) => {
      const request = {
        model,
        messages: [
          { role: "system" as const, content: "Be brief." },
          { role: "user" as const, content: "Hello" }
        ]
      }
      const plain = await openai().chat.completions.create(request)
      const streamed = await openai()
        .chat.completions.stream({ ...request, stream_options: { include_usage: true } })
        .finalChatCompletion()
      assert.strictEqual(plain.choices[0]!.finish_reason, "stop")
      assert.strictEqual(streamed.choices[0]!.finish_reason, "stop")
      assert.strictEqual(streamed.choices[0]!.message.content, plain.choices[0]!.message.content)
      const rows = await gateway.newCalls(2)
      for (const [index, answer] of [plain, streamed].entries()) {
        assertCharged(rows[index]!, model)
        assert.strictEqual(rows[index]!.input_tokens, answer.usage!.prompt_tokens)
        assert.strictEqual(rows[index]!.output_tokens, answer.usage!.completion_tokens)
      }
    }
  )

  it.each(textModels)("loops through tools with %s, however their calls are streamed", async (model) => {
    for (const order of ["one", "two", "bundled", "interleaved"] as const) {
      const first = await openai()
        .chat.completions.stream({
          model,
          tools,
          messages: [{ role: "user", content: `${toolPrompt} [sim: tools=${order}]` }]
        })
        .finalChatCompletion()
      const { message } = first.choices[0]!
      assert.strictEqual(first.choices[0]!.finish_reason, "tool_calls")
      const calls = message.tool_calls ?? []
      assert.lengthOf(calls, order === "two" || order === "interleaved" ? 2 : 1, order)
      const second = await openai().chat.completions.create({
        model,
        tools,
        messages: [
          { role: "user", content: toolPrompt },
          message,
          ...calls.map((call) => ({ role: "tool" as const, tool_call_id: call.id, content: "31 degrees" }))
        ]
      })
      assert.strictEqual(second.choices[0]!.finish_reason, "stop")
      assert.include(second.choices[0]!.message.content, "31 degrees")
    }
    for (const row of await gateway.newCalls(8)) assertCharged(row, model)
  })

  it.each(textModels)(
    "calls a custom tool with %s, plain and streamed, and brings its result back",
    async (model) => {
      const run = { type: "custom" as const, custom: { name: "run", description: "Runs a line" } }
      const line = 'print("chào 😀")\n'
      const question = `Go [sim: tools=one input=${Buffer.from(line).toString("base64url")}]`
      const request = { model, tools: [run], tool_choice: "required" as const }
      const ask = { ...request, messages: [{ role: "user" as const, content: question }] }
      const plain = await openai().chat.completions.create(ask)
      const streamed = await openai().chat.completions.stream(ask).finalChatCompletion()
      for (const { choices } of [plain, streamed]) {
        assert.strictEqual(choices[0]!.finish_reason, "tool_calls")
        const [call] = choices[0]!.message.tool_calls ?? []
        assert.deepInclude(call, { type: "custom", custom: { name: "run", input: line } })
        const result = { role: "tool" as const, tool_call_id: call!.id, content: "chào" }
        const messages = [{ role: "user" as const, content: "Go" }, choices[0]!.message, result]
        const next = await openai().chat.completions.create({ model, tools: [run], messages })
        assert.include(next.choices[0]!.message.content, "chào")
      }
      for (const row of await gateway.newCalls(4)) assertCharged(row, model)
    }
  )

  const format = {
    type: "json_schema" as const,
    json_schema: { name: "weather", schema: { ...weatherSchema, additionalProperties: false } }
  }

  it.each(textModels)("gets JSON of its schema from %s", async (model) => {
    const answer = await openai().chat.completions.create({
      model,
      messages: [{ role: "user", content: "Weather" }],
      response_format: format
    })
    assert.deepStrictEqual(JSON.parse(answer.choices[0]!.message.content!), { city: "Hà Nội", days: 1 })
    assertCharged((await gateway.newCalls(1))[0]!, model)
  })

  it.each(textModels)(
    "sees an error of %s as the SDK's error class, plain and in mid-stream",
    async (model) => {
      const ask = (prompt: string) => ({ model, messages: [{ role: "user" as const, content: prompt }] })
      const refused = await openai()
        .chat.completions.create(ask("[sim: status=429 retry-after=7]"))
        .then(unexpected, (error: unknown) => error)
      assert.strictEqual((refused as OpenaiError).status, 429)
      assert.isAtLeast(Number((refused as OpenaiError).headers?.get("retry-after")), 1)
      const broken = await openai()
        .chat.completions.stream(ask("[sim: tokens=40 fail_after=12]"))
        .finalChatCompletion()
        .then(unexpected, (error: unknown) => error)
      assert.instanceOf(broken, OpenaiError)
      for (const row of await gateway.newCalls(2)) assert.strictEqual(row.cost_micro_vnd, 0n)
    }
  )
})
