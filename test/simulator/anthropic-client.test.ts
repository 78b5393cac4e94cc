/** Anthropic's own client takes the simulator for the provider. */
import { assert, describe, it } from "@effect/vitest"
import { APIError as AnthropicError } from "@anthropic-ai/sdk"
import { unexpected, useSimulator, weather } from "./ask.ts"

const simulator = useSimulator()

describe("the Messages client", () => {
  it("gets text, plain and streamed, the same both ways", async () => {
    const request = {
      model: "claude-fable-5",
      max_tokens: 500,
      messages: [{ role: "user" as const, content: "Hello" }]
    }
    const plain = await simulator.anthropic().messages.create(request)
    const streamed = await simulator.anthropic().messages.stream(request).finalMessage()
    assert.deepStrictEqual(streamed.content, plain.content)
    assert.deepStrictEqual(streamed.usage.output_tokens, plain.usage.output_tokens)
    assert.strictEqual(streamed.stop_reason, "end_turn")
    assert.match(plain._request_id ?? "", /^req_/)
  })

  it("counts tokens as the call does", async () => {
    const messages = [{ role: "user" as const, content: "Xin chào, hôm nay trời thế nào?" }]
    const tools = [{ name: "get_weather", input_schema: weather }]
    const count = await simulator
      .anthropic()
      .messages.countTokens({ model: "claude-fable-5", messages, tools })
    const call = await simulator
      .anthropic()
      .messages.create({ model: "claude-fable-5", max_tokens: 10, messages, tools })
    assert.strictEqual(count.input_tokens, call.usage.input_tokens)
  })

  it("is asked to call a tool with arguments of its schema, and hears the result", async () => {
    const tools = [{ name: "get_weather", input_schema: weather }]
    const messages = [{ role: "user" as const, content: "Use the tool" }]
    const base = { model: "claude-fable-5", max_tokens: 500, tools }
    const first = await simulator
      .anthropic()
      .messages.stream({ ...base, messages })
      .finalMessage()
    const use = first.content.find((block) => block.type === "tool_use")!
    assert.deepStrictEqual(use.input, { city: "Hà Nội", days: 3 })
    assert.strictEqual(first.stop_reason, "tool_use")
    const second = await simulator.anthropic().messages.create({
      ...base,
      messages: [
        ...messages,
        { role: "assistant", content: first.content },
        { role: "user", content: [{ type: "tool_result", tool_use_id: use.id, content: "31 degrees" }] }
      ]
    })
    const text = second.content.find((block) => block.type === "text")!
    assert.include(text.text, "31 degrees")
  })

  it("gets thoughts with a signature that may be sent back", async () => {
    const request = { model: "claude-fable-5", max_tokens: 500, thinking: { type: "adaptive" as const } }
    const messages = [{ role: "user" as const, content: "Think" }]
    const first = await simulator
      .anthropic()
      .messages.stream({ ...request, messages })
      .finalMessage()
    assert.strictEqual(first.content[0]!.type, "thinking")
    const second = await simulator.anthropic().messages.create({
      ...request,
      messages: [
        ...messages,
        { role: "assistant", content: first.content },
        { role: "user", content: "Again" }
      ]
    })
    assert.strictEqual(second.stop_reason, "end_turn")
  })

  it("stops at its cap and at a stop sequence", async () => {
    const base = { model: "claude-fable-5", messages: [{ role: "user" as const, content: "Hello" }] }
    const capped = await simulator.anthropic().messages.create({ ...base, max_tokens: 3 })
    assert.strictEqual(capped.stop_reason, "max_tokens")
    assert.strictEqual(capped.usage.output_tokens, 3)
    const stopped = await simulator
      .anthropic()
      .messages.create({ ...base, max_tokens: 100, stop_sequences: ["simulator"] })
    assert.strictEqual(stopped.stop_sequence, "simulator")
    assert.deepInclude(stopped.content[0], { text: "Hello! This is the " })
  })

  it("gets JSON of the schema it asked for", async () => {
    const answer = await simulator.anthropic().messages.create({
      model: "claude-fable-5",
      max_tokens: 500,
      messages: [{ role: "user", content: "Weather" }],
      output_config: { format: { type: "json_schema", schema: { ...weather, additionalProperties: false } } }
    })
    assert.deepInclude(answer.content[0], { text: '{"city":"Hà Nội","days":3}' })
  })

  it("gets errors of the right class under way and before", async () => {
    const call = (prompt: string) =>
      simulator
        .anthropic()
        .messages.stream({
          model: "claude-fable-5",
          max_tokens: 500,
          messages: [{ role: "user", content: prompt }]
        })
        .finalMessage()
    for (const [prompt, status] of [
      ["[sim: status=429 retry-after=7]", 429],
      ["[sim: status=529]", 529],
      ["[sim: fail_after=4]", undefined]
    ] as const) {
      const error = await call(prompt).then(unexpected, (cause: unknown) => cause)
      assert.instanceOf(error, AnthropicError)
      assert.strictEqual((error as AnthropicError).status, status)
    }
  })

  it("may set the effort of a turn, as Claude Code does, with the flag for it alone", async () => {
    const message = { role: "user" as const, content: "Hello", output_config: { effort: "low" } }
    const ask = (betas: ReadonlyArray<string>) =>
      simulator.anthropic().beta.messages.create({
        model: "claude-fable-5",
        max_tokens: 500,
        messages: [message],
        betas: [...betas]
      })
    assert.strictEqual((await ask(["per-turn-control-2026-07-01"])).stop_reason, "end_turn")
    const error = await ask([]).then(unexpected, (cause: unknown) => cause)
    assert.strictEqual((error as AnthropicError).status, 400)
  })

  it("may send what the flags of newer clients open, and not without them", async () => {
    const effort = { role: "system", content: [], output_config: { effort: "low" } }
    const hint = { role: "system", content: "Be brief.", clear_at: "next_user_message" }
    const safeguards = [{ type: "dangerous_tool_use", classifier_context: { v: 1 } }]
    const hello = { role: "user", content: "Hello" }
    const cases: ReadonlyArray<readonly [flag: string, fields: object]> = [
      ["mid-conversation-output-config-2026-07-01", { messages: [hello, effort] }],
      ["mid-conversation-system-clear-at-2026-08-21", { messages: [hello, hint] }],
      ["dangerous-tool-use-2026-09-03", { messages: [hello], safeguards }]
    ]
    for (const [flag, fields] of cases) {
      const ask = (betas: Array<string>) => {
        const body = { model: "claude-fable-5", max_tokens: 500, betas, messages: [], ...fields }
        return simulator.anthropic().beta.messages.create(body)
      }
      assert.strictEqual((await ask([flag])).stop_reason, "end_turn")
      const error = await ask([]).then(unexpected, (cause: unknown) => cause)
      assert.strictEqual((error as AnthropicError).status, 400)
    }
  })

  it("lists the models", async () => {
    const page = await simulator.anthropic().models.list()
    assert.isTrue(page.data.some((model) => model.id === "claude-fable-5"))
  })
})
