/** The conversation of a chat request as the system prompt and the turns of a Messages request. */
import { parsedArguments } from "./answer-parts.ts"
import { thinkingBlocksOf } from "../../chat/content.ts"
import { isOfCustomTool } from "../../chat/tool-calls.ts"
import {
  arrayAt,
  objectAt,
  optional,
  optionalArray,
  optionalText,
  refuse,
  stringAt,
  textAt
} from "../../json/fields.ts"
import { isJsonObject, type Json, type JsonObject, listOf } from "../../json/json.ts"
import { isAttachment, markLast, messagesBlocks, textBlocks, withCacheControl } from "./content.ts"
import { thinkingBlock } from "../../messages/blocks.ts"
import { forConverse, forMessages } from "../messages-dialect.ts"
import type { OfferedTools } from "../OfferedTools.ts"
import { ownThought } from "../reasoning-marks.ts"
import { type Conversation, TurnBuilder } from "../TurnBuilder.ts"

/** Whose turns they become. Where another conversion follows (`goesOn`), that reads the marks of thoughts itself. */
export interface TurnsContext {
  readonly family: string
  readonly goesOn: boolean
  readonly offered: OfferedTools
}

export const messagesConversation = (body: JsonObject, context: TurnsContext): Conversation => {
  const reader = new TurnReader(context)
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
  readonly #context: TurnsContext

  constructor(context: TurnsContext) {
    this.#context = context
  }

  read(message: JsonObject, field: string): void {
    switch (message.role) {
      case "system":
      case "developer":
        return this.#readSystem(message, `${field}.content`)
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

  /** A chat client's request goes on to Converse alone. */
  #blocks(content: Json | undefined, field: string): ReadonlyArray<JsonObject> {
    return messagesBlocks(content, field, this.#context.goesOn ? forConverse : forMessages)
  }

  /** The prompt is text alone: an image or a file in it is shown by the user, where it stands. */
  #readSystem(message: JsonObject, field: string): void {
    const blocks = markLast(this.#blocks(message.content, field), message.cache_control)
    for (const block of systemBlocks(blocks)) this.system.push(block)
    this.turns.say("user", blocks.filter(isAttachment))
  }

  #readUser(message: JsonObject, field: string): void {
    for (const [part, at] of partsOfType("tool_result", message.content, field))
      this.#readResult(part, stringAt(part.tool_use_id, `${at}.tool_use_id`), at)
    this.turns.say("user", markLast(this.#blocks(message.content, field), message.cache_control))
  }

  #readAssistant(message: JsonObject, field: string): void {
    const refusal = optionalText(message.refusal, `${field}.refusal`)
    const blocks = [
      ...ownThoughts(message, this.#context),
      ...messagesBlocks(message.content, `${field}.content`),
      ...textBlocks(refusal)
    ]
    const calls = callsOf(message, field)
    // A mark on the whole message is one on its last block.
    this.turns.say("assistant", calls.length > 0 ? blocks : markLast(blocks, message.cache_control))
    for (const [index, call] of calls.entries())
      this.#addCall(call, index === calls.length - 1 ? message.cache_control : undefined)
  }

  #addCall({ called, field, id, isCustom }: Called, messageMark: Json | undefined): void {
    const name = stringAt(called.name, `${field}.name`)
    const sent = this.#context.offered.nameOfCall({ name, namespace: undefined, isCustom })
    const input = isCustom ? { input: textAt(called.input, `${field}.input`) } : argumentsAt(called, field)
    this.turns.call(id, sent, input, withCacheControl(markOf(called), messageMark))
  }

  #readResult(message: JsonObject, id: string, field: string): void {
    this.turns.answer(id, this.#blocks(message.content, `${field}.content`), {
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
  readonly isCustom: boolean
}

const argumentsAt = ({ arguments: written }: JsonObject, field: string): JsonObject =>
  isJsonObject(written) ? written : parsedArguments(optionalText(written, `${field}.arguments`))

/** The calls of an assistant's message in any of the forms that clients write them in. */
const callsOf = (message: JsonObject, field: string): ReadonlyArray<Called> => {
  const blocks = partsOfType("tool_use", message.content, `${field}.content`).map(([part, at]) => ({
    id: stringAt(part.id, `${at}.id`),
    called: { ...part, arguments: part.input },
    field: at,
    isCustom: false
  }))
  const calls = optionalArray(message.tool_calls, `${field}.tool_calls`).map((value, index) => {
    const at = `${field}.tool_calls.${index}`
    const call = objectAt(value, at)
    const isCustom = isOfCustomTool(call)
    const kind = isCustom ? "custom" : "function"
    const called = objectAt(call[kind], `${at}.${kind}`)
    return {
      id: stringAt(call.id, `${at}.id`),
      called: { cache_control: call.cache_control, ...called },
      field: `${at}.${kind}`,
      isCustom
    }
  })
  const legacy = optional(objectAt, message.function_call, `${field}.function_call`)
  if (legacy === undefined) return [...blocks, ...calls]
  const last = { id: legacyCallId, called: legacy, field: `${field}.function_call`, isCustom: false }
  return [...blocks, ...calls, last]
}

const markOf = (marked: JsonObject): JsonObject => withCacheControl({}, marked.cache_control)

const legacyCallId = "function_call"

/**
 * One block for each system message, so that its parts can not be told from text that was written in one piece; but what
 * follows a cache mark stays behind it, since it may differ from call to call.
 */
const systemBlocks = (blocks: ReadonlyArray<JsonObject>): ReadonlyArray<JsonObject> => {
  const joined: Array<JsonObject> = []
  for (const part of blocks) {
    if (typeof part.text !== "string") continue
    const open = joined.at(-1)?.cache_control === undefined ? joined.pop() : undefined
    const text = typeof open?.text === "string" ? open.text + part.text : part.text
    joined.push(withCacheControl({ type: "text", text }, part.cache_control))
  }
  return joined
}

/** What the model's own family thought and signed, as this gateway gives it to chat clients. */
const ownThoughts = (message: JsonObject, { family, goesOn }: TurnsContext): ReadonlyArray<JsonObject> =>
  thinkingBlocksOf(message).flatMap((block) => {
    const own = ownThought(block, family, family === "claude")
    if (own === undefined) return []
    if (goesOn) return [thinkingBlock(block)]
    const { kind, payload } = own.mark
    if (payload === "") return []
    if (kind === "thought") return [{ type: "thinking", thinking: own.text, signature: payload }]
    return kind === "redacted" ? [{ type: "redacted_thinking", data: payload }] : []
  })

/** The parts of this type, each with its place. */
const partsOfType = (
  type: string,
  content: Json | undefined,
  field: string
): ReadonlyArray<readonly [part: JsonObject, at: string]> =>
  listOf(content).flatMap((part, index) =>
    isJsonObject(part) && part.type === type ? [[part, `${field}.${index}`] as const] : []
  )
