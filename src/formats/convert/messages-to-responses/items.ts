/** The conversation of a Messages request as the input of a Responses request. */
import type { Model } from "../../../domain/catalogue.ts"
import { arrayAt, objectAt, optionalObject, stringAt } from "../../json/fields.ts"
import type { Json, JsonObject } from "../../json/json.ts"
import { idLengthMax, pairItems } from "../pair-items.ts"
import { markerOf, readableMessages } from "../foreign-blocks.ts"
import { textOfBlock } from "../messages-to-chat/content.ts"
import { ownThought } from "../reasoning-marks.ts"
import { shortId, type ToolNameMap } from "../tool-names.ts"
import { inputParts, inputText, outputOf, partsOfBlock } from "./content.ts"

export interface ItemsContext {
  readonly model: Model
  readonly names: ToolNameMap
}

export const inputItems = (body: JsonObject, context: ItemsContext): ReadonlyArray<JsonObject> =>
  pairItems(
    readableMessages(body).flatMap(([index, value]) => {
      const message = objectAt(value, `messages.${index}`)
      const field = `messages.${index}.content`
      if (message.role === "system" || message.role === "developer")
        return messageItems("developer", inputParts(message.content, field))
      return message.role === "assistant"
        ? assistantItems(message.content, field, context)
        : userItems(message.content, field)
    }),
    context.model
  )

export const messageItems = (role: string, content: ReadonlyArray<JsonObject>): ReadonlyArray<JsonObject> =>
  content.length === 0 ? [] : [{ type: "message", role, content }]

/** What tools gave, and then what else the user says. */
const userItems = (content: Json | undefined, field: string): ReadonlyArray<JsonObject> => {
  if (!Array.isArray(content)) return messageItems("user", inputParts(content, field))
  const outputs: Array<JsonObject> = []
  const parts: Array<JsonObject> = []
  for (const [index, value] of content.entries()) {
    const at = `${field}.${index}`
    const block = objectAt(value as Json, at)
    if (block.type === "tool_result") outputs.push(toolOutput(block, at))
    else for (const part of partsOfBlock(block, at)) parts.push(part)
  }
  return [...outputs, ...messageItems("user", parts)]
}

const toolOutput = (block: JsonObject, field: string): JsonObject => {
  const parts = inputParts(block.content, `${field}.content`)
  const told = block.is_error === true ? [inputText("[tool error]"), ...parts] : parts
  return {
    type: "function_call_output",
    call_id: callId(stringAt(block.tool_use_id, `${field}.tool_use_id`)),
    output: withErrorInFront(outputOf(told))
  }
}

/** In one line with the text, as on other conversions. */
const withErrorInFront = (output: Json): Json =>
  typeof output === "string" ? output.replace(/^\[tool error\]\n/, "[tool error] ") : output

/** In the order in which the model made them; its texts in a row are one message. */
const assistantItems = (
  content: Json | undefined,
  field: string,
  { model, names }: ItemsContext
): ReadonlyArray<JsonObject> => {
  if (typeof content === "string") return messageItems("assistant", saidParts(content))
  const items: Array<JsonObject> = []
  let said: Array<JsonObject> = []
  const endMessage = () => {
    items.push(...messageItems("assistant", said))
    said = []
  }
  for (const [index, value] of arrayAt(content, field).entries()) {
    const at = `${field}.${index}`
    const block = objectAt(value, at)
    if (block.type === "thinking" || block.type === "redacted_thinking") {
      const thought = thoughtItems(block, model.family)
      if (thought.length > 0) endMessage()
      items.push(...thought)
    } else if (block.type === "tool_use") {
      endMessage()
      items.push(callItem(block, at, names))
    } else said.push(...saidParts(textOfBlock(block, at) ?? markerOf(block)))
  }
  endMessage()
  return items
}

const saidParts = (text: string): ReadonlyArray<JsonObject> =>
  text.trim() === "" ? [] : [{ type: "output_text", text, annotations: [] }]

/** What the provider itself encrypted, under the item's own id. */
const thoughtItems = (block: JsonObject, family: string): ReadonlyArray<JsonObject> => {
  const mark = ownThought(block, family, false)?.mark
  const [, id, encrypted] = (mark?.kind === "item" && /^([\w-]{1,128}):(.+)$/s.exec(mark.payload)) || []
  return id === undefined ? [] : [{ type: "reasoning", id, summary: [], encrypted_content: encrypted }]
}

const callItem = (block: JsonObject, field: string, names: ToolNameMap): JsonObject => ({
  type: "function_call",
  call_id: callId(stringAt(block.id, `${field}.id`)),
  name: names.send(stringAt(block.name, `${field}.name`)),
  arguments: JSON.stringify(optionalObject(block.input, `${field}.input`))
})

export const callId = (id: string): string => shortId(id, idLengthMax)
