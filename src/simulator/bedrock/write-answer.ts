/** A turn as Converse writes it: one body, or the frames of its stream. */
import type { Frame } from "../http/Answer.ts"
import { parseArguments } from "../turn/parse-arguments.ts"
import { joinPieces } from "../turn/vocabulary.ts"
import type { Stop, ToolCall, Turn } from "../turn/Turn.ts"
import { eventFrame } from "./frames.ts"

const stopReasons: Readonly<Record<Stop, string>> = {
  end: "end_turn",
  length: "max_tokens",
  stop_sequence: "stop_sequence",
  tool_use: "tool_use",
  refusal: "guardrail_intervened"
}

const refusalText = "Sorry, the model cannot answer this question."
const metrics = { latencyMs: 1 }

export const writeBody = (turn: Turn): string =>
  JSON.stringify({
    metrics,
    output: {
      message: { role: "assistant", content: [...reasoning(turn), ...text(turn), ...turn.calls.map(toolUse)] }
    },
    stopReason: stopReasons[turn.stop],
    ...(turn.usage && { usage: usageOf(turn) })
  })

const reasoning = ({ thinking }: Turn) => {
  if (thinking === undefined) return []
  return thinking.redacted === undefined
    ? [
        {
          reasoningContent: {
            reasoningText: { text: joinPieces(thinking.pieces), signature: thinking.signature }
          }
        }
      ]
    : [{ reasoningContent: { redactedContent: Buffer.from(thinking.redacted).toString("base64") } }]
}

const text = (turn: Turn) => {
  if (turn.stop === "refusal") return [{ text: refusalText }]
  return turn.text.count === 0 ? [] : [{ text: joinPieces(turn.text) }]
}

const toolUse = (call: ToolCall) => ({
  toolUse: { toolUseId: call.id, name: call.name, input: parseArguments(call) }
})

const usageOf = ({ usage }: Turn) =>
  usage && {
    inputTokens: usage.input,
    outputTokens: usage.output,
    totalTokens: usage.input + usage.cacheRead + usage.cacheWrite + usage.output,
    cacheReadInputTokens: usage.cacheRead,
    cacheWriteInputTokens: usage.cacheWrite
  }

export function* writeFrames(turn: Turn): Generator<Frame> {
  yield eventFrame("messageStart", '{"role":"assistant"}')
  let index = 0
  const { thinking } = turn
  if (thinking?.redacted !== undefined) {
    const data = Buffer.from(thinking.redacted).toString("base64")
    yield delta(index, { reasoningContent: { redactedContent: data } })
    yield stopBlock(index++)
  } else if (thinking !== undefined) {
    for (let at = 0; at < thinking.pieces.count; at++)
      yield delta(index, { reasoningContent: { text: thinking.pieces.at(at) } })
    yield delta(index, { reasoningContent: { signature: thinking.signature } })
    yield stopBlock(index++)
  }
  if (turn.text.count > 0 || turn.stop === "refusal") {
    if (turn.stop === "refusal") yield delta(index, { text: refusalText })
    for (let at = 0; at < turn.text.count; at++) yield delta(index, { text: turn.text.at(at) })
    yield stopBlock(index++)
  }
  for (const call of turn.calls) {
    const start = { toolUse: { toolUseId: call.id, name: call.name } }
    yield eventFrame("contentBlockStart", JSON.stringify({ contentBlockIndex: index, start }))
    for (let at = 0; at < call.arguments.count; at++)
      yield delta(index, { toolUse: { input: call.arguments.at(at) } })
    yield stopBlock(index++)
  }
  yield eventFrame("messageStop", JSON.stringify({ stopReason: stopReasons[turn.stop] }))
  yield eventFrame("metadata", JSON.stringify({ metrics, ...(turn.usage && { usage: usageOf(turn) }) }))
}

const delta = (contentBlockIndex: number, content: object): Frame =>
  eventFrame("contentBlockDelta", JSON.stringify({ contentBlockIndex, delta: content }))

const stopBlock = (contentBlockIndex: number): Frame =>
  eventFrame("contentBlockStop", JSON.stringify({ contentBlockIndex }))
