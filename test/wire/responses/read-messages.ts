/** A Messages request, also as the body of InvokeModel. */
import { isJsonObject, type Json, type JsonObject, objectsOf } from "../../../src/formats/json/json.ts"
import type { Conversation, Part, Turn } from "./read-upstream.ts"

export const readMessages = (body: JsonObject): Conversation => {
  const messages = objectsOf(body.messages)
  const isSystem = ({ role }: JsonObject) => role === "system"
  const choice = isJsonObject(body.tool_choice) ? body.tool_choice : {}
  const config = isJsonObject(body.output_config) ? body.output_config : {}
  return {
    system: [
      ...textsOf(body.system),
      ...messages.filter(isSystem).flatMap(({ content }) => textsOf(content))
    ],
    turns: messages
      .filter((message) => !isSystem(message))
      .map(({ content, role }): Turn => ({ role: String(role), parts: partsOf(content) })),
    roles: messages.map(({ role }) => String(role)),
    choice: choiceOf(choice),
    parallel: choice.disable_parallel_tool_use === true ? false : null,
    cap: body.max_tokens ?? null,
    temperature: body.temperature ?? null,
    topP: body.top_p ?? null,
    format: config.format ?? null
  }
}

const choiceOf = (choice: JsonObject): Json => {
  if (choice.type === "any") return "required"
  return choice.type === "tool" ? { name: choice.name ?? null } : (choice.type ?? null)
}

export const textsOf = (content: Json | undefined): ReadonlyArray<string> =>
  typeof content === "string" ? [content] : objectsOf(content).map(({ text }) => String(text))

const partsOf = (content: Json | undefined): ReadonlyArray<Part> =>
  typeof content === "string" ? [content] : objectsOf(content).map(partOf)

const partOf = (block: JsonObject): Part => {
  switch (block.type) {
    case "text":
      return String(block.text)
    case "tool_use":
      return { call: block.id ?? null, name: block.name ?? null, args: block.input ?? null }
    case "tool_result": {
      const parts = partsOf(block.content ?? "")
      return {
        result: block.tool_use_id ?? null,
        text: parts.filter((part) => typeof part === "string").join(""),
        images: parts.flatMap((part) => (typeof part === "string" ? [] : [part.image ?? null]))
      }
    }
    case "thinking":
      return { thinking: block.thinking ?? null, signature: block.signature ?? null }
    case "redacted_thinking":
      return { redacted: block.data ?? null }
    case "image":
      return { image: sourceOf(block.source, true) }
    case "document":
      return { file: sourceOf(block.source, false), name: block.title ?? null }
    default:
      return block
  }
}

const sourceOf = (source: Json | undefined, asUrl: boolean): Json => {
  if (!isJsonObject(source)) return null
  if (source.type === "url") return source.url ?? null
  return asUrl ? `data:${String(source.media_type)};base64,${String(source.data)}` : (source.data ?? null)
}
