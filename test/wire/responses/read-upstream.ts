/** A provider's request of any protocol in one form, so that a case need not say how each of them spells it. */
import { isJsonObject, type Json, type JsonObject, objectsOf } from "../../../src/formats/json/json.ts"
import { protocolOf, toolsOf, type UpstreamProtocol } from "./protocols.ts"
import { readChat } from "./read-chat.ts"
import { readConverse } from "./read-converse.ts"
import { readMessages } from "./read-messages.ts"
import { readResponses } from "./read-responses.ts"
import type { Asked } from "./ScriptedUpstream.ts"

export type Part = string | JsonObject
export interface Turn {
  readonly role: string
  readonly parts: ReadonlyArray<Part>
}

/** What each protocol's reader finds of its own. */
export interface Conversation {
  readonly system: ReadonlyArray<string>
  readonly turns: ReadonlyArray<Turn>
  readonly roles: ReadonlyArray<string>
  readonly choice: Json
  readonly parallel: Json
  readonly cap: Json
  readonly temperature: Json
  readonly topP: Json
  readonly format: Json
}

export interface UpstreamRequest extends Conversation {
  readonly protocol: UpstreamProtocol
  readonly tools: ReadonlyArray<JsonObject>
}

const readers = {
  messages: readMessages,
  invoke: readMessages,
  chat: readChat,
  converse: readConverse,
  responses: readResponses
}

export const readUpstream = (asked: Asked): UpstreamRequest => {
  const protocol = protocolOf(asked)
  const read = readers[protocol](asked.body)
  return {
    ...read,
    turns: joined(read.turns),
    protocol,
    tools: toolsOf(protocol, asked.body).map((tool, index) =>
      toolOf(tool, objectsOf(asked.body.tools)[index])
    )
  }
}

const toolOf = (tool: JsonObject, outer: JsonObject | undefined): JsonObject => {
  const input = isJsonObject(tool.inputSchema) ? tool.inputSchema.json : undefined
  return {
    type: outer?.type ?? tool.type ?? null,
    name: tool.name ?? null,
    description: tool.description ?? null,
    strict: tool.strict ?? null,
    schema: tool.input_schema ?? tool.parameters ?? input ?? null
  }
}

/** Neighbours of one role are one turn, neighbouring texts one text, results come before what else is said. */
const joined = (turns: ReadonlyArray<Turn>): ReadonlyArray<Turn> => {
  const merged: Array<{ readonly role: string; parts: Array<Part> }> = []
  for (const { parts, role } of turns) {
    const last = merged.at(-1)
    if (last?.role === role) last.parts.push(...parts)
    else merged.push({ role, parts: [...parts] })
  }
  return merged.map(({ parts, role }) => {
    const results = parts.filter((part) => typeof part === "object" && "result" in part)
    const others = parts.filter((part) => !results.includes(part))
    return { role, parts: joinedTexts([...results, ...others]) }
  })
}

const joinedTexts = (parts: ReadonlyArray<Part>): ReadonlyArray<Part> => {
  const all: Array<Part> = []
  for (const part of parts) {
    const last = all.at(-1)
    if (typeof part === "string" && typeof last === "string") all[all.length - 1] = `${last}\n${part}`
    else all.push(part)
  }
  return all
}
