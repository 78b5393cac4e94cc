/** An answer must come to the same whether it was told whole or as a stream, as the official clients put it together. */
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { ChatCompletionStream } from "openai/lib/ChatCompletionStream"
import { pairs } from "../../../src/formats/pairs.ts"
import { chatResponseToMessages } from "../../../src/formats/convert/chat-to-messages/answer.ts"
import { messagesResponseToChat } from "../../../src/formats/convert/messages-to-chat/answer.ts"
import type { JsonObject } from "../../../src/formats/json/json.ts"
import type { StreamCodec } from "../../../src/formats/stream/stream-codec.ts"
import { writeOrigin } from "../../../src/formats/convert/tool-origin.ts"
import { Random } from "../../Random.ts"
import { contextFor } from "../../wire/models.ts"
import { readFrames, runCodec } from "../../wire/stream-runner.ts"
import { accumulate } from "../bedrock-fixtures.ts"
import { begins, chunk, finish, goesOn } from "./chat-streams.ts"

const random = new Random(7)
const some = <A>(most: number, make: (place: number) => A): ReadonlyArray<A> =>
  Array.from({ length: random.below(most + 1) }, (_, place) => make(place))
const words = () =>
  `w${some(5, () => random.pick(["Huế", " ", "\n", "😀", '"', "\\", "}", "data: ", "[DONE]"])).join("")}`

const inPieces = <A extends string | Buffer>(whole: A, most: number): ReadonlyArray<A> => {
  const pieces: Array<A> = []
  for (let start = 0, end = 0; start < whole.length; start = end) {
    end = start + 1 + random.below(most)
    pieces.push((typeof whole === "string" ? whole.slice(start, end) : whole.subarray(start, end)) as A)
  }
  return pieces
}

/** What a model answers, as neither protocol tells it. */
const compose = () => {
  const input = () => Object.fromEntries(some(2, (place) => [`k${place}`, words()]))
  const calls = some(3, (place) => ({ id: `id_${place}`, name: random.pick(["f", "g"]), input: input() }))
  const counts = { input: 1 + random.below(50), cached: random.below(9), output: 10 + random.below(50) }
  return { calls, counts, isCut: random.chance(0.2), text: words(), thinking: random.pick(["", words()]) }
}
type Answer = ReturnType<typeof compose>

/** The client's events, from an upstream's that come cut anywhere. */
const streamed = (codec: StreamCodec, events: ReadonlyArray<JsonObject>, family: "chat" | "messages") => {
  const bytes = Buffer.from(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""))
  return readFrames(runCodec(codec, inPieces(bytes, 40), family)).filter((frame) => frame !== "[DONE]")
}

const chatAnswer = ({ calls, counts, isCut, text, thinking }: Answer) => {
  const tool_calls = calls.map(({ id, input, name }) => ({
    id,
    type: "function",
    function: { name, arguments: JSON.stringify(input) }
  }))
  const message = { role: "assistant", content: text, reasoning_content: thinking, tool_calls }
  const finish_reason = isCut ? "length" : calls.length > 0 ? "tool_calls" : "stop"
  const usage = {
    prompt_tokens: counts.input + counts.cached,
    completion_tokens: counts.output,
    prompt_tokens_details: { cached_tokens: counts.cached },
    completion_tokens_details: { reasoning_tokens: 3 }
  }
  return { choices: [{ index: 0, message, finish_reason }], usage }
}

/** The pieces of all calls in any order, each call's own in theirs. */
const chatChunks = ({ choices: [choice], usage }: ReturnType<typeof chatAnswer>) => {
  const { content, reasoning_content, tool_calls } = choice!.message
  const open = tool_calls.map(({ function: { arguments: input, name }, id }, index) => ({
    pieces: inPieces(input, 5).map((piece) => goesOn(index, piece)),
    start: begins(index, id, name)
  }))
  const calls: Array<JsonObject> = open.map(({ start }) => start)
  while (open.some(({ pieces }) => pieces.length > 0)) {
    const { pieces } = random.pick(open)
    calls.push(...pieces.splice(0, 1))
  }
  return [
    ...inPieces(reasoning_content, 5).map((piece) => chunk({ reasoning_content: piece })),
    ...inPieces(content, 5).map((piece) => chunk({ content: piece })),
    ...calls.map((call) => chunk({ tool_calls: [call] })),
    finish(choice!.finish_reason),
    { choices: [], usage }
  ]
}

const messagesAnswer = ({ calls, counts, isCut, text, thinking }: Answer) => ({
  content: [
    ...(thinking === "" ? [] : [{ type: "thinking", thinking, signature: "s" }]),
    { type: "text", text },
    ...calls.map((call) => ({ type: "tool_use", ...call }))
  ] as ReadonlyArray<JsonObject>,
  stop_reason: isCut ? "max_tokens" : calls.length > 0 ? "tool_use" : "end_turn",
  usage: {
    input_tokens: counts.input,
    cache_read_input_tokens: counts.cached,
    output_tokens: counts.output
  }
})

const messagesEvents = ({ content, stop_reason, usage }: ReturnType<typeof messagesAnswer>) => [
  { type: "message_start", message: { usage: { ...usage, output_tokens: 1 } } },
  ...content.flatMap((block, index) => {
    const deltas = (field: "text" | "thinking" | "partial_json", type: string, whole: string) =>
      inPieces(whole, 5).map((piece) => ({
        type: "content_block_delta",
        index,
        delta: { type, [field]: piece }
      }))
    const [empty, pieces] =
      block.type === "tool_use"
        ? [{ input: {} }, deltas("partial_json", "input_json_delta", JSON.stringify(block.input))]
        : block.type === "text"
          ? [{ text: "" }, deltas("text", "text_delta", String(block.text))]
          : [{ thinking: "" }, deltas("thinking", "thinking_delta", String(block.thinking))]
    const start = { type: "content_block_start", index, content_block: { ...block, ...empty } }
    return [start, ...pieces, { type: "content_block_stop", index }]
  }),
  { type: "message_delta", delta: { stop_reason }, usage: { output_tokens: usage.output_tokens } },
  { type: "message_stop" }
]

const runs = 60

describe("an answer that is streamed is the answer that is told whole", () => {
  it("from a chat upstream to a Messages client, whatever the order of the pieces of calls", async () => {
    for (let run = 0; run < runs; run++) {
      const answer = chatAnswer(compose())
      const events = streamed(
        pairs.messages.chat_completions.stream(contextFor()),
        chatChunks(answer),
        "messages"
      )
      const whole = Result.getOrThrow(chatResponseToMessages(answer as JsonObject, contextFor()))
      const { content, stop_reason, usage } = await accumulate(events as ReadonlyArray<JsonObject>)
      assert.deepStrictEqual(JSON.parse(JSON.stringify(content)), whole.content)
      assert.strictEqual(stop_reason as unknown, whole.stop_reason)
      assert.deepStrictEqual(usage as unknown, whole.usage)
    }
  })

  it("from a Messages upstream to a chat client", async () => {
    for (let run = 0; run < runs; run++) {
      const answer = messagesAnswer(compose())
      const chunks = streamed(
        pairs.chat_completions.messages.stream(contextFor()),
        messagesEvents(answer),
        "chat"
      )
      const lines = new Blob(chunks.map((one) => `${JSON.stringify(one)}\n`)).stream()
      const { choices, usage } = await ChatCompletionStream.fromReadableStream(lines).finalChatCompletion()
      const whole = Result.getOrThrow(messagesResponseToChat(answer, contextFor()))
      const [told] = whole.choices as ReadonlyArray<JsonObject & { readonly message: JsonObject }>
      const { content, tool_calls } = choices[0]!.message
      assert.strictEqual(content, told!.message.content)
      assert.deepEqual(JSON.parse(JSON.stringify(tool_calls ?? [])), told!.message.tool_calls ?? [])
      assert.strictEqual(choices[0]!.finish_reason as unknown, told!.finish_reason)
      assert.deepStrictEqual(usage as unknown, whole.usage)
    }
  })

  it.each(['{"b":1.0, "2":"x"}', '["a"]', '"text"', '{"cut":', ""])(
    "from a chat upstream to a Responses client, of calls that are made with %j",
    (written) => {
      const toolNames = new Map([["g", writeOrigin({ name: "g", namespace: undefined, isCustom: true })]])
      const context = contextFor("a-model", { tellsRefusals: true, keepsArguments: true, toolNames })
      const pair = pairs.responses.chat_completions
      const calls = ["f", "g"].map((name, index) => ({
        index,
        id: `id_${name}`,
        type: "function",
        function: { name, arguments: written }
      }))
      const choice = { index: 0, message: { tool_calls: calls }, finish_reason: "tool_calls" }
      const told = pair.answer({ choices: [choice] }, Buffer.alloc(0), context)
      const whole = JSON.parse(Buffer.from(Result.getOrThrow(told)).toString())
      const chunks = [...calls.map((call) => chunk({ tool_calls: [call] })), finish("tool_calls")]
      const bytes = Buffer.from(chunks.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(""))
      const { response } = readFrames(runCodec(pair.stream(context), [bytes], "responses")).at(
        -1
      ) as JsonObject
      assert.deepStrictEqual((response as JsonObject).output, whole.output)
    }
  )
})
