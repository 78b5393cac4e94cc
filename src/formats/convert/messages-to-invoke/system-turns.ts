/** System prompts between turns, which Claude knows from 4.8 on: for its earlier models they are told by the user. */
import { blocksOf } from "../../messages/blocks.ts"
import type { Model } from "../../../domain/catalogue.ts"
import { isJsonObject, type Json, type JsonObject, objectOf } from "../../json/json.ts"

/** The messages with their system turns as user turns; `undefined` where nothing has to change. */
export const systemTurnsAsUser = (messages: Json | undefined, model: Model): Json | undefined => {
  if (!/-4-[1-7]\b/.test(model.upstream.model) || !Array.isArray(messages)) return undefined
  if (!messages.some(isSystem)) return undefined
  const turns: Array<Json> = []
  // Between tool calls and their results nothing may stand: there the system prompt waits for the results.
  let waiting: Array<Json> = []
  for (const message of messages as ReadonlyArray<Json>) {
    if (isSystem(message)) {
      const target = hasCalls(turns.at(-1)) ? waiting : turns
      target.push({ role: "user", content: asInstruction(message.content) })
    } else if (objectOf(message).role === "assistant") {
      turns.push(...waiting, message)
      waiting = []
    } else {
      turns.push(message, ...waiting)
      waiting = []
    }
  }
  return [...turns, ...waiting]
}

const hasCalls = (message: Json | undefined): boolean =>
  objectOf(message).role === "assistant" && blocksOf(message, "tool_use").length > 0

const isSystem = (message: Json): message is JsonObject => objectOf(message).role === "system"

const asInstruction = (content: Json | undefined): Json => {
  if (typeof content === "string") return `<system>\n${content}\n</system>`
  if (!Array.isArray(content)) return content ?? ""
  return content.map((block: Json) =>
    isJsonObject(block) && typeof block.text === "string"
      ? { ...block, text: `<system>\n${block.text}\n</system>` }
      : block
  )
}
