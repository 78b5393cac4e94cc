/** InvokeModel and its stream for Claude: the Messages protocol without model and stream, wrapped in AWS's frames. */
import { isJsonObject, listOf } from "../../formats/json/json.ts"
import { type Frame, plainJson } from "../http/Answer.ts"
import { bedrockAnthropicToolId, bedrockMessageId } from "../make-id.ts"
import { promptOf, readAsk } from "../messages/read-ask.ts"
import { bodyRules } from "../messages/rules.ts"
import { writeBody, writeEvents } from "../messages/write-answer.ts"
import { isClaude } from "../models.ts"
import { firstComplaint, parseJson, type Protocol, type Request, type Rule } from "../Protocol.ts"
import type { Turn } from "../turn/Turn.ts"
import { composeTurn } from "../turn/compose-turn.ts"
import { bedrock, isUnknown, unknownModel } from "./bedrock.ts"
import { chunkFrame, contentType, wire } from "./frames.ts"
import { successHeaders } from "./refuse.ts"
import { knownBetas } from "./known-betas.ts"

const version: Rule<Request> = ({ body }) => {
  if (body["anthropic_version"] === undefined) return { message: "anthropic_version: Field required" }
  return body["anthropic_version"] === "bedrock-2023-05-31"
    ? undefined
    : { message: "anthropic_version: Invalid API version" }
}

const betas: Rule<Request> = ({ body }) =>
  listOf(body["anthropic_beta"]).some((beta) => !knownBetas.has(String(beta)))
    ? { message: "invalid beta flag" }
    : undefined

/** Source: docs.aws.amazon.com, Bedrock user guide, "Compaction". */
const compaction: Rule<Request> = ({ body }) =>
  isJsonObject(body["compaction"]) && !listOf(body["anthropic_beta"]).includes("compact-2026-09-04")
    ? { message: "compaction: Extra inputs are not permitted" }
    : undefined

/** Source: docs.aws.amazon.com, Bedrock user guide, "Tool use". */
const toolExamples: Rule<Request> = ({ body }) => {
  if (listOf(body["anthropic_beta"]).includes("tool-examples-2025-10-29")) return undefined
  for (const [index, tool] of listOf(body["tools"]).entries())
    if (isJsonObject(tool) && tool["input_examples"] !== undefined)
      return { message: `tools.${index}.custom.input_examples: Extra inputs are not permitted` }
  return undefined
}

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
  compaction,
  callers,
  ...bodyRules(["anthropic_version", "anthropic_beta"]),
  toolExamples,
  toolNames,
  urlSources
]

export const bedrockInvoke: Protocol = {
  ...bedrock,
  parse: (call) =>
    parseJson(call, { message: "Malformed input request, please reformat your input and try again." }),
  prompt: promptOf,
  answer: (request) => {
    const { model, call } = request
    if (isUnknown(model)) return unknownModel
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
