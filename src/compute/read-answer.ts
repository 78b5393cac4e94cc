/** Reads an upstream's whole answer: what the client gets of it, and what it is billed by. Pure and plain data. */
import { Data, Result } from "effect"
import type { Model, Protocol } from "../domain/catalogue.ts"
import type { Usage } from "../domain/usage.ts"
import { isInvoke } from "../formats/bedrock/model-traits.ts"
import { withModelId } from "../formats/convert/messages-to-invoke/request.ts"
import { usageOfConverse } from "../formats/bedrock/usage.ts"
import { chatUsage } from "../formats/chat/usage.ts"
import { chatResponseToMessages } from "../formats/convert/chat-to-messages/answer.ts"
import { brokenOff, type ConversionContext, unreadable } from "../formats/convert/conversion.ts"
import { converseResponseToMessages } from "../formats/convert/converse-to-messages/answer.ts"
import { messagesResponseToChat } from "../formats/convert/messages-to-chat/answer.ts"
import { isBrokenFinish } from "../formats/convert/stop-reasons.ts"
import { errorIn, mapStreamError } from "../formats/errors/upstream-errors.ts"
import { isJsonObject, type Json, type JsonObject } from "../formats/json/json.ts"
import { meterAnswer } from "../formats/meter/meter-answer.ts"
import { parseExactJson } from "../formats/json/parse-exact-json.ts"
import { messagesUsage } from "../formats/messages/usage.ts"
import { responsesUsage, storedResponseId } from "../formats/responses/read-response.ts"
import type { StreamFailure } from "../formats/stream/stream-codec.ts"
import { outputTokens } from "../tokens/output-tokens.ts"
import type { TextEndpoint } from "./convert-request.ts"
import { isSameProtocol } from "./prepare-call.ts"
import { bufferOf } from "./read-body.ts"

export interface ReadAnswerTask {
  readonly endpoint: TextEndpoint
  readonly protocol: Protocol
  readonly model: Model
  readonly bytes: Uint8Array
  readonly context: ConversionContext
}

export interface AnswerRead {
  readonly bytes: Uint8Array
  readonly usage: Usage
  /** The upstream gave no usage: this is the gateway's own count. */
  readonly estimated: boolean
  readonly storedId: string | undefined
}

/** The answer is an error in a success's clothes, or nothing that can be read. */
export class AnswerUnreadable extends Data.TaggedError("AnswerUnreadable")<{
  readonly failure: StreamFailure
}> {}

/** Throws `AnswerUnreadable`. */
export const readAnswer = (task: ReadAnswerTask): AnswerRead => {
  const bytes = bufferOf(task.bytes)
  // A byte order mark is no JSON, but clients that read bytes drop it like all decoders of the web.
  const text = bytes.toString("utf8").replace(/^\ufeff/, "")
  const parsed = parse(text, isSameProtocol(task) ? JSON.parse : parseExactJson)
  const messages = isConverse(task) ? fromConverse(parsed, task) : parsed
  const usage = usageOf(task, parsed)
  return {
    bytes: render(task, parsed, messages, bytes),
    usage: usage ?? ownCount(task, messages),
    estimated: usage === undefined,
    storedId: storedIdOf(task, parsed)
  }
}

const storedIdOf = ({ endpoint, protocol }: ReadAnswerTask, answer: JsonObject): string | undefined => {
  if (endpoint === "responses") return storedResponseId(answer)
  return protocol === "messages" && typeof answer["id"] === "string" ? answer["id"] : undefined
}

const parse = (text: string, read: (text: string) => unknown): JsonObject => {
  let parsed: unknown
  try {
    parsed = read(text)
  } catch {
    throw new AnswerUnreadable({ failure: unreadable })
  }
  if (!isJsonObject(parsed)) throw new AnswerUnreadable({ failure: unreadable })
  const error = errorIn(parsed)
  if (error !== undefined) throw new AnswerUnreadable({ failure: mapStreamError(error) })
  return parsed
}

const isConverse = ({ model, protocol }: ReadAnswerTask): boolean =>
  protocol === "bedrock" && !isInvoke(model)

const fromConverse = (parsed: JsonObject, { context }: ReadAnswerTask): JsonObject =>
  Result.getOrThrowWith(
    converseResponseToMessages(parsed, context),
    (failure) => new AnswerUnreadable({ failure })
  )

/** Of the answer as it came: one that is converted may tell its client an estimate. */
const usageOf = (task: ReadAnswerTask, answer: JsonObject): Usage | undefined => {
  if (task.endpoint === "responses") return responsesUsage(answer)
  if (task.protocol === "chat_completions") return chatUsage(answer)
  return isConverse(task)
    ? messagesUsage({ usage: usageOfConverse(answer["usage"]) ?? null })
    : messagesUsage(answer)
}

const render = (
  task: ReadAnswerTask,
  parsed: JsonObject,
  messages: JsonObject,
  bytes: Buffer
): Uint8Array => {
  const { context, endpoint, protocol } = task
  if (endpoint === "responses") return requireMember(parsed, "output", bytes)
  if (endpoint === "chat_completions") {
    if (protocol === "chat_completions") return requireWhole(parsed, bytes)
    return stringified(messagesResponseToChat(messages, context))
  }
  if (protocol === "chat_completions") return stringified(chatResponseToMessages(parsed, context))
  if (protocol === "messages") return requireMember(parsed, "content", bytes)
  return isInvoke(task.model)
    ? withModelId(requireMember(parsed, "content", bytes), context.modelId, context.toolNames)
    : Buffer.from(JSON.stringify(messages))
}

/** What has not even this is no answer of its protocol, whatever its status says. */
const requireMember = (parsed: JsonObject, name: "choices" | "content" | "output", bytes: Buffer): Buffer => {
  if (!Array.isArray(parsed[name])) throw new AnswerUnreadable({ failure: unreadable })
  return bytes
}

const requireWhole = (parsed: JsonObject, bytes: Buffer): Buffer => {
  requireMember(parsed, "choices", bytes)
  const choices = parsed["choices"] as ReadonlyArray<Json>
  if (choices.some((choice) => isJsonObject(choice) && isBrokenFinish(choice["finish_reason"])))
    throw new AnswerUnreadable({ failure: brokenOff })
  return bytes
}

const stringified = (converted: Result.Result<JsonObject, StreamFailure>): Buffer =>
  Buffer.from(
    JSON.stringify(Result.getOrThrowWith(converted, (failure) => new AnswerUnreadable({ failure })))
  )

const ownCount = ({ context, model }: ReadAnswerTask, answer: JsonObject): Usage => ({
  inputTokens: context.inputEstimate,
  outputTokens: outputTokens(meterAnswer(answer), model)
})
