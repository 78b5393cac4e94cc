/** The deltas of tool calls in the orders that real providers are known to use. */
import type { Settings } from "../settings.ts"
import type { ToolCall } from "../turn/Turn.ts"
import { joinPieces } from "../turn/vocabulary.ts"

export function* toolChunks(calls: ReadonlyArray<ToolCall>, order: Settings["tools"]): Generator<string> {
  if (order === "bundled") return yield* bundled(calls)
  if (order === "interleaved") return yield* interleaved(calls)
  for (const [index, call] of calls.entries()) {
    yield start(index, call)
    for (let at = 0; at < call.arguments.count; at++) yield part(index, call, at)
  }
}

/** Name and whole arguments in one chunk. */
function* bundled(calls: ReadonlyArray<ToolCall>): Generator<string> {
  for (const [index, call] of calls.entries()) yield start(index, call, joinPieces(call.arguments))
}

/** Pieces of all calls in turn. */
function* interleaved(calls: ReadonlyArray<ToolCall>): Generator<string> {
  for (const [index, call] of calls.entries()) yield start(index, call)
  const longest = Math.max(0, ...calls.map((call) => call.arguments.count))
  for (let at = 0; at < longest; at++)
    for (const [index, call] of calls.entries()) if (at < call.arguments.count) yield part(index, call, at)
}

const start = (index: number, call: ToolCall, argumentsText = ""): string =>
  `{"tool_calls":[${JSON.stringify({
    index,
    id: call.id,
    type: "function",
    function: { name: call.name, arguments: argumentsText }
  })}]}`

const part = (index: number, call: ToolCall, at: number): string =>
  `{"tool_calls":[{"index":${index},"function":{"arguments":${JSON.stringify(call.arguments.at(at))}}}]}`
