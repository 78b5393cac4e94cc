/** Every endpoint that takes calls, with a call it answers, and how its errors look. */
import { assert } from "@effect/vitest"
import { type Answered, chatCall, errorOf, messagesCall, responsesCall } from "./ask.ts"

export const pixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="

export const endpoints = [
  ["/v1/messages", messagesCall(), "messages"],
  ["/v1/messages/count_tokens", messagesCall(), "messages"],
  ["/v1/chat/completions", chatCall(), "chat"],
  ["/v1/responses", responsesCall(), "chat"],
  ["/v1/images/generations", { model: "req/gpt-image-2", prompt: "A house" }, "chat"],
  ["/v1/images/edits", { model: "req/gpt-image-2", prompt: "A house", image: pixel }, "chat"],
  ["/v1/audio/speech", { model: "req/gpt-4o-mini-tts", input: "Hello", voice: "alloy" }, "chat"]
] as const

/** Calls that are converted on their way: what reads the most fields of a body. */
export const convertedCalls = [
  ["/v1/messages", { ...messagesCall(), model: "gpt-5.5" }, "messages"],
  ["/v1/chat/completions", { ...chatCall(), model: "claude-sonnet-5" }, "chat"],
  ["/v1/chat/completions", { ...chatCall(), model: "svc/nova-pro" }, "chat"],
  ["/v1/messages", { ...messagesCall(), model: "svc/claude-sonnet-5" }, "messages"]
] as const

/** The contract's error: its status and type, and the headers that tell a client whether to come again. */
export const expectError = (
  answer: Answered,
  status: number,
  type: string,
  family: "messages" | "chat" = "messages"
) => {
  assert.strictEqual(answer.status, status, answer.text)
  const error = errorOf(answer, family)
  assert.strictEqual(error.type, type)
  const isFinal = [400, 401, 402, 404, 405, 413].includes(status)
  if (isFinal) assert.strictEqual(answer.headers.get("x-should-retry"), "false")
  if (status === 429 || status === 503) assert.isAtLeast(Number(answer.headers.get("retry-after")), 1)
  assert.isNull(answer.headers.get("x-svc-cost-vnd"))
  return error
}
