import { assert, it } from "@effect/vitest"
import { pairs } from "../../src/formats/pairs.ts"
import type { JsonObject } from "../../src/formats/json/json.ts"
import {
  accumulate,
  brokenRule,
  context,
  converseNames,
  eventsOf,
  invokeNames,
  readStream,
  recordedEvents,
  runCodec
} from "../formats/bedrock-fixtures.ts"
import { describeWith } from "../shared-folder.ts"

/** What a recorded Converse stream holds, read straight from its recorded events. */
const converseContent = (name: string) => {
  let text = ""
  let thinking = ""
  let signature = ""
  const tools = new Map<number, { name: string; id: string; input: string }>()
  let usage: Record<string, number> = {}
  for (const { payload, headers } of recordedEvents(name)) {
    const { start, delta, contentBlockIndex } = payload as Record<string, never> & {
      contentBlockIndex: number
    }
    const { toolUse, reasoningContent, text: piece } = (delta ?? {}) as Record<string, never>
    if (start !== undefined) {
      const { name, toolUseId } = (start as { toolUse: { name: string; toolUseId: string } }).toolUse
      tools.set(contentBlockIndex, { name, id: toolUseId, input: "" })
    }
    if (piece !== undefined) text += piece
    if (toolUse !== undefined) tools.get(contentBlockIndex)!.input += (toolUse as { input: string }).input
    if (reasoningContent !== undefined) {
      thinking += (reasoningContent as { text?: string }).text ?? ""
      signature += (reasoningContent as { signature?: string }).signature ?? ""
    }
    if (headers[":event-type"] === "metadata") usage = (payload.usage ?? {}) as Record<string, number>
  }
  const calls = [...tools.values()].map(({ name, id, input }) => ({
    name,
    id,
    input: JSON.parse(input) as unknown
  }))
  return { text, thinking, signature, calls, usage }
}

describeWith("fixtures", "a recorded ConverseStream for a Messages client", () => {
  it.each(converseNames)("%s accumulates in Anthropic's SDK to what it held", async (name) => {
    const { output, failure, usage, contentSeen } = runCodec(
      pairs.messages.converse.stream(context),
      readStream(name)
    )
    assert.isUndefined(failure)
    assert.isTrue(contentSeen)
    const events = eventsOf(output)
    assert.isUndefined(brokenRule(events))
    const message = await accumulate(events)
    const expected = converseContent(name)
    assert.strictEqual(message.model, context.modelId)
    assert.strictEqual(
      message.content.map((block) => (block.type === "text" ? block.text : "")).join(""),
      expected.text
    )
    const thinking = message.content.filter((block) => block.type === "thinking")
    assert.strictEqual(thinking.map((block) => block.thinking).join(""), expected.thinking)
    if (expected.signature !== "") assert.strictEqual(thinking[0]!.signature, expected.signature)
    assert.deepStrictEqual(
      message.content.flatMap((block) =>
        block.type === "tool_use" ? [{ name: block.name, id: block.id, input: block.input }] : []
      ),
      expected.calls
    )
    if (expected.usage["inputTokens"] === undefined) return
    assert.strictEqual(message.usage.input_tokens, expected.usage["inputTokens"])
    assert.strictEqual(message.usage.output_tokens, expected.usage["outputTokens"])
    assert.deepStrictEqual(usage, {
      inputTokens: expected.usage["totalTokens"]! - expected.usage["outputTokens"]!,
      outputTokens: expected.usage["outputTokens"]!
    })
  })

  it.each(converseNames)("%s gives the same bytes wherever it is cut", (name) => {
    const bytes = readStream(name)
    for (const make of [
      () => pairs.messages.converse.stream(context),
      () => pairs.chat_completions.converse.stream(context)
    ]) {
      const whole = runCodec(make(), bytes)
      assert.deepStrictEqual(runCodec(make(), bytes, 1), whole)
      assert.deepStrictEqual(runCodec(make(), bytes, 97), whole)
    }
  })

  it("keeps redacted thinking as Claude wrote it", async () => {
    const { output } = runCodec(
      pairs.messages.converse.stream(context),
      readStream("converse-stream-redacted-claude")
    )
    const [block] = (await accumulate(eventsOf(output))).content
    assert.strictEqual(block?.type, "redacted_thinking")
    if (block?.type === "redacted_thinking") assert.match(block.data, /^E[A-Za-z0-9+/]+=*$/)
  })

  it("shows no empty text block where the model sent one", async () => {
    const { output } = runCodec(
      pairs.messages.converse.stream(context),
      readStream("converse-stream-empty-delta-gptoss")
    )
    const { content } = await accumulate(eventsOf(output))
    assert.deepStrictEqual(
      content.map((block) => block.type),
      ["thinking", "text"]
    )
  })

  it("tells a guardrail's intervention as a refusal", async () => {
    const bytes = readStream("converse-stream-guardrail")
    const message = await accumulate(
      eventsOf(runCodec(pairs.messages.converse.stream(context), bytes).output)
    )
    assert.strictEqual(message.stop_reason, "refusal")
    const chunks = eventsOf(runCodec(pairs.chat_completions.converse.stream(context), bytes).output)
    assert.include(JSON.stringify(chunks), `"finish_reason":"content_filter"`)
  })

  it("keeps citations with the text they belong to", async () => {
    const { output } = runCodec(
      pairs.messages.converse.stream(context),
      readStream("converse-stream-citations-claude")
    )
    const { content } = await accumulate(eventsOf(output))
    const cited = content.flatMap((block) => (block.type === "text" ? (block.citations ?? []) : []))
    assert.deepStrictEqual(cited[0], {
      type: "char_location",
      cited_text: "Company leave policy: Employees get 20 days annual leave. ",
      document_index: 0,
      document_title: "company_policy",
      file_id: null,
      start_char_index: 0,
      end_char_index: 58
    } as never)
  })
})

describeWith("fixtures", "a recorded InvokeModel stream for a Messages client", () => {
  it.each(invokeNames)("%s gives Claude's own events, with the catalogue id", async (name) => {
    const bytes = readStream(name)
    const { output, failure, usage, contentSeen } = runCodec(pairs.messages.invoke.stream(context), bytes)
    assert.isUndefined(failure)
    assert.isTrue(contentSeen)
    const events = eventsOf(output)
    assert.isUndefined(brokenRule(events))
    const inner = recordedEvents(name).map((event) => event.inner!)
    const [start, ...rest] = inner
    assert.deepStrictEqual(events, [
      { ...start, message: { ...(start!.message as JsonObject), model: context.modelId } },
      ...rest
    ])
    const message = await accumulate(events)
    assert.deepStrictEqual(usage, {
      inputTokens: message.usage.input_tokens,
      outputTokens: message.usage.output_tokens
    })
    assert.deepStrictEqual(runCodec(pairs.messages.invoke.stream(context), bytes, 1).output, output)
    assert.deepStrictEqual(runCodec(pairs.messages.invoke.stream(context), bytes, 61).output, output)
  })

  it("gives tools the names that the caller gave them", async () => {
    const renamed = { ...context, toolNames: new Map([["get_current_weather", "weather.now"]]) }
    const { output } = runCodec(
      pairs.messages.invoke.stream(renamed),
      readStream("invoke-stream-claude-tool-1")
    )
    const { content } = await accumulate(eventsOf(output))
    const names = content.flatMap((block) => (block.type === "tool_use" ? [block.name] : []))
    assert.deepStrictEqual(names, ["weather.now", "weather.now"])
    const bytes = readStream("converse-stream-two-tools-nova")
    const chunks = eventsOf(runCodec(pairs.chat_completions.converse.stream(renamed), bytes).output)
    assert.lengthOf(JSON.stringify(chunks).match(/"name":"weather\.now"/g)!, 2)
  })

  it("bills the protocol's own usage, not the invocation metrics", () => {
    const { usage } = runCodec(
      pairs.messages.invoke.stream(context),
      readStream("invoke-stream-claude-tool-1")
    )
    assert.deepStrictEqual(usage, { inputTokens: 392, outputTokens: 133 })
  })

  it.each(invokeNames)("%s gives a chat client the same text and calls", async (name) => {
    const bytes = readStream(name)
    const message = await accumulate(eventsOf(runCodec(pairs.messages.invoke.stream(context), bytes).output))
    const { output, usage } = runCodec(pairs.chat_completions.invoke.stream(context), bytes)
    assert.deepStrictEqual(runCodec(pairs.chat_completions.invoke.stream(context), bytes, 1).output, output)
    const chunks = eventsOf(output)
    assert.deepStrictEqual(chunks.at(-1), { type: "[DONE]" })
    const deltas = chunks.flatMap(
      (chunk) => (chunk.choices as ReadonlyArray<{ delta: Record<string, never> }> | undefined) ?? []
    )
    const text = message.content.map((block) => (block.type === "text" ? block.text : "")).join("")
    assert.strictEqual(deltas.map(({ delta }) => delta["content"] ?? "").join(""), text)
    assert.isDefined(usage)
  })
})
