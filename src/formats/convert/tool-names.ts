/** Tool names and call ids that the other side forbids: changed on the way up, names changed back on the way down. */
import type { ChatTraits } from "../chat/chat-traits.ts"

/** The names that were changed: as sent upstream, to as the client gave them. */
export type ToolNames = ReadonlyMap<string, string>

export const noToolNames: ToolNames = new Map()

/** The longest tool name each protocol takes. */
export const chatNameLengthMax = 64
export const messagesNameLengthMax = 128

export const originalName = (toolNames: ToolNames, name: string): string => toolNames.get(name) ?? name

export class ToolNameMap {
  readonly originals = new Map<string, string>()
  readonly #sent = new Map<string, string>()
  readonly #lengthMax: number
  readonly #start: RegExp

  constructor(lengthMax: number, start = /^/) {
    this.#lengthMax = lengthMax
    this.#start = start
  }

  /** The name to send; the same for the same name in every request, so that upstream caches hit. */
  send(name: string): string {
    const known = this.#sent.get(name)
    if (known !== undefined) return known
    const sent = permitted(name, this.#lengthMax, this.#start)
    this.#sent.set(name, sent)
    if (sent !== name) this.originals.set(sent, name)
    return sent
  }
}

const permitted = (name: string, lengthMax: number, start: RegExp): string => {
  const clean = start.test(name) ? cleaned(name) : `tool_${cleaned(name)}`
  if (clean === name && name !== "" && name.length <= lengthMax) return name
  return `${clean.slice(0, lengthMax - 17)}_${fingerprint(name)}`
}

// OpenAI's limit, which the others' callers meet as well.
const chatIdLengthMax = 40

/** A tool call's id as a chat upstream takes it. Calls and results of one request agree, since it depends on the id alone. */
export const chatToolId = (id: string, { shortCallIds }: Pick<ChatTraits, "shortCallIds">): string => {
  if (shortCallIds) return /^[a-zA-Z0-9]{9}$/.test(id) ? id : fingerprint(id).slice(0, 9)
  return shortId(id, chatIdLengthMax)
}

/** An id that is too long becomes another, the same for the same id. */
export const shortId = (id: string, lengthMax: number): string =>
  id !== "" && id.length <= lengthMax ? id : `call_${fingerprint(id)}`

/** A tool call's id as the Messages protocol takes it. */
export const messagesToolId = (id: string): string => (id === "" ? "toolu_0" : cleaned(id))

/**
 * The id of an answer's call, which clients send back to any model: Claude refuses those of Kimi, `functions.f:0`
 * (farion1231/cc-switch #1181). An empty one is yet to come.
 */
export const receivedToolId = (id: string): string => cleaned(id)

const cleaned = (text: string): string => text.replace(/[^a-zA-Z0-9_-]/g, "_")

/** Sixteen hexadecimal digits that tell texts apart (FNV-1a, run twice from different starts). */
const fingerprint = (text: string): string => hash(text, 0x811c9dc5) + hash(text, 0x01000193)

const hash = (text: string, start: number): string => {
  let state = start
  for (let index = 0; index < text.length; index++)
    state = Math.imul(state ^ text.charCodeAt(index), 0x01000193)
  return (state >>> 0).toString(16).padStart(8, "0")
}
