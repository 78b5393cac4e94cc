/**
 * The turns of a Messages conversation with each call answered once, right behind it, as chat and Converse demand: results
 * that come late go to their calls, of several the last counts, and one without its call is told as text.
 */
import { eachObject } from "../json/each-object.ts"
import { blocksOf } from "../messages/blocks.ts"
import { isJsonObject, type Json, type JsonObject, objectOf } from "../json/json.ts"
import { noResult, resultHeading } from "./TurnBuilder.ts"
import { uniqueCallIds, type UniqueNames } from "./UniqueNames.ts"

/** A message with its place in the request. */
type Placed = readonly [place: number, message: Json]

/** The same list where nothing is out of order. */
export const pairedResults = (messages: ReadonlyArray<Placed>): ReadonlyArray<Placed> =>
  isPaired(messages) ? messages : new Pairing(messages).messages

const isPaired = (messages: ReadonlyArray<Placed>): boolean => {
  let open = new Set<Json | undefined>()
  for (const [, message] of messages) {
    const results = blocksOf(message, "tool_result")
    // What was answered is not open any longer.
    if (!results.every(({ tool_use_id: id }) => open.delete(id)) || open.size > 0) return false
    const calls = isAssistant(message) ? blocksOf(message, "tool_use") : []
    open = new Set(calls.map(({ id }) => id))
    if (open.size < calls.length) return false
  }
  return open.size === 0
}

/** The results of a message's calls, in the order of the calls. */
interface Results {
  readonly all: Array<JsonObject>
  /** Where those of one id stand: some models give several calls the same. */
  readonly places: Array<number>
  answered: number
}

class Pairing {
  readonly messages: Array<Placed> = []
  /** By the ids of calls, of the latest message that has them. */
  readonly #results = new Map<Json | undefined, Results>()

  constructor(messages: ReadonlyArray<Placed>) {
    for (const placed of messages) {
      if (isAssistant(placed[1])) this.#readAssistant(placed)
      else this.#readOther(placed)
    }
  }

  #readAssistant([place, message]: Placed): void {
    const all: Array<JsonObject> = []
    const ids = uniqueCallIds()
    this.messages.push([place, withCalls(message, (call) => this.#readCall(call, all, ids))])
    if (all.length > 0) this.messages.push([place, { role: "user", content: all }])
  }

  /** The call as it is sent. */
  #readCall(call: JsonObject, all: Array<JsonObject>, ids: UniqueNames): JsonObject {
    const { id = null } = call
    const sent = typeof id === "string" ? ids.take(id) : id
    const same = this.#results.get(id)
    if (same?.all === all) same.places.push(all.length)
    else this.#results.set(id, { all, places: [all.length], answered: 0 })
    all.push({ type: "tool_result", tool_use_id: sent, content: noResult })
    return sent === id ? call : { ...call, id: sent }
  }

  #readOther(placed: Placed): void {
    const [place, message] = placed
    if (!isJsonObject(message) || !Array.isArray(message.content)) return void this.messages.push(placed)
    const content: ReadonlyArray<Json> = message.content
    const left = content.flatMap((block) => this.#left(block))
    if (left.length > 0 || content.length === 0) this.messages.push([place, { ...message, content: left }])
  }

  /** What stays of a block where it stands. */
  #left(block: Json): ReadonlyArray<Json> {
    if (!isJsonObject(block) || block.type !== "tool_result") return [block]
    const id = block.tool_use_id
    const results = this.#results.get(id)
    if (results === undefined) return typeof id === "string" ? asText(id, block) : [block]
    // One result too many replaces the last.
    const place = results.places[results.answered++] ?? results.places.at(-1)!
    results.all[place] = { ...block, tool_use_id: results.all[place]!.tool_use_id ?? null }
    return []
  }
}

const isAssistant = (message: Json): boolean => objectOf(message).role === "assistant"

const withCalls = (message: Json, change: (call: JsonObject) => JsonObject): Json => {
  if (!isJsonObject(message) || !Array.isArray(message.content)) return message
  const content = eachObject(message.content, (block) => (block.type === "tool_use" ? change(block) : block))
  return { ...message, content }
}

const asText = (id: string, block: JsonObject): ReadonlyArray<Json> => {
  const { content } = block
  const heading = { type: "text", text: resultHeading(id, block) }
  if (typeof content === "string") return [heading, { type: "text", text: content }]
  return Array.isArray(content) ? [heading, ...(content as ReadonlyArray<Json>)] : [heading]
}
