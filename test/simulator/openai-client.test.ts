/** OpenAI's own client takes the simulator for the provider. */
import { assert, describe, it } from "@effect/vitest"
import { APIError as OpenaiError, toFile } from "openai"
import { unexpected, useSimulator, weather } from "./ask.ts"

const simulator = useSimulator()

describe("the chat client", () => {
  it("gets text, plain and streamed, with usage when asked for", async () => {
    const request = { model: "gpt-5.5", messages: [{ role: "user" as const, content: "Hello" }] }
    const plain = await simulator.openai().chat.completions.create(request)
    const streamed = await simulator
      .openai()
      .chat.completions.stream({ ...request, stream_options: { include_usage: true } })
      .finalChatCompletion()
    assert.strictEqual(streamed.choices[0]!.message.content, plain.choices[0]!.message.content)
    assert.deepStrictEqual(streamed.usage, plain.usage)
  })

  it("is asked for tools one after another, at once, bundled and interleaved, with the same arguments", async () => {
    const tools = ["get_weather", "get_time"].map((name) => ({
      type: "function" as const,
      function: { name, parameters: weather }
    }))
    for (const [order, count] of [
      ["one", 1],
      ["two", 2],
      ["bundled", 1],
      ["interleaved", 2]
    ] as const) {
      const final = await simulator
        .openai()
        .chat.completions.stream({
          model: "gpt-5.5",
          messages: [{ role: "user", content: `[sim: tools=${order}]` }],
          tools
        })
        .finalChatCompletion()
      const calls = final.choices[0]!.message.tool_calls!
      assert.lengthOf(calls, count, order)
      for (const call of calls) {
        assert.strictEqual(call.type, "function")
        if (call.type === "function")
          assert.deepStrictEqual(JSON.parse(call.function.arguments), { city: "Hà Nội", days: 3 })
      }
      assert.strictEqual(final.choices[0]!.finish_reason, "tool_calls")
    }
  })

  it("gets several choices side by side", async () => {
    const chunks = await simulator.openai().chat.completions.create({
      model: "gpt-5.5",
      messages: [{ role: "user", content: "[sim: tokens=5]" }],
      n: 2,
      stream: true
    })
    const indexes: Array<number> = []
    for await (const { choices } of chunks) for (const { index } of choices) indexes.push(index)
    assert.isAtLeast(indexes.length, 6)
    assert.deepStrictEqual(
      indexes,
      indexes.map((_, at) => at % 2)
    )
  })

  it("gets several choices, refusals and reasoning", async () => {
    const ask = (content: string, more: object = {}) =>
      simulator
        .openai()
        .chat.completions.create({ model: "gpt-5.5", messages: [{ role: "user", content }], ...more })
    assert.lengthOf((await ask("Hello", { n: 3 })).choices, 3)
    assert.isString((await ask("[sim: refuse=1]")).choices[0]!.message.refusal)
    const reasoned = await ask("[sim: thinking=on reasoning=50]")
    assert.property(reasoned.choices[0]!.message, "reasoning_content")
    assert.isAtLeast(reasoned.usage!.completion_tokens_details!.reasoning_tokens!, 50)
    assert.strictEqual(
      reasoned.usage!.total_tokens,
      reasoned.usage!.prompt_tokens + reasoned.usage!.completion_tokens
    )
  })

  it("gets errors of the right class", async () => {
    for (const status of [400, 401, 404, 429, 500, 503]) {
      const error = await simulator
        .openai()
        .chat.completions.create({
          model: "gpt-5.5",
          messages: [{ role: "user", content: `[sim: status=${status}]` }]
        })
        .then(unexpected, (cause: unknown) => cause)
      assert.strictEqual((error as OpenaiError).status, status)
    }
  })
})

describe("the Responses client", () => {
  it("gets text, thoughts and tool calls in the events of the protocol", async () => {
    const final = await simulator
      .openai()
      .responses.stream({
        model: "gpt-5.5",
        input: "Use the tool [sim: tokens=5]",
        reasoning: { summary: "auto" },
        include: ["reasoning.encrypted_content"],
        tools: [{ type: "function", name: "get_weather", parameters: weather, strict: false }]
      })
      .finalResponse()
    assert.deepStrictEqual(
      final.output.map((item) => item.type),
      ["reasoning", "message", "function_call"]
    )
    assert.strictEqual(final.status, "completed")
    assert.isAtLeast(final.completed_at!, final.created_at)
    assert.isAbove(final.usage!.output_tokens, 5)
  })

  it("continues what was stored, counts it, and knows nothing else", async () => {
    const { responses } = simulator.openai()
    const first = await responses.create({ model: "gpt-5.5", input: "Hello" })
    const second = await responses.create({
      model: "gpt-5.5",
      input: "Again",
      previous_response_id: first.id
    })
    assert.isAbove(second.usage!.input_tokens, first.usage!.total_tokens)
    const forgotten = await responses.create({ model: "gpt-5.5", input: "Hello", store: false })
    for (const id of [forgotten.id, "resp_unknown"]) {
      const error = await responses
        .create({ model: "gpt-5.5", input: "Again", previous_response_id: id })
        .then(unexpected, (cause: unknown) => cause)
      assert.deepInclude(error, { status: 400, code: "previous_response_not_found" })
    }
  })

  it("keeps conversations", async () => {
    const conversation = await simulator.openai().conversations.create({})
    const { responses } = simulator.openai()
    const first = await responses.create({ model: "gpt-5.5", input: "Hello", conversation: conversation.id })
    const second = await responses.create({ model: "gpt-5.5", input: "Again", conversation: conversation.id })
    assert.isAbove(second.usage!.input_tokens, first.usage!.input_tokens)
  })

  it("is incomplete at its cap, and fails in band", async () => {
    const { responses } = simulator.openai()
    const cut = await responses.create({ model: "gpt-5.5", input: "[sim: tokens=50]", max_output_tokens: 16 })
    assert.strictEqual(cut.status, "incomplete")
    assert.isNull(cut.completed_at)
    assert.strictEqual(cut.usage!.output_tokens, 16)
    const types: Array<string> = []
    const failing = await responses.create({ model: "gpt-5.5", input: "[sim: fail_after=5]", stream: true })
    const read = async () => {
      for await (const event of failing) {
        types.push(event.type)
        assert.strictEqual((event as { sequence_number: number }).sequence_number, types.length - 1)
      }
    }
    const error = await read().then(unexpected, (cause: unknown) => cause)
    assert.instanceOf(error, OpenaiError)
    assert.lengthOf(types, 5)
  })
})

describe("images and speech", () => {
  const png = Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNsaGioBwAFgwKAJ1YgJQAAAABJRU5ErkJggg==",
    "base64"
  )

  it("makes as many images as asked, or as the setting says", async () => {
    const { images } = simulator.openai()
    const three = await images.generate({ model: "gpt-image-2", prompt: "A cat", n: 3 })
    assert.lengthOf(three.data!, 3)
    const two = await images.generate({ model: "gpt-image-2", prompt: "A cat [sim: images=2]" })
    assert.lengthOf(two.data!, 2)
  })

  it("edits an image sent as a form, and refuses what is no image", async () => {
    const { images } = simulator.openai()
    const edit = async (bytes: Buffer) =>
      images.edit({
        model: "gpt-image-2",
        prompt: "A hat",
        image: await toFile(bytes, "cat.png", { type: "image/png" })
      })
    assert.lengthOf((await edit(png)).data!, 1)
    const error = await edit(Buffer.from("no image at all")).then(unexpected, (cause: unknown) => cause)
    assert.deepInclude(error, { status: 400, code: "invalid_image_file" })
  })

  it("speaks in the format asked for, the same bytes each time", async () => {
    const speak = async () => {
      const answer = await simulator.openai().audio.speech.create({
        model: "gpt-4o-mini-tts",
        input: "Xin chào",
        voice: "alloy",
        response_format: "wav"
      })
      assert.strictEqual(answer.headers.get("content-type"), "audio/wav")
      return Buffer.from(await answer.arrayBuffer())
    }
    const first = await speak()
    assert.isAbove(first.byteLength, 1000)
    assert.deepStrictEqual(await speak(), first)
  })
})
