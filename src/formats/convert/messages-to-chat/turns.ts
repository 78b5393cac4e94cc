/** The conversation of a Messages request as chat messages. */
import type { Model } from "../../../domain/catalogue.ts"
import { withSteadyBillingLine } from "../../messages/billing-line.ts"
import { arrayAt, objectAt, optional, optionalObject, refuse, stringAt } from "../../json/fields.ts"
import type { Json, JsonObject } from "../../json/json.ts"
import { pairedResults } from "../paired-results.ts"
import { chatTraitsOf } from "../../chat/chat-traits.ts"
import { markerOf, readableMessages } from "../foreign-blocks.ts"
import {
  chatParts,
  isTextPart,
  joinedContent,
  partFor,
  partsOfBlock,
  textOfBlock,
  textParts
} from "./content.ts"
import { returnedReasoning } from "../reasoning.ts"
import { ownThought } from "../reasoning-marks.ts"
import { thoughtSignatureField } from "../thought-signature.ts"
import { chatToolId, type ToolNameMap } from "../tool-names.ts"

export const chatMessages = (
  body: JsonObject,
  model: Model,
  names: ToolNameMap
): ReadonlyArray<JsonObject> => {
  const messages = pairedResults(readableMessages(body))
  const all = messages.reduce(
    (before, [index, value]) => {
      const message = objectAt(value, `messages.${index}`)
      const field = `messages.${index}.content`
      for (const each of chatMessagesOf(message, field, model, names)) before.push(each)
      return before
    },
    systemMessages(withSteadyBillingLine(body.system), "system")
  )
  return all.length > 0 ? all : refuse("messages", "hold nothing to answer")
}

const chatMessagesOf = (
  message: JsonObject,
  field: string,
  model: Model,
  names: ToolNameMap
): ReadonlyArray<JsonObject> => {
  if (message.role === "system" || message.role === "developer") return systemMessages(message.content, field)
  return message.role === "assistant"
    ? assistantMessages(message.content, field, model, names)
    : userMessages(message.content, field, model)
}

const systemMessages = (content: Json | undefined, field: string): Array<JsonObject> => {
  const parts = optional(chatParts, content, field) ?? []
  return parts.length === 0 ? [] : [{ role: "system", content: joinedContent(parts, "\n\n") }]
}

/** Tool results first, as the chat protocol wants them right after their calls; then what else the user said. */
const userMessages = (content: Json | undefined, field: string, model: Model): ReadonlyArray<JsonObject> => {
  if (typeof content === "string") return content.trim() === "" ? [] : [{ role: "user", content }]
  const results: Array<JsonObject> = []
  const parts: Array<JsonObject> = []
  const others: Array<JsonObject> = []
  arrayAt(content, field).forEach((value, index) => {
    const at = `${field}.${index}`
    const block = objectAt(value, at)
    if (block.type !== "tool_result") return others.push(...partsOfBlock(block, at))
    const { message, attached } = toolResult(block, at, model)
    results.push(message)
    for (const part of attached) parts.push(part)
  })
  const said = [...parts, ...others].map((part) => partFor(chatTraitsOf(model), part))
  return said.length === 0 ? results : [...results, { role: "user", content: joinedContent(said, "\n\n") }]
}

/** Tool messages hold text alone: images and files of a result go into the user's message that follows. */
const toolResult = (block: JsonObject, field: string, model: Model) => {
  const id = chatToolId(stringAt(block.tool_use_id, `${field}.tool_use_id`), chatTraitsOf(model))
  const parts = optional(chatParts, block.content, `${field}.content`) ?? []
  const attachments = parts.filter((part) => !isTextPart(part))
  const texts = parts.filter(isTextPart)
  if (texts.length === 0 && attachments.length > 0)
    texts.push({ text: "(the result is attached to the next message)" })
  const text = texts.map((part) => part.text).join("\n")
  return {
    message: {
      role: "tool",
      tool_call_id: id,
      content: block.is_error === true ? `[tool error] ${text}` : text
    },
    attached:
      attachments.length === 0
        ? []
        : [...textParts(`Attached to the result of tool call ${id}:`), ...attachments]
  }
}

/** One message at most: none for a turn of nothing but thinking, which no chat upstream takes. */
const assistantMessages = (
  content: Json | undefined,
  field: string,
  model: Model,
  names: ToolNameMap
): ReadonlyArray<JsonObject> => {
  if (typeof content === "string") {
    const reasoning = returnedReasoning("", model, false)
    return content.trim() === "" ? [] : [{ role: "assistant", content, reasoning_content: reasoning }]
  }
  const calls: Array<JsonObject> = []
  const pieces: Array<Piece> = []
  let thinking = ""
  let signature: string | undefined
  arrayAt(content, field).forEach((value, index) => {
    const at = `${field}.${index}`
    const block = objectAt(value, at)
    if (block.type === "tool_use") {
      calls.push(toolCall(block, at, model, names, signature ?? (calls.length === 0 ? "" : undefined)))
      signature = undefined
    } else if (block.type === "thinking" || block.type === "redacted_thinking") {
      const own = ownThought(block, model.family, false)
      if (own?.mark.kind === "thought") thinking += own.text
      if (own?.mark.kind === "call") signature = own.mark.payload
    } else {
      const said = textOfBlock(block, at)
      pieces.push({ text: said ?? markerOf(block), isMarker: said === undefined })
    }
  })
  const text = joinedPieces(pieces)
  const isBlank = text.trim() === ""
  if (isBlank && calls.length === 0) return []
  const message = {
    role: "assistant",
    content: isBlank ? chatTraitsOf(model).noText : text,
    reasoning_content: returnedReasoning(thinking, model, calls.length > 0),
    tool_calls: calls.length === 0 ? undefined : calls
  }
  return [message]
}

interface Piece {
  readonly text: string
  readonly isMarker: boolean
}

/** Texts as they follow each other, markers on lines of their own. */
const joinedPieces = (pieces: ReadonlyArray<Piece>): string => {
  const told = pieces.filter(({ text }) => text !== "")
  return told
    .map(({ isMarker, text }, place) =>
      place > 0 && (isMarker || told[place - 1]!.isMarker) ? `\n${text}` : text
    )
    .join("")
}

const toolCall = (
  block: JsonObject,
  field: string,
  model: Model,
  names: ToolNameMap,
  signature: string | undefined
): JsonObject => ({
  id: chatToolId(stringAt(block.id, `${field}.id`), chatTraitsOf(model)),
  type: "function",
  function: {
    name: names.send(stringAt(block.name, `${field}.name`)),
    arguments: JSON.stringify(optionalObject(block.input, `${field}.input`))
  },
  ...thoughtSignatureField(signature, chatTraitsOf(model))
})
