/** The order in which chat providers take the messages of a conversation, where it is stricter than OpenAI's. */
import { isJsonObject, type Json, type JsonObject, stringOf } from "../../json/json.ts"
import type { ChatTraits } from "../../chat/chat-traits.ts"
import { joinedContent, opening } from "./content.ts"

/** Said by the model between a tool's result and what the user says next. */
const bridge: JsonObject = { role: "assistant", content: "I have read the results." }

export const inTurnOrder = (
  messages: ReadonlyArray<JsonObject>,
  { turnOrder, userFirst }: ChatTraits
): ReadonlyArray<JsonObject> => {
  const ordered = turnOrder === "any" ? messages : systemFirst(messages, turnOrder)
  return userFirst ? begun(ordered) : ordered
}

const systemFirst = (messages: ReadonlyArray<JsonObject>, turnOrder: "system-first" | "mistral") => {
  const { leading, rest } = split(messages)
  const turns = rest.map((message) => (message.role === "system" ? reminder(message) : message))
  return turnOrder === "mistral" ? [...leading, ...prefixed(bridged(turns))] : [...merged(leading), ...turns]
}

const split = (messages: ReadonlyArray<JsonObject>) => {
  const first = messages.findIndex(({ role }) => role !== "system")
  const start = first === -1 ? messages.length : first
  return { leading: messages.slice(0, start), rest: messages.slice(start) }
}

/** What a compacted conversation has lost: a user's turn before the calls. */
const begun = (messages: ReadonlyArray<JsonObject>): ReadonlyArray<JsonObject> => {
  const first = messages.find(({ role, tool_calls: calls }) => role === "user" || calls !== undefined)
  if (first?.role === "user") return messages
  const { leading, rest } = split(messages)
  return [...leading, { role: "user", content: opening }, ...rest]
}

/** It keeps its place in the user's voice, marked as what it is. */
const reminder = ({ content }: JsonObject): JsonObject => ({
  role: "user",
  content: joinedContent([textPart("<system>"), ...partsOf(content), textPart("</system>")], "\n")
})

/** Mistral refuses a user's message right behind a tool's: "Unexpected role 'user' after role 'tool'", code 3230. */
const bridged = (turns: ReadonlyArray<JsonObject>): ReadonlyArray<JsonObject> =>
  turns.flatMap((turn, place) =>
    turn.role === "user" && turns[place - 1]?.role === "tool" ? [bridge, turn] : [turn]
  )

/** "Expected last role User or Tool (or Assistant with prefix True)": huggingface/smolagents #757. */
const prefixed = (turns: ReadonlyArray<JsonObject>): ReadonlyArray<JsonObject> => {
  const last = turns.at(-1)
  const isBegun = last?.role === "assistant" && last.tool_calls === undefined
  return isBegun ? [...turns.slice(0, -1), { ...last, prefix: true }] : turns
}

const merged = (leading: ReadonlyArray<JsonObject>): ReadonlyArray<JsonObject> => {
  if (leading.length < 2) return leading
  return [
    {
      role: "system",
      content: joinedContent(
        leading.flatMap(({ content }) => partsOf(content)),
        "\n\n"
      )
    }
  ]
}

const partsOf = (content: Json | undefined): ReadonlyArray<JsonObject> =>
  Array.isArray(content)
    ? (content as ReadonlyArray<Json>).filter(isJsonObject)
    : [textPart(stringOf(content))]

const textPart = (text: string): JsonObject => ({ type: "text", text })
