/** Recorded streams, what they hold, and what the official SDKs make of what a client gets. */
import Anthropic from "@anthropic-ai/sdk"
import { assert } from "@effect/vitest"
import { globSync, readFileSync } from "node:fs"
import { basename } from "node:path"
import OpenAI from "openai"
import type { Response as OpenAIResponse } from "openai/resources/responses/responses"
import type { StreamCodec } from "../../src/formats/stream/stream-codec.ts"
import { inPieces, runCodec } from "./stream-runner.ts"
import type { EndpointFamily } from "./tell-error.ts"
import { sharedPath } from "../shared-folder.ts"

/** Those of the recorded streams that are text. */
export const recordedStreams = (...folders: ReadonlyArray<string>) =>
  folders
    .flatMap((folder) => globSync(sharedPath(`fixtures/${folder}/*.sse`)))
    .toSorted()
    .map((file) => ({
      name: basename(file),
      bytes: readFileSync(file),
      /** It does not end well. */
      isBroken: /error|broken/.test(basename(file))
    }))

export const eventStream = (text: string) => () =>
  Promise.resolve(new Response(text, { headers: { "content-type": "text/event-stream" } }))

export const readWithAnthropic = (text: string) =>
  new Anthropic({ apiKey: "k", maxRetries: 0, fetch: eventStream(text) }).messages
    .stream({ model: "m", max_tokens: 1, messages: [{ role: "user", content: "q" }] })
    .finalMessage()

export const readWithOpenAI = (text: string) =>
  new OpenAI({ apiKey: "k", maxRetries: 0, fetch: eventStream(text) }).chat.completions
    .stream({
      model: "m",
      messages: [{ role: "user", content: "q" }],
      stream_options: { include_usage: true }
    })
    .finalChatCompletion()

export const readWithResponses = (text: string) =>
  new OpenAI({ apiKey: "k", maxRetries: 0, fetch: eventStream(text) }).responses
    .stream({ model: "m", input: "q" })
    .finalResponse()

export interface Answer {
  readonly text: string
  readonly thinking: string
  readonly tools: ReadonlyArray<{ readonly name: string; readonly input: unknown }>
  readonly input: number | undefined
  readonly output: number | undefined
}

interface ChatChunk {
  readonly usage?: {
    readonly prompt_tokens: number
    readonly completion_tokens: number
    readonly total_tokens: number
  }
  readonly choices?: ReadonlyArray<{ readonly delta?: ChatDelta }>
}
interface ChatDelta {
  readonly content?: string | null
  readonly refusal?: string | null
  readonly reasoning_content?: string | null
  readonly tool_calls?: ReadonlyArray<{
    readonly index: number
    readonly function: { readonly name: string; readonly arguments?: string }
  }>
}
interface MessagesEvent {
  readonly index?: number
  readonly message?: { readonly usage?: Readonly<Record<string, number>> }
  readonly usage?: Readonly<Record<string, number>>
  readonly content_block?: { readonly type: string; readonly name?: string }
  readonly delta?: { readonly text?: string; readonly thinking?: string; readonly partial_json?: string }
}

const parsed = (text: string): unknown => JSON.parse(text === "" ? "{}" : text)
const chunksOf = (frames: ReadonlyArray<unknown>) =>
  frames.filter((frame) => frame !== "[DONE]") as ReadonlyArray<ChatChunk>

/** What a chat upstream's chunks hold, added up as simply as can be. */
export const chatSource = (frames: ReadonlyArray<unknown>): Answer => {
  const tools = new Map<number, { readonly name: string; readonly text: string }>()
  let text = ""
  let thinking = ""
  let usage: ChatChunk["usage"]
  for (const chunk of chunksOf(frames)) {
    usage = chunk.usage ?? usage
    const delta = chunk.choices?.[0]?.delta
    text += (delta?.content ?? "") + (delta?.refusal ?? "")
    thinking += delta?.reasoning_content ?? ""
    for (const call of delta?.tool_calls ?? []) {
      const tool = tools.get(call.index) ?? { name: call.function.name, text: "" }
      tools.set(call.index, { ...tool, text: tool.text + (call.function.arguments ?? "") })
    }
  }
  const output = usage && Math.max(usage.completion_tokens, usage.total_tokens - usage.prompt_tokens)
  const called = [...tools.values()].map((tool) => ({ name: tool.name, input: parsed(tool.text) }))
  return { text, thinking, tools: called, input: usage?.prompt_tokens, output }
}

export const messagesSource = (frames: ReadonlyArray<unknown>): Answer => {
  const tools = new Map<number, { readonly name: string; readonly text: string }>()
  let text = ""
  let thinking = ""
  const usage: Record<string, number> = {}
  for (const { index = -1, ...event } of frames as ReadonlyArray<MessagesEvent>) {
    Object.assign(usage, event.message?.usage ?? event.usage)
    if (event.content_block?.type === "tool_use")
      tools.set(index, { name: event.content_block.name ?? "", text: "" })
    text += event.delta?.text ?? ""
    thinking += event.delta?.thinking ?? ""
    const tool = tools.get(index)
    if (tool !== undefined) tools.set(index, { ...tool, text: tool.text + (event.delta?.partial_json ?? "") })
  }
  const cached = (usage.cache_read_input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0)
  const called = [...tools.values()].map((tool) => ({ name: tool.name, input: parsed(tool.text) }))
  return { text, thinking, tools: called, input: usage.input_tokens! + cached, output: usage.output_tokens }
}

export const messagesAnswer = (message: Anthropic.Message): Answer => ({
  text: message.content.map((block) => (block.type === "text" ? block.text : "")).join(""),
  thinking: message.content.map((block) => (block.type === "thinking" ? block.thinking : "")).join(""),
  tools: message.content.flatMap((block) =>
    block.type === "tool_use" ? [{ name: block.name, input: block.input }] : []
  ),
  input:
    message.usage.input_tokens +
    (message.usage.cache_read_input_tokens ?? 0) +
    (message.usage.cache_creation_input_tokens ?? 0),
  output: message.usage.output_tokens
})

/** The SDK keeps only the last piece of a field it does not know, so the thinking is added up from the chunks. */
export const chatAnswer = (completion: OpenAI.ChatCompletion, frames: ReadonlyArray<unknown>): Answer => {
  const message = completion.choices[0]!.message
  return {
    text: message.content ?? "",
    thinking: chunksOf(frames)
      .map((chunk) => chunk.choices?.[0]?.delta?.reasoning_content ?? "")
      .join(""),
    tools: (message.tool_calls ?? []).flatMap((call) =>
      call.type === "function" ? [{ name: call.function.name, input: parsed(call.function.arguments) }] : []
    ),
    input: completion.usage?.prompt_tokens,
    output: completion.usage?.completion_tokens
  }
}

export const responsesAnswer = (response: OpenAIResponse): Answer => ({
  text: response.output
    .flatMap((item) => (item.type === "message" ? item.content : []))
    .map((part) => (part.type === "refusal" ? part.refusal : part.text))
    .join(""),
  thinking: response.output
    .flatMap((item) => (item.type === "reasoning" ? item.summary.map(({ text }) => text) : []))
    .join(""),
  tools: response.output.flatMap((item) =>
    item.type === "function_call" ? [{ name: item.name, input: JSON.parse(item.arguments) as unknown }] : []
  ),
  input: response.usage?.input_tokens,
  output: response.usage?.output_tokens
})

/** In pieces of every kind of size, one byte each among them, and in two at each place near the ends. */
export const sameWhereverCut = (
  bytes: Buffer,
  make: () => StreamCodec,
  family: EndpointFamily,
  ends = 300
) => {
  const runOf = (pieces: ReadonlyArray<Buffer>) =>
    // The only thing in it that is not of the stream itself.
    runCodec(make(), pieces, family).replace(/"completed_at":\d+/, '"completed_at":0')
  const whole = runOf([bytes])
  for (const size of [1, 2, 3, 5, 17, 1_460]) assert.strictEqual(runOf(inPieces(bytes, size)), whole)
  for (let cut = 1; cut < bytes.length; cut++) {
    if (cut > ends && cut < bytes.length - ends) continue
    assert.strictEqual(runOf([bytes.subarray(0, cut), bytes.subarray(cut)]), whole)
  }
}
