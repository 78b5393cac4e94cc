/** A turn as the chat protocol writes it: one body, or chunks. */
import type { Frame } from "../http/Answer.ts"
import { isMistral } from "../models.ts"
import type { Settings } from "../settings.ts"
import { joinPieces } from "../turn/vocabulary.ts"
import type { Stop, Turn, TurnUsage } from "../turn/Turn.ts"
import { toolChunks } from "./write-tool-chunks.ts"
import { refusalText, refusalWords } from "../openai/words.ts"

export interface Completion {
  readonly id: string
  readonly model: string
  readonly created: number
  readonly settings: Settings
  /** How many answers were asked for. */
  readonly choices: number
  readonly includeUsage: boolean
}

const finishReasons: Readonly<Record<Stop, string>> = {
  end: "stop",
  length: "length",
  stop_sequence: "stop",
  tool_use: "tool_calls",
  refusal: "stop"
}

export const writeBody = (completion: Completion, turn: Turn): string => {
  const { id, model, created, choices, settings } = completion
  const usage = usageOf(turn.usage, settings, choices)
  return JSON.stringify({
    id,
    object: "chat.completion",
    created,
    model,
    choices: Array.from({ length: choices }, (_, index) => ({
      index,
      message: message(turn),
      logprobs: null,
      finish_reason: finishReasons[turn.stop]
    })),
    ...(usage && { usage }),
    service_tier: "default",
    system_fingerprint: "fp_simulator"
  })
}

const message = (turn: Turn) => ({
  role: "assistant",
  content:
    turn.text.count === 0 && (turn.calls.length > 0 || turn.stop === "refusal")
      ? null
      : joinPieces(turn.text),
  ...(turn.thinking && { reasoning_content: joinPieces(turn.thinking.pieces) }),
  ...(turn.calls.length > 0 && {
    tool_calls: turn.calls.map((call) => ({
      id: call.id,
      type: "function",
      function: { name: call.name, arguments: joinPieces(call.arguments) }
    }))
  }),
  refusal: turn.stop === "refusal" ? refusalText : null,
  annotations: []
})

const usageOf = (usage: TurnUsage | undefined, settings: Settings, choices: number) => {
  if (usage === undefined) return undefined
  const prompt = usage.input + usage.cacheRead + usage.cacheWrite
  const output = usage.output * choices
  // Some providers leave reasoning out of the completion and count it in the total alone.
  const completion = settings.usage === "split" ? output - usage.reasoning : output
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + output,
    prompt_tokens_details: { cached_tokens: usage.cacheRead, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: usage.reasoning,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0
    }
  }
}

export function* writeChunks(completion: Completion, turn: Turn): Generator<Frame> {
  const { settings, choices, includeUsage } = completion
  const opening = `data: {"id":"${completion.id}","object":"chat.completion.chunk","created":${completion.created},"model":${JSON.stringify(completion.model)},"service_tier":"default","system_fingerprint":"fp_simulator",`
  const usage = usageOf(turn.usage, settings, choices)
  const onFinish = settings.usage === "finish" || isMistral(completion.model)
  const noUsage = includeUsage && !onFinish ? ',"usage":null' : ""
  const rest = `,"logprobs":null,"finish_reason":null}]${noUsage}}\n\n`
  // Several answers grow side by side.
  const chunks = Array.from(
    { length: choices },
    (_, index) => `${opening}"choices":[{"index":${index},"delta":`
  )
  for (const chunk of chunks) yield `${chunk}${firstDelta(turn)}${rest}`
  for (const delta of deltas(turn, settings)) for (const chunk of chunks) yield `${chunk}${delta}${rest}`
  const finishUsage = onFinish && usage !== undefined ? `,"usage":${JSON.stringify(usage)}` : noUsage
  for (const chunk of chunks)
    yield `${chunk}{},"logprobs":null,"finish_reason":"${finishReasons[turn.stop]}"}]${finishUsage}}\n\n`
  if (includeUsage && usage !== undefined && !onFinish)
    yield `${opening}"choices":[],"usage":${JSON.stringify(usage)}}\n\n`
  yield "data: [DONE]\n\n"
}

const firstDelta = (turn: Turn): string => {
  if (turn.stop === "refusal") return '{"role":"assistant","content":null,"refusal":""}'
  if (turn.thinking !== undefined) return '{"role":"assistant","content":null,"reasoning_content":""}'
  return turn.text.count === 0 && turn.calls.length > 0
    ? '{"role":"assistant","content":null}'
    : '{"role":"assistant","content":"","refusal":null}'
}

function* deltas(turn: Turn, settings: Settings): Generator<string> {
  if (turn.stop === "refusal") for (const word of refusalWords) yield `{"refusal":${JSON.stringify(word)}}`
  const thoughts = turn.thinking?.pieces
  if (thoughts !== undefined)
    for (let at = 0; at < thoughts.count; at++)
      yield `{"content":null,"reasoning_content":${JSON.stringify(thoughts.at(at))}}`
  for (let at = 0; at < turn.text.count; at++) yield `{"content":${JSON.stringify(turn.text.at(at))}}`
  yield* toolChunks(turn.calls, settings.tools)
}
