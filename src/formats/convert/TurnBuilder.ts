/**
 * Builds the turns of a Messages conversation out of pieces that come one by one: what one side says in a row is one
 * turn, each call has exactly one result in the turn behind it, and a result without its call is told as text.
 */
import type { Model } from "../../domain/catalogue.ts"
import type { JsonObject } from "../json/json.ts"
import { messagesToolId } from "./tool-names.ts"
import { UniqueNames } from "./UniqueNames.ts"

/** A conversation as a Messages request has it. */
export interface Conversation {
  readonly system: ReadonlyArray<JsonObject>
  readonly messages: ReadonlyArray<JsonObject>
}

type Role = "user" | "assistant" | "system"

interface Turn {
  readonly role: Role
  readonly blocks: Array<JsonObject>
  /** Of an assistant's turn: its calls as they are sent, each with the last result that came for it. */
  readonly results: Map<string, JsonObject | undefined>
  /** Results have come: what the assistant says next is another turn. */
  answered: boolean
}

interface Calls {
  readonly turn: Turn
  readonly sent: Array<string>
  answered: number
}

/** What stands where a call was never answered, which every provider refuses. */
export const noResult = "(this call was not answered)"

/**
 * Where the model spoke last, other protocols' models speak again. Claude is asked to, since its models go on with no turn of
 * their own any more: "The conversation must end with a user message" (platform.claude.com, "Prefill Claude's response").
 */
export const endedByUser = (
  messages: ReadonlyArray<JsonObject>,
  { family }: Model
): ReadonlyArray<JsonObject> =>
  family === "claude" && messages.at(-1)?.role === "assistant"
    ? [...messages, { role: "user", content: [{ type: "text", text: "(go on)" }] }]
    : messages

/** What stands before a result that is told as text since it has no call. */
export const resultHeading = (id: string, { is_error: failed }: JsonObject = {}): string =>
  `Result of the tool call ${id}:${failed === true ? " [tool error]" : ""}`

export class TurnBuilder {
  readonly #turns: Array<Turn> = []
  /** The calls of each id in the latest turn that has it. */
  readonly #calls = new Map<string, Calls>()
  /** Some models use an id again. */
  readonly #sentIds = new UniqueNames((id, count) => `${id}_${count}`)

  say(role: Role, blocks: ReadonlyArray<JsonObject>): void {
    if (blocks.length === 0) return
    const turn = this.#turnOf(role)
    for (const block of blocks) turn.blocks.push(block)
  }

  /** `more` are further members of the block, as its mark for caches. */
  call(id: string, name: string, input: JsonObject, more: JsonObject = {}): void {
    const turn = this.#turnOf("assistant")
    const sent = this.#sentIds.take(messagesToolId(id))
    const others = this.#calls.get(id)
    if (others?.turn === turn) others.sent.push(sent)
    else this.#calls.set(id, { turn, sent: [sent], answered: 0 })
    turn.results.set(sent, undefined)
    turn.blocks.push({ type: "tool_use", id: sent, name, input, ...more })
  }

  /** `content` is what the result holds, without empty texts; `more` are further members of its block. */
  answer(id: string, content: ReadonlyArray<JsonObject>, more: JsonObject = {}): void {
    const calls = this.#calls.get(id)
    // One result too many replaces the last.
    const sent = calls?.sent[calls.answered++] ?? calls?.sent.at(-1)
    if (calls === undefined || sent === undefined) return this.say("user", asText(id, content, more))
    calls.turn.results.set(sent, { ...resultOf(sent, content), ...more })
    calls.turn.answered = true
  }

  /** The messages. What only a model of the turn's own could go on from, its last thoughts, is left out. */
  build(): ReadonlyArray<JsonObject> {
    const joined: Array<{ readonly role: Role; readonly content: Array<JsonObject> }> = []
    const add = (role: Role, blocks: ReadonlyArray<JsonObject>) => {
      if (blocks.length === 0) return
      const last = joined.at(-1)
      if (last?.role === role && role !== "system") for (const block of blocks) last.content.push(block)
      else joined.push({ role, content: [...blocks] })
    }
    for (const { blocks, results, role } of this.#turns) {
      add(role, role === "assistant" ? withoutLastThoughts(blocks) : blocks)
      add(
        "user",
        [...results].map(([id, result]) => result ?? resultOf(id, [{ type: "text", text: noResult }]))
      )
    }
    const last = joined.at(-1)
    if (last?.role === "assistant") last.content.splice(-1, 1, trimmed(last.content.at(-1)!))
    return joined
  }

  #turnOf(role: Role): Turn {
    const last = this.#turns.at(-1)
    if (last?.role === role && !last.answered) return last
    const turn: Turn = { role, blocks: [], results: new Map(), answered: false }
    this.#turns.push(turn)
    return turn
  }
}

/** An answer that the model is to continue may not end in white space. */
const trimmed = (block: JsonObject): JsonObject =>
  typeof block.text === "string" ? { ...block, text: block.text.trimEnd() } : block

const resultOf = (id: string, content: ReadonlyArray<JsonObject>): JsonObject => {
  const only = content.length === 1 ? content[0]! : undefined
  return {
    type: "tool_result",
    tool_use_id: id,
    ...(content.length > 0 && { content: isPlainText(only) ? only.text : content })
  }
}

const isPlainText = (block: JsonObject | undefined): block is JsonObject & { readonly text: string } =>
  block?.type === "text" && typeof block.text === "string" && block.cache_control === undefined

const asText = (
  id: string,
  content: ReadonlyArray<JsonObject>,
  more: JsonObject
): ReadonlyArray<JsonObject> => [{ type: "text", text: resultHeading(id, more) }, ...content]

/** "The final block in an assistant message cannot be `thinking`", Claude says. */
const withoutLastThoughts = (blocks: ReadonlyArray<JsonObject>): ReadonlyArray<JsonObject> => {
  const last = blocks.findLastIndex(({ type }) => type !== "thinking" && type !== "redacted_thinking")
  return blocks.slice(0, last + 1)
}
