/** What the Messages provider refuses of a conversation: roles, empty messages, tools without results. */
import { isJsonObject, type JsonObject, listOf, stringOf } from "../../formats/json/json.ts"
import { knownModel } from "../models.ts"
import { ownEntry } from "../own-entry.ts"
import { givenString } from "../read-json.ts"
import type { Complaint, Request, Rule } from "../Protocol.ts"
import { checkBlock } from "./block-rules.ts"
import { betasOf } from "./betas.ts"

const roles: Rule<Request> = ({ body }) => {
  const list = body["messages"]
  if (list === undefined) return { message: "messages: Field required" }
  if (!Array.isArray(list)) return { message: "messages: Input should be a valid list" }
  if (list.length === 0) return { message: "messages: at least one message is required" }
  for (const [index, message] of listOf(list).entries()) {
    if (!isJsonObject(message)) return { message: `messages.${index}: Input should be an object` }
    const role = message["role"]
    if (role === undefined) return { message: `messages.${index}.role: Field required` }
    if (role !== "user" && role !== "assistant" && role !== "system")
      return {
        message: `messages: Unexpected role "${String(role)}". Allowed roles are "user", "assistant" or "system".`
      }
  }
  // The model may have spoken first (anthropics/anthropic-sdk-typescript #622).
  return undefined
}

const contents: Rule<Request> = (request) => {
  const list = listOf(request.body["messages"])
  const betas = betasOf(request)
  for (const [index, message] of list.entries()) {
    const at = `messages.${index}`
    const extra = Object.keys(message as JsonObject).find(
      (name) => !messageFields.has(name) && !ownEntry(openedFields, name)?.test(betas)
    )
    if (extra !== undefined) return { message: `${at}.${extra}: Extra inputs are not permitted` }
    const complaint = checkContent(message as JsonObject, at, index === list.length - 1)
    if (complaint !== undefined) return complaint
  }
  return undefined
}

const messageFields = new Set(["role", "content"])
/** Claude Code sets the effort of a turn by the message that begins it. */
const openedFields: Readonly<Record<string, RegExp>> = {
  output_config: /per-turn-control|mid-conversation-output-config/,
  clear_at: /mid-conversation-system-clear-at/
}

const checkContent = (message: JsonObject, at: string, last: boolean): Complaint | undefined => {
  const { content, role } = message
  const isEmpty = String(content ?? "") === ""
  if (isEmpty && role === "system" && isJsonObject(message["output_config"])) return undefined
  if (content === undefined || content === null) return { message: `${at}.content: Field required` }
  if (typeof content !== "string" && !Array.isArray(content))
    return { message: `${at}.content: Input should be a valid string or list` }
  if (content.length === 0 && !(last && role === "assistant"))
    return {
      message: `${at}: all messages must have non-empty content except for the optional final assistant message`
    }
  if (typeof content === "string") return undefined
  for (const [index, block] of listOf(content).entries()) {
    const complaint = checkBlock(block, `${at}.content.${index}`, String(role))
    if (complaint !== undefined) return complaint
  }
  return undefined
}

/** System messages stand between the turns without being turns. */
const turnsOf = ({
  body
}: Request): ReadonlyArray<{ readonly message: JsonObject; readonly index: number }> =>
  listOf(body["messages"])
    .map((message, index) => ({ message: message as JsonObject, index }))
    .filter(({ message }) => message["role"] !== "system")

const blocksOf = (message: JsonObject | undefined, type: string): ReadonlyArray<JsonObject> =>
  listOf(message?.["content"]).filter(
    (block): block is JsonObject => isJsonObject(block) && block["type"] === type
  )

const toolResults: Rule<Request> = (request) => {
  const turns = turnsOf(request)
  const seen = new Set<string>()
  for (const [position, { message, index }] of turns.entries()) {
    const uses = blocksOf(message, "tool_use").map((block) => stringOf(block["id"]))
    for (const id of uses) {
      if (seen.has(id)) return { message: "messages: `tool_use` ids must be unique" }
      seen.add(id)
    }
    const complaint =
      unexpectedResult(message, index, turns[position - 1]?.message) ??
      (uses.length === 0 ? undefined : missingResult(uses, index, turns[position + 1]?.message))
    if (complaint !== undefined) return complaint
  }
  return undefined
}

const unexpectedResult = (
  message: JsonObject,
  index: number,
  before: JsonObject | undefined
): Complaint | undefined => {
  const expected = new Set(blocksOf(before, "tool_use").map((block) => block["id"]))
  const given = new Set<unknown>()
  for (const [position, block] of listOf(message["content"]).entries()) {
    if (!isJsonObject(block) || block["type"] !== "tool_result") continue
    const id = block["tool_use_id"]
    const at = `messages.${index}.content.${position}`
    if (!expected.has(id))
      return {
        message: `${at}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${String(id)}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`
      }
    if (given.has(id))
      return {
        message: `${at}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${String(id)}`
      }
    given.add(id)
  }
  return undefined
}

/** Results come first in the next message: text before them hides them from the provider. */
const missingResult = (
  uses: ReadonlyArray<string>,
  index: number,
  after: JsonObject | undefined
): Complaint | undefined => {
  const given = new Set<unknown>()
  for (const block of listOf(after?.["content"])) {
    if (!isJsonObject(block) || block["type"] !== "tool_result") break
    given.add(block["tool_use_id"])
  }
  const missing = uses.filter((id) => !given.has(id))
  return missing.length === 0
    ? undefined
    : {
        message: `messages.${index + 1}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.join(", ")}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`
      }
}

const prefill: Rule<Request> = (request) => {
  const last = turnsOf(request).at(-1)?.message
  if (last?.["role"] !== "assistant") return undefined
  const newer = knownModel(request.model).refuses.has("sampling") || /-4-[67]/.test(request.model)
  if (newer)
    return {
      message:
        "This model does not support assistant message prefill. The conversation must end with a user message."
    }
  const content = last["content"]
  const end = typeof content === "string" ? content : givenString(blocksOf(last, "text").at(-1)?.["text"])
  return end !== undefined && /\s$/.test(end)
    ? { message: "messages: final assistant content cannot end with trailing whitespace" }
    : undefined
}

const thinkingFirst: Rule<Request> = (request) => {
  const { thinking } = request.body
  if (!isJsonObject(thinking) || thinking["type"] !== "enabled") return undefined
  const last = turnsOf(request).findLast(({ message }) => message["role"] === "assistant")
  if (last === undefined || blocksOf(last.message, "tool_use").length === 0) return undefined
  const first = listOf(last.message["content"])[0]
  const type = isJsonObject(first) ? first["type"] : undefined
  return type === "thinking" || type === "redacted_thinking"
    ? undefined
    : {
        message: `messages.${last.index}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${String(type)}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block (preceeding the lastmost set of \`tool_use\` and \`tool_result\` blocks). We recommend you include thinking blocks from previous turns. To avoid this requirement, disable \`thinking\`.`
      }
}

export const historyRules: ReadonlyArray<Rule<Request>> = [
  roles,
  contents,
  toolResults,
  prefill,
  thinkingFirst
]
