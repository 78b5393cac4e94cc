/** What a Messages request must have before anything is done with it. Everything else is the upstream's business. */
import {
  arrayAt,
  booleanAt,
  countAt,
  objectAt,
  optional,
  optionalArray,
  refuse,
  stringAt
} from "../json/fields.ts"
import type { Json, JsonObject } from "../json/json.ts"

export const requireMessagesRequest = (body: JsonObject): void => {
  requireModelAndMessages(body)
  // Zero fills the provider's prompt cache without an answer: https://platform.claude.com/docs/en/build-with-claude/prompt-caching
  countAt(body.max_tokens, "max_tokens")
}

/** What both protocols ask for, and all that a request to count tokens must have. */
export const requireModelAndMessages = (body: JsonObject): void => {
  if (stringAt(body.model, "model") === "") refuse("model", "must not be empty")
  const messages = arrayAt(body.messages, "messages")
  if (messages.length === 0) refuse("messages", "must not be empty")
  messages.forEach((message, index) => requireRole(message, `messages.${index}`))
  optional(booleanAt, body.stream, "stream")
}

/** The tools of a request, the provider's own among them. */
export const toolsOf = (body: JsonObject): ReadonlyArray<JsonObject> =>
  optionalArray(body.tools, "tools").map((tool, index) => objectAt(tool, `tools.${index}`))

const requireRole = (message: Json, field: string): void => {
  stringAt(objectAt(message, field).role, `${field}.role`)
}
