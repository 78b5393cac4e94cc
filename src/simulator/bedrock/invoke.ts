/** InvokeModel and its stream for Claude: the Messages protocol without model and stream, wrapped in AWS's frames. */
import { isJsonObject, listOf } from "../../formats/json/json.ts"
import { type Frame, plainJson } from "../http/Answer.ts"
import { bedrockAnthropicToolId, bedrockMessageId } from "../make-id.ts"
import { promptOf, readAsk } from "../messages/read-ask.ts"
import { bodyRules } from "../messages/rules.ts"
import { writeBody, writeEvents } from "../messages/write-answer.ts"
import { isClaude, isMissing } from "../models.ts"
import { type Call, firstComplaint, parseJson, type Protocol, type Request, type Rule } from "../Protocol.ts"
import type { Turn } from "../turn/Turn.ts"
import { composeTurn } from "../turn/compose-turn.ts"
import { authenticate } from "./authenticate.ts"
import { chunkFrame, contentType, wire } from "./frames.ts"
import { refuse, successHeaders } from "./refuse.ts"

export const modelOf = ({ path }: Call): string =>
  decodeURIComponent(/\/model\/([^/]+)\//.exec(path)?.[1] ?? "")

/** AWS takes fewer flags than the provider itself, and refuses the others. */
export const knownBetas = new Set([
  "computer-use-2024-10-22",
  "computer-use-2025-01-24",
  "computer-use-2025-11-24",
  "token-efficient-tools-2025-02-19",
  "interleaved-thinking-2025-05-14",
  "output-128k-2025-02-19",
  "dev-full-thinking-2025-05-14",
  "context-1m-2025-08-07",
  "context-management-2025-06-27",
  "effort-2025-11-24",
  "tool-search-tool-2025-10-19",
  "tool-examples-2025-10-29",
  "fine-grained-tool-streaming-2025-05-14",
  "compact-2026-01-12",
  "fallback-credit-2026-06-09",
  "dangerous-tool-use-2026-09-03",
  "mid-conversation-output-config-2026-07-01",
  "mid-conversation-tool-changes-2026-07-01",
  "inline-tools-2026-09-15",
  "thinking-binding-controls-2026-08-01",
  "thinking-display-updates-2026-08-18"
])

const version: Rule<Request> = ({ body }) => {
  if (body["anthropic_version"] === undefined) return { message: "anthropic_version: Field required" }
  return body["anthropic_version"] === "bedrock-2023-05-31"
    ? undefined
    : { message: "anthropic_version: Invalid API version" }
}

const betas: Rule<Request> = ({ body }) =>
  listOf(body["anthropic_beta"]).some((flag) => !knownBetas.has(String(flag)))
    ? { message: "invalid beta flag" }
    : undefined

const toolNames: Rule<Request> = ({ body }) => {
  for (const [index, tool] of listOf(body["tools"]).entries())
    if (isJsonObject(tool) && typeof tool["name"] === "string" && tool["name"].length > 64)
      return { message: `tools.${index}.custom.name: String should have at most 64 characters` }
  return undefined
}

const urlSources: Rule<Request> = ({ body }) =>
  /"source":\{[^{}]*"type":"url"/.test(JSON.stringify(body["messages"] ?? []))
    ? { message: "messages: URL sources are not supported" }
    : undefined

/** Source: anthropics/anthropic-sdk-python #1107. */
const callers: Rule<Request> = ({ body }) => {
  for (const [index, message] of listOf(body["messages"]).entries())
    for (const [place, block] of listOf(isJsonObject(message) ? message["content"] : undefined).entries())
      if (isJsonObject(block) && block["caller"] !== undefined)
        return {
          message: `messages.${index}.content.${place}.${String(block["type"])}.caller: Extra inputs are not permitted`
        }
  return undefined
}

const rules: ReadonlyArray<Rule<Request>> = [
  version,
  betas,
  callers,
  ...bodyRules(["anthropic_version", "anthropic_beta"]),
  toolNames,
  urlSources
]

export const bedrockInvoke: Protocol = {
  refuse,
  overloaded: 503,
  authenticate,
  parse: (call) =>
    parseJson(call, { message: "Malformed input request, please reformat your input and try again." }),
  model: (call) => modelOf(call),
  prompt: promptOf,
  answer: (request) => {
    const { model, call } = request
    if (isMissing(model) || model === "") return { message: "The provided model identifier is invalid." }
    if (!isClaude(model)) return { message: "The simulator answers InvokeModel for Claude models alone." }
    const complaint = firstComplaint(rules, request)
    if (complaint !== undefined) return complaint
    const turn = composeTurn(readAsk(request, bedrockAnthropicToolId))
    const identity = { id: bedrockMessageId(), model: model.replace(/^.*anthropic\./, "") }
    if (!call.path.endsWith("/invoke-with-response-stream"))
      return plainJson(200, [...successHeaders(), ...countHeaders(turn)], writeBody(identity, turn))
    const headers = [
      contentType,
      ["x-amzn-bedrock-content-type", "application/json"] as const,
      ...successHeaders()
    ]
    return { kind: "stream", status: 200, headers, frames: frames(identity, turn), wire }
  }
}

const countHeaders = ({ usage }: Turn) =>
  usage === undefined
    ? []
    : [
        ["x-amzn-bedrock-input-token-count", `${usage.input}`] as const,
        ["x-amzn-bedrock-output-token-count", `${usage.output}`] as const,
        ["x-amzn-bedrock-invocation-latency", "1"] as const
      ]

function* frames(identity: { readonly id: string; readonly model: string }, turn: Turn): Generator<Frame> {
  for (const [name, json] of writeEvents(identity, turn)) {
    if (name === "ping") continue
    yield chunkFrame(name === "message_stop" && turn.usage !== undefined ? withMetrics(json, turn) : json)
  }
}

const withMetrics = (json: string, { usage }: Turn): string =>
  `${json.slice(0, -1)},"amazon-bedrock-invocationMetrics":${JSON.stringify({
    inputTokenCount: usage?.input,
    outputTokenCount: usage?.output,
    invocationLatency: 1,
    firstByteLatency: 1,
    cacheReadInputTokenCount: usage?.cacheRead,
    cacheWriteInputTokenCount: usage?.cacheWrite
  })}}`
