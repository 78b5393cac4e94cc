/**
 * Reads the parsed body of a text request once and tells what a model will be given: its texts, one by one, and how
 * many of everything that is not text. It judges nothing: whatever has an unexpected type or name weighs as text.
 */
import { isJsonObject, type Json, type JsonObject, objectsOf } from "../formats/json/json.ts"
import { isSwitchedOn, switches } from "../formats/particulars/hosted-tools.ts"
import { readEffort, readReasoning, readSchemaHolder, readThinking } from "./read-answer-form.ts"
import { readContent, readTools } from "./read-content.ts"
import type { Part, RequestParts } from "./request-parts.ts"
import { serverToolTokens } from "./server-tools.ts"
import { later, parts, readSetting, readUnknown, tell, walk } from "./walk.ts"

/** `onText` is told every text the model will read, and those of which nobody knows. */
export const readRequest = (body: JsonObject, onText: (text: string, part: Part) => void): RequestParts =>
  walk(onText, () => {
    for (const key in body) {
      const value = body[key]
      if (value === undefined || value === null || unread.has(key)) continue
      const reader = topLevel.get(key)
      if (reader !== undefined) {
        reader(value)
        continue
      }
      if (key.length > settingNameLengthMax) tell(key, "unknown")
      readSetting(value)
    }
  })

const settingNameLengthMax = 32

/** What providers keep, compare or look up, and show no model. */
const unread: ReadonlySet<string> = new Set([
  "model",
  "metadata",
  "client_metadata",
  "user",
  "safety_identifier",
  "prompt_cache_key",
  "stop",
  "stop_sequences",
  "logit_bias"
])

const readMessages = (node: Json): void => {
  parts.messages += Array.isArray(node) ? node.length : 1
  if (Array.isArray(node)) for (const message of node) countSystemTexts(message)
  later(node, readContent)
}

/** Models that know no system prompt between turns are told each of its texts between marks. */
const countSystemTexts = (message: Json): void => {
  if (!isJsonObject(message) || message["role"] !== "system" || !Array.isArray(message["content"])) return
  parts.punctuation.unknown += message["content"].length * systemMarksMax
}

const systemMarksMax = 8

const readContextManagement = (node: Json): void => {
  const list = isJsonObject(node) ? node["edits"] : node
  for (const { type } of objectsOf(list))
    parts.compaction ||= typeof type === "string" && type.startsWith("compact")
  // Whoever sums a conversation up may be told how.
  later(node, readContent)
}

const readMcpServers = (node: Json): void => {
  parts.serverToolTokens += objectsOf(node).length * serverToolTokens({ type: "mcp" })
  readUnknown(node)
}

/** Each skill brings instructions that the body does not show. */
const readContainer = (node: Json): void => {
  const skills = isJsonObject(node) && Array.isArray(node["skills"]) ? node["skills"] : []
  parts.serverToolTokens += skills.length * serverToolTokens({ type: "skill" })
  readSetting(node)
}

/** Members that turn on a tool of the provider's. */
const switchReaders = switches.map(
  ([member, type]) =>
    [
      member,
      (value: Json): void => {
        if (isSwitchedOn(value)) parts.serverToolTokens += serverToolTokens({ type })
        later(value, readContent)
      }
    ] as const
)

const topLevel: ReadonlyMap<string, (value: Json) => void> = new Map([
  ...switchReaders,
  ["system", readContent],
  ["instructions", readContent],
  ["messages", readMessages],
  ["input", readMessages],
  ["prompt", readContent],
  ["prediction", readContent],
  ["tools", readTools],
  ["functions", readTools],
  ["response_format", readSchemaHolder],
  ["output_format", readSchemaHolder],
  ["output_config", readSchemaHolder],
  ["text", readSchemaHolder],
  ["thinking", readThinking],
  ["reasoning_effort", readEffort],
  ["reasoning", readReasoning],
  ["context_management", readContextManagement],
  ["mcp_servers", readMcpServers],
  ["container", readContainer]
])
