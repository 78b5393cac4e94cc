/** Streams of many small events, each in the form that its provider writes it in. */
import { chunkFrame, eventFrame } from "../../src/simulator/bedrock/frames.ts"

export type Wire = "messages" | "chat_completions" | "responses" | "invoke" | "converse"
/** What all events but the first and the last are pieces of. */
export type Kind = "text" | "thinking" | "input"

export const kinds: ReadonlyArray<Kind> = ["text", "thinking", "input"]

const said = [
  "The",
  " quick",
  " brown",
  " fox,",
  "\n\n",
  ' "jumps"',
  " over",
  " xin chào",
  " the",
  " lazy",
  " dog",
  "."
]
const called = ['{"pa', "th", '":', ' "src', "/main", ".ts", '",\\n', "text", '": "', "let", " x", "; "]

/** `count` pieces; those of an input make a whole object. */
const piecesOf = (kind: Kind, count: number): ReadonlyArray<string> => {
  const from = kind === "input" ? called : said
  const pieces = Array.from({ length: count }, (_, index) => from[index % from.length]!)
  return kind === "input"
    ? [`{"input":"`, ...pieces.slice(2).map((piece) => piece.replace(/["\\]/g, "")), `"}`]
    : pieces
}

export const streamOf = (wire: Wire, kind: Kind, count: number): ReadonlyArray<Buffer> =>
  writers[wire](kind, piecesOf(kind, count))

const named = (event: { readonly type: string }, padding = ""): Buffer =>
  Buffer.from(`event: ${event.type}\ndata: ${JSON.stringify(event).slice(0, -1)}${padding}}\n\n`)
const data = (event: object | string): Buffer =>
  Buffer.from(`data: ${typeof event === "string" ? event : JSON.stringify(event)}\n\n`)
const obfuscation = (index: number): string => "LxNR3tIAhbqCpeGz".slice(index % 12)

type Writer = (kind: Kind, pieces: ReadonlyArray<string>) => ReadonlyArray<Buffer>

const messagesEvents = (
  kind: Kind,
  pieces: ReadonlyArray<string>
): ReadonlyArray<{ readonly type: string }> => {
  const block = {
    text: { type: "text", text: "" },
    thinking: { type: "thinking", thinking: "", signature: "" },
    input: { type: "tool_use", id: "toolu_01", name: "write_file", input: {} }
  }[kind]
  const delta = (piece: string) =>
    ({
      text: { type: "text_delta", text: piece },
      thinking: { type: "thinking_delta", thinking: piece },
      input: { type: "input_json_delta", partial_json: piece }
    })[kind]
  const usage = {
    input_tokens: 20,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens: 1
  }
  const message = { model: "claude", id: "msg_01", type: "message", role: "assistant", content: [], usage }
  const stop = { stop_reason: kind === "input" ? "tool_use" : "end_turn", stop_sequence: null }
  const events = [
    { type: "message_start", message },
    { type: "content_block_start", index: 0, content_block: block },
    ...pieces.map((piece) => ({ type: "content_block_delta", index: 0, delta: delta(piece) })),
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: stop, usage: { ...usage, output_tokens: pieces.length } },
    { type: "message_stop" }
  ]
  return events
}

const chat: Writer = (kind, pieces) => {
  const chunk = (delta: object, finish: string | null, index = 0) =>
    data({
      id: "chatcmpl-CoDWl5rS0pF10P0W0TDVgY3NA26dk",
      object: "chat.completion.chunk",
      created: 1766084435,
      model: "gpt-4o-2024-08-06",
      service_tier: "default",
      system_fingerprint: "fp_deacdd5f6f",
      choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
      usage: null,
      ...(kind !== "thinking" && { obfuscation: obfuscation(index) })
    })
  const delta = (piece: string) =>
    ({
      text: { content: piece },
      thinking: { content: null, reasoning_content: piece },
      input: { tool_calls: [{ index: 0, function: { arguments: piece } }] }
    })[kind]
  const call = { index: 0, id: "call_01", type: "function", function: { name: "write_file", arguments: "" } }
  const usage = { prompt_tokens: 20, completion_tokens: pieces.length, total_tokens: 20 + pieces.length }
  return [
    chunk({ role: "assistant", content: "", refusal: null }, null),
    ...(kind === "input" ? [chunk({ tool_calls: [call] }, null)] : []),
    ...pieces.map((piece, index) => chunk(delta(piece), null, index)),
    chunk({}, kind === "input" ? "tool_calls" : "stop"),
    data({
      id: "chatcmpl-CoDWl5rS0pF10P0W0TDVgY3NA26dk",
      object: "chat.completion.chunk",
      choices: [],
      usage
    }),
    data("[DONE]")
  ]
}

const responses: Writer = (kind, pieces) => {
  let sequence = 0
  const event = (type: string, members: object) =>
    named({ type, sequence_number: sequence++, ...members } as { type: string })
  const id = "msg_0360bd45725b0a010068f966a601b081958e95c4085b086532"
  const item = {
    text: { id, type: "message", status: "in_progress", content: [], role: "assistant" },
    thinking: { id, type: "reasoning", summary: [] },
    input: {
      id,
      type: "function_call",
      status: "in_progress",
      arguments: "",
      call_id: "call_01",
      name: "write_file"
    }
  }[kind]
  const whole = pieces.join("")
  const done = {
    text: { ...item, status: "completed", content: [{ type: "output_text", annotations: [], text: whole }] },
    thinking: { ...item, summary: [{ type: "summary_text", text: whole }] },
    input: { ...item, status: "completed", arguments: whole }
  }[kind]
  const place = { item_id: id, output_index: 0 }
  const delta = (piece: string, index: number) => {
    const hidden = { obfuscation: obfuscation(index) }
    if (kind === "text")
      return event("response.output_text.delta", {
        ...place,
        content_index: 0,
        delta: piece,
        logprobs: [],
        ...hidden
      })
    return kind === "thinking"
      ? event("response.reasoning_summary_text.delta", {
          ...place,
          summary_index: 0,
          delta: piece,
          ...hidden
        })
      : event("response.function_call_arguments.delta", { ...place, delta: piece, ...hidden })
  }
  const usage = { input_tokens: 20, output_tokens: pieces.length, total_tokens: 20 + pieces.length }
  const response = { id: "resp_01", object: "response", status: "in_progress", output: [], usage: null }
  return [
    event("response.created", { response }),
    event("response.in_progress", { response }),
    event("response.output_item.added", { output_index: 0, item }),
    ...pieces.map(delta),
    event("response.output_item.done", { output_index: 0, item: done }),
    event("response.completed", { response: { ...response, status: "completed", output: [done], usage } })
  ]
}

const converse: Writer = (kind, pieces) => {
  const event = (type: string, members: object) => Buffer.from(eventFrame(type, JSON.stringify(members)))
  const delta = (piece: string) =>
    ({
      text: { text: piece },
      thinking: { reasoningContent: { text: piece } },
      input: { toolUse: { input: piece } }
    })[kind]
  const start = { toolUse: { toolUseId: "tooluse_01", name: "write_file" } }
  return [
    event("messageStart", { role: "assistant" }),
    ...(kind === "input" ? [event("contentBlockStart", { contentBlockIndex: 0, start })] : []),
    ...pieces.map((piece) => event("contentBlockDelta", { contentBlockIndex: 0, delta: delta(piece) })),
    event("contentBlockStop", { contentBlockIndex: 0 }),
    event("messageStop", { stopReason: kind === "input" ? "tool_use" : "end_turn" }),
    event("metadata", {
      usage: { inputTokens: 20, outputTokens: pieces.length, totalTokens: 20 + pieces.length }
    })
  ]
}

const writers: Readonly<Record<Wire, Writer>> = {
  // Spaces hide how long a piece is.
  messages: (kind, pieces) =>
    messagesEvents(kind, pieces).map((event, index) => named(event, " ".repeat(index % 14))),
  chat_completions: chat,
  responses,
  invoke: (kind, pieces) =>
    messagesEvents(kind, pieces).map((event) => Buffer.from(chunkFrame(JSON.stringify(event)))),
  converse
}
