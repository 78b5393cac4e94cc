/** A Converse request. */
import { isJsonObject, type Json, type JsonObject, objectsOf } from "../../../src/formats/json/json.ts"
import { textsOf } from "./read-messages.ts"
import type { Conversation, Part, Turn } from "./read-upstream.ts"

export const readConverse = (body: JsonObject): Conversation => {
  const messages = objectsOf(body.messages)
  const config = isJsonObject(body.inferenceConfig) ? body.inferenceConfig : {}
  const tools = isJsonObject(body.toolConfig) ? body.toolConfig : {}
  return {
    system: textsOf(body.system),
    turns: messages.map(({ content, role }): Turn => ({
      role: String(role),
      parts: objectsOf(content).map(partOf)
    })),
    roles: messages.map(({ role }) => String(role)),
    choice: choiceOf(tools.toolChoice),
    parallel: null,
    cap: config.maxTokens ?? null,
    temperature: config.temperature ?? null,
    topP: config.topP ?? null,
    format: null
  }
}

const choiceOf = (choice: Json | undefined): Json => {
  if (!isJsonObject(choice)) return null
  if (isJsonObject(choice.tool)) return { name: choice.tool.name ?? null }
  return choice.any === undefined ? "auto" : "required"
}

const partOf = (block: JsonObject): Part => {
  if (typeof block.text === "string") return block.text
  if (isJsonObject(block.toolUse)) {
    const { input, name, toolUseId } = block.toolUse
    return { call: toolUseId ?? null, name: name ?? null, args: input ?? null }
  }
  if (isJsonObject(block.toolResult)) {
    const parts = objectsOf(block.toolResult.content).map(partOf)
    const text = parts.filter((part) => typeof part === "string").join("")
    const images = parts.flatMap((part) => (typeof part === "string" ? [] : [part.image ?? null]))
    return { result: block.toolResult.toolUseId ?? null, text, images }
  }
  if (isJsonObject(block.image)) {
    const { format, source } = block.image
    return { image: `data:image/${String(format)};base64,${String((source as JsonObject).bytes)}` }
  }
  if (isJsonObject(block.document)) {
    const { name, source } = block.document
    return { file: (source as JsonObject).bytes ?? null, name: name ?? null }
  }
  if (isJsonObject(block.reasoningContent) && isJsonObject(block.reasoningContent.reasoningText)) {
    const { signature, text } = block.reasoningContent.reasoningText
    return { thinking: text ?? null, signature: signature ?? null }
  }
  return block
}
