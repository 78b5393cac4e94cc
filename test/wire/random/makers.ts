/** Requests by chance for each endpoint, and the models that they are sent to. */
import type { TextEndpoint } from "../../../src/domain/call.ts"
import type { JsonObject } from "../../../src/formats/json/json.ts"
import { chatRequest } from "./chat.ts"
import { messagesRequest } from "./messages.ts"
import { responsesRequest } from "./responses.ts"
import type { Words } from "./Words.ts"

export const makers: Readonly<Record<TextEndpoint, (words: Words) => JsonObject>> = {
  messages: messagesRequest,
  chat_completions: chatRequest,
  responses: responsesRequest
}

/** One for each way up, and for each family that reads a protocol in its own manner. */
export const models = [
  "claude-sonnet-4-6",
  "claude-fable-5",
  "svc/claude-sonnet-4-6",
  "svc/nova-2-lite",
  "svc/gpt-oss-120b",
  "svc/llama4-maverick-17b-instruct",
  "gemini-3.1-pro-preview",
  "deepseek-v4-pro",
  "kimi-k2.6",
  "mistral-large-2512",
  "minimax-m3",
  "gpt-5.5"
]
