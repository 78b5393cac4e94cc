/** The conversation of a chat request as the system prompt and the turns of a Messages request. */
import { arrayAt, objectAt, optional, refuse, stringAt } from "../../json/fields.ts"
import { isJsonObject, type Json, type JsonObject, objectsOf } from "../../json/json.ts"
import { parsedArguments } from "./answer-parts.ts"
import { isSigned, markLast, messagesBlocks, textBlocks, withCacheControl } from "./content.ts"
import { thinkingBlock } from "../messages-to-chat/answer-parts.ts"
import type { ToolNameMap } from "../tool-names.ts"
import { TurnBuilder } from "../TurnBuilder.ts"

export interface Conversation {
  readonly system: ReadonlyArray<JsonObject>
  readonly messages: ReadonlyArray<JsonObject>
}

export const messagesConversation = (body: JsonObject, names: ToolNameMap): Conversation => {
  const reader = new TurnReader(names)
  // Not of this protocol, but a prompt that is not heeded would change what the caller asked for.
  if (body.system !== undefined) reader.read({ role: "system", content: body.system }, "system")
  arrayAt(body.messages, "messages").forEach((value, index) => {
    const field = `messages.${index}`
    reader.read(objectAt(value, field), field)
  })
  const messages = reader.turns.build()
  if (messages.length > 0) return { system: reader.system, messages }
  // A prompt of nothing but system text is what the user wants answered.
  if (reader.system.length > 0) return { system: [], messages: [{ role: "user", content: reader.system }] }
  return refuse("messages", "hold nothing to answer")
}

class TurnReader {
  readonly system: Array<JsonObject> = []
  readonly turns = new TurnBuilder()
  readonly #names: ToolNameMap

  constructor(names: ToolNameMap) {
    this.#names = names
  }

  read(message: JsonObject, field: string): void {
    switch (message.role) {
      case "system":
      case "developer":
        for (const block of systemBlocks(message, field)) this.system.push(block)
        return
      case "assistant":
        return this.#readAssistant(message, field)
      case "tool":
        return this.#readResult(message, stringAt(message.tool_call_id, `${field}.tool_call_id`), field)
      case "function":
        return this.#readResult(message, legacyCallId, field)
      default:
        return this.#readUser(message, `${field}.content`)
    }
  }

  #readUser(message: JsonObject, field: string): void {
    for (const [part, at] of partsOfType("tool_result", message.content, field))
      this.#readResult(part, stringAt(part.tool_use_id, `${at}.tool_use_id`), at)
    this.turns.say("user", markLast(messagesBlocks(message.content, field), message.cache_control))
  }

  #readAssistant(message: JsonObject, field: string): void {
    const refusal = optional(stringAt, message.refusal, `${field}.refusal`) ?? ""
    const blocks = [
      ...signedThinking(message),
      ...messagesBlocks(message.content, `${field}.content`),
      ...textBlocks(refusal)
    ]
    const calls = callsOf(message, field)
    // A mark on the whole message is one on its last block.
    this.turns.say("assistant", calls.length > 0 ? blocks : markLast(blocks, message.cache_control))
    for (const [index, call] of calls.entries())
      this.#addCall(call, index === calls.length - 1 ? message.cache_control : undefined)
  }

  #addCall({ called, field, id }: Called, messageMark: Json | undefined): void {
    const input = isJsonObject(called.arguments)
      ? called.arguments
      : parsedArguments(optional(stringAt, called.arguments, `${field}.arguments`) ?? "")
    const name = this.#names.send(stringAt(called.name, `${field}.name`))
    this.turns.call(id, name, input, withCacheControl(markOf(called), messageMark))
  }

  #readResult(message: JsonObject, id: string, field: string): void {
    this.turns.answer(id, messagesBlocks(message.content, `${field}.content`), {
      ...(message.is_error === true && { is_error: true }),
      ...markOf(message)
    })
  }
}

interface Called {
  readonly id: string
  readonly called: JsonObject
  /** Where it stands. */
  readonly field: string
}

/** The calls of an assistant's message in any of the forms that clients write them in. */
const callsOf = (message: JsonObject, field: string): ReadonlyArray<Called> => {
  const blocks = partsOfType("tool_use", message.content, `${field}.content`).map(([part, at]) => ({
    id: stringAt(part.id, `${at}.id`),
    called: { ...part, arguments: part.input },
    field: at
  }))
  const calls = (optional(arrayAt, message.tool_calls, `${field}.tool_calls`) ?? []).map((value, index) => {
    const at = `${field}.tool_calls.${index}`
    const call = objectAt(value, at)
    const called = objectAt(call.function, `${at}.function`)
    return {
      id: stringAt(call.id, `${at}.id`),
      called: { cache_control: call.cache_control, ...called },
      field: `${at}.function`
    }
  })
  const legacy = optional(objectAt, message.function_call, `${field}.function_call`)
  if (legacy === undefined) return [...blocks, ...calls]
  return [...blocks, ...calls, { id: legacyCallId, called: legacy, field: `${field}.function_call` }]
}

const markOf = (marked: JsonObject): JsonObject => withCacheControl({}, marked.cache_control)

const legacyCallId = "function_call"

/**
 * One block for each system message, so that its parts can not be told from text that was written in one piece; but what
 * follows a cache mark stays behind it, since it may differ from call to call.
 */
const systemBlocks = (message: JsonObject, field: string): ReadonlyArray<JsonObject> => {
  const joined: Array<JsonObject> = []
  for (const part of markLast(messagesBlocks(message.content, `${field}.content`), message.cache_control)) {
    if (typeof part.text !== "string") continue
    const open = joined.at(-1)?.cache_control === undefined ? joined.pop() : undefined
    const text = typeof open?.text === "string" ? open.text + part.text : part.text
    joined.push(withCacheControl({ type: "text", text }, part.cache_control))
  }
  return joined
}

/** Thinking that came from Claude with its signature, as this gateway gives it to chat clients. */
const signedThinking = (message: JsonObject): ReadonlyArray<JsonObject> =>
  objectsOf(message.thinking_blocks).filter(isSigned).map(thinkingBlock)

/** The parts of this type, each with its place. */
const partsOfType = (
  type: string,
  content: Json | undefined,
  field: string
): ReadonlyArray<readonly [part: JsonObject, at: string]> =>
  (Array.isArray(content) ? (content as ReadonlyArray<Json>) : []).flatMap((part, index) =>
    isJsonObject(part) && part.type === type ? [[part, `${field}.${index}`] as const] : []
  )
