/** The conversation of a chat request as the system prompt and the turns of a Messages request. */
import { arrayAt, objectAt, optional, refuse, stringAt } from "../../json/fields.ts"
import { isJsonObject, type Json, type JsonObject, objectsOf } from "../../json/json.ts"
import { parsedArguments } from "./answer-parts.ts"
import { isSigned, markLast, messagesBlocks, textBlocks, withCacheControl } from "./content.ts"
import { thinkingBlock } from "../messages-to-chat/answer-parts.ts"
import { messagesToolId, type ToolNameMap } from "../tool-names.ts"
import { UniqueNames } from "../UniqueNames.ts"

interface Calls {
  readonly turn: Turn
  /** The ids they are sent under. */
  readonly sent: Array<string>
  /** How many of them have their result; results come in the order of the calls. */
  answered: number
}

interface Turn {
  readonly role: "user" | "assistant"
  readonly blocks: Array<JsonObject>
  /** Of an assistant's turn: its calls in order, each with the last result that came for it. */
  readonly results: Map<string, JsonObject | undefined>
}

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
  const messages = joinTurns(reader.turns)
  if (messages.length > 0) return { system: reader.system, messages }
  // A prompt of nothing but system text is what the user wants answered.
  if (reader.system.length > 0) return { system: [], messages: [{ role: "user", content: reader.system }] }
  return refuse("messages", "hold nothing to answer")
}

class TurnReader {
  readonly system: Array<JsonObject> = []
  readonly turns: Array<Turn> = []
  readonly #names: ToolNameMap
  /** The calls of each id in the latest turn that has it: some models give several the same. */
  readonly #calls = new Map<string, Calls>()
  /** Some clients use an id again in a later turn, where the protocol wants each only once. */
  readonly #sentIds = new UniqueNames((id, count) => `${id}_${count}`)

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
    this.#addUser(markLast(messagesBlocks(message.content, field), message.cache_control))
  }

  #addUser(blocks: ReadonlyArray<JsonObject>): void {
    if (blocks.length > 0) this.turns.push({ role: "user", blocks: [...blocks], results: new Map() })
  }

  #readAssistant(message: JsonObject, field: string): void {
    const refusal = optional(stringAt, message.refusal, `${field}.refusal`) ?? ""
    const turn: Turn = {
      role: "assistant",
      blocks: [
        ...signedThinking(message),
        ...messagesBlocks(message.content, `${field}.content`),
        ...textBlocks(refusal)
      ],
      results: new Map()
    }
    for (const [part, at] of partsOfType("tool_use", message.content, `${field}.content`))
      this.#addCall(turn, stringAt(part.id, `${at}.id`), { ...part, arguments: part.input }, at)
    const calls = optional(arrayAt, message.tool_calls, `${field}.tool_calls`) ?? []
    calls.forEach((value, index) => {
      const at = `${field}.tool_calls.${index}`
      const call = objectAt(value, at)
      const id = stringAt(call.id, `${at}.id`)
      const called = objectAt(call.function, `${at}.function`)
      this.#addCall(turn, id, { cache_control: call.cache_control, ...called }, `${at}.function`)
    })
    const legacy = optional(objectAt, message.function_call, `${field}.function_call`)
    if (legacy !== undefined) this.#addCall(turn, legacyCallId, legacy, `${field}.function_call`)
    if (turn.blocks.length > 0)
      this.turns.push({ ...turn, blocks: [...markLast(turn.blocks, message.cache_control)] })
  }

  #addCall(turn: Turn, id: string, called: JsonObject, field: string): void {
    const sent = this.#sentIds.take(messagesToolId(id))
    const others = this.#calls.get(id)
    if (others?.turn === turn) others.sent.push(sent)
    else this.#calls.set(id, { turn, sent: [sent], answered: 0 })
    turn.results.set(sent, undefined)
    const block: JsonObject = {
      type: "tool_use",
      id: sent,
      name: this.#names.send(stringAt(called.name, `${field}.name`)),
      input: isJsonObject(called.arguments)
        ? called.arguments
        : parsedArguments(optional(stringAt, called.arguments, `${field}.arguments`) ?? "")
    }
    turn.blocks.push(withCacheControl(block, called.cache_control))
  }

  #readResult(message: JsonObject, id: string, field: string): void {
    const calls = this.#calls.get(id)
    // One result too many replaces the last.
    const sent = calls?.sent[calls.answered++] ?? calls?.sent.at(-1)
    const content = messagesBlocks(message.content, `${field}.content`)
    const only = content.length === 1 ? content[0]! : undefined
    const isPlainText = only?.type === "text" && only.cache_control === undefined
    const block: JsonObject = {
      type: "tool_result",
      tool_use_id: sent ?? messagesToolId(id),
      ...(content.length > 0 && { content: isPlainText ? only.text : content }),
      ...(message.is_error === true && { is_error: true })
    }
    const marked = withCacheControl(block, message.cache_control)
    if (calls === undefined || sent === undefined) this.#addUser([marked])
    else calls.turn.results.set(sent, marked)
  }
}

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

/** Results right after their calls and before what the user says next; neighbouring turns of the user become one. */
const joinTurns = (turns: ReadonlyArray<Turn>): ReadonlyArray<JsonObject> => {
  const joined: Array<{ readonly role: Turn["role"]; readonly content: Array<JsonObject> }> = []
  const add = (role: Turn["role"], blocks: ReadonlyArray<JsonObject>) => {
    const last = joined.at(-1)
    if (last?.role === "user" && role === "user") {
      for (const block of blocks) last.content.push(block)
    } else if (blocks.length > 0) joined.push({ role, content: [...blocks] })
  }
  for (const turn of turns) {
    add(turn.role, turn.blocks)
    add(
      "user",
      [...turn.results.values()].filter((result) => result !== undefined)
    )
  }
  return joined.map((message, index) => (index === joined.length - 1 ? trimPrefill(message) : message))
}

/** An answer that the model is to continue may not end in white space. */
const trimPrefill = (message: {
  readonly role: string
  readonly content: ReadonlyArray<JsonObject>
}): JsonObject => {
  const last = message.content.at(-1)
  if (message.role !== "assistant" || typeof last?.text !== "string") return { ...message }
  return { ...message, content: [...message.content.slice(0, -1), { ...last, text: last.text.trimEnd() }] }
}
