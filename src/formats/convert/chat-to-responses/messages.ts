/** The messages of a chat request as the input of a Responses request. */
import type { Model } from "../../../domain/catalogue.ts"
import {
  arrayAt,
  objectAt,
  optional,
  optionalArray,
  optionalText,
  refuse,
  refuseType,
  stringAt,
  textAt
} from "../../json/fields.ts"
import { isAbsent, isJsonObject, type Json, type JsonObject } from "../../json/json.ts"
import { pairItems } from "../pair-items.ts"
import { inputPart, outputOf } from "../messages-to-responses/content.ts"
import { callId, messageItems } from "../messages-to-responses/items.ts"

export const inputItems = (body: JsonObject, model: Model): ReadonlyArray<JsonObject> => {
  const customCalls = new Set<string>()
  const items = arrayAt(body.messages, "messages").flatMap((value, index) => {
    const field = `messages.${index}`
    return itemsOf(objectAt(value, field), field, customCalls)
  })
  return items.length > 0 ? pairItems(items, model) : refuse("messages", "hold nothing to answer")
}

const itemsOf = (message: JsonObject, field: string, customCalls: Set<string>): ReadonlyArray<JsonObject> => {
  switch (message.role) {
    case "assistant":
      return assistantItems(message, field, customCalls)
    case "tool": {
      const id = callId(stringAt(message.tool_call_id, `${field}.tool_call_id`))
      return [outputItem(customCalls.has(id) ? "custom" : "function", id, message, field)]
    }
    case "function":
      return [outputItem("function", formerCallId, message, field)]
    case "system":
    case "developer":
      return messageItems(message.role, partsOf(message.content, `${field}.content`))
    case "user":
      return messageItems("user", partsOf(message.content, `${field}.content`))
    default:
      return refuse(`${field}.role`, "must be system, developer, user, assistant or tool")
  }
}

/** Calls of the protocol's older form have no ids. */
const formerCallId = "function_call"

const outputItem = (
  kind: "custom" | "function",
  id: string,
  message: JsonObject,
  field: string
): JsonObject => ({
  type: kind === "custom" ? "custom_tool_call_output" : "function_call_output",
  call_id: id,
  output: outputOf(partsOf(message.content, `${field}.content`))
})

const partsOf = (content: Json | undefined, field: string): ReadonlyArray<JsonObject> => {
  if (isAbsent(content)) return []
  if (typeof content === "string") return content === "" ? [] : [{ type: "input_text", text: content }]
  return arrayAt(content, field).map((value, index) =>
    partOf(objectAt(value, `${field}.${index}`), `${field}.${index}`)
  )
}

const partOf = (part: JsonObject, field: string): JsonObject => ({
  ...contentOf(part, field),
  ...cacheMark(part)
})

const contentOf = (part: JsonObject, field: string): JsonObject => {
  switch (part.type) {
    case "text":
      return { type: "input_text", text: textAt(part.text, `${field}.text`) }
    case "image_url":
      return inputPart({ image_url: imageOf(part.image_url, `${field}.image_url`) })
    case "file":
      return inputPart({ file: objectAt(part.file, `${field}.file`) })
    // Some clients mix up the two protocols.
    case "input_text":
    case "input_image":
    case "input_file":
      return part
    default:
      return refuseType("content", part, field)
  }
}

/** Where a prompt that is cached ends. */
const cacheMark = ({ prompt_cache_breakpoint: mark }: JsonObject): JsonObject =>
  isJsonObject(mark) ? { prompt_cache_breakpoint: mark } : {}

const imageOf = (image: Json | undefined, field: string): JsonObject =>
  typeof image === "string" ? { url: image } : objectAt(image, field)

const assistantItems = (
  message: JsonObject,
  field: string,
  customCalls: Set<string>
): ReadonlyArray<JsonObject> => {
  const refusal = optionalText(message.refusal, `${field}.refusal`)
  const said = [
    ...saidParts(message.content, `${field}.content`),
    ...(refusal === "" ? [] : [{ type: "refusal", refusal }])
  ]
  const calls = optionalArray(message.tool_calls, `${field}.tool_calls`).map((value, index) =>
    callItem(objectAt(value, `${field}.tool_calls.${index}`), `${field}.tool_calls.${index}`, customCalls)
  )
  const former = optional(objectAt, message.function_call, `${field}.function_call`)
  const formerCall = former && functionCall(formerCallId, former, `${field}.function_call`)
  return [...messageItems("assistant", said), ...calls, ...(formerCall === undefined ? [] : [formerCall])]
}

const saidParts = (content: Json | undefined, field: string): ReadonlyArray<JsonObject> => {
  if (isAbsent(content)) return []
  if (typeof content === "string") return saidText(content)
  return arrayAt(content, field).flatMap((value, index) => {
    const part = objectAt(value, `${field}.${index}`)
    return part.type === "refusal"
      ? [{ type: "refusal", refusal: stringAt(part.refusal, `${field}.${index}.refusal`) }]
      : saidText(textAt(part.text, `${field}.${index}.text`))
  })
}

const saidText = (text: string): ReadonlyArray<JsonObject> =>
  text === "" ? [] : [{ type: "output_text", text, annotations: [] }]

const callItem = (call: JsonObject, field: string, customCalls: Set<string>): JsonObject => {
  const id = callId(stringAt(call.id, `${field}.id`))
  if (!isJsonObject(call.custom))
    return functionCall(id, objectAt(call.function, `${field}.function`), `${field}.function`)
  customCalls.add(id)
  return {
    type: "custom_tool_call",
    call_id: id,
    name: stringAt(call.custom.name, `${field}.custom.name`),
    input: textAt(call.custom.input, `${field}.custom.input`)
  }
}

const functionCall = (id: string, called: JsonObject, field: string): JsonObject => ({
  type: "function_call",
  call_id: id,
  name: stringAt(called.name, `${field}.name`),
  arguments: optionalText(called.arguments, `${field}.arguments`) || "{}"
})
