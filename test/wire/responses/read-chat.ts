/** A chat request. */
import { isJsonObject, type Json, type JsonObject, objectsOf } from "../../../src/formats/json/json.ts"
import { textsOf } from "./read-messages.ts"
import type { Conversation, Part, Turn } from "./read-upstream.ts"

export const readChat = (body: JsonObject): Conversation => {
  const messages = objectsOf(body.messages)
  const isSystem = ({ role }: JsonObject) => role === "system" || role === "developer"
  const format = isJsonObject(body.response_format) ? body.response_format : undefined
  return {
    system: messages.filter(isSystem).flatMap(({ content }) => textsOf(content)),
    turns: messages.filter((message) => !isSystem(message)).map(turnOf),
    roles: messages.map(({ role }) => String(role)),
    choice: choiceOf(body.tool_choice),
    parallel: body.parallel_tool_calls ?? null,
    cap: body.max_completion_tokens ?? body.max_tokens ?? null,
    temperature: body.temperature ?? null,
    topP: body.top_p ?? null,
    format:
      format !== undefined && isJsonObject(format.json_schema)
        ? { type: format.type ?? null, ...format.json_schema }
        : (format ?? null)
  }
}

const choiceOf = (choice: Json | undefined): Json => {
  if (!isJsonObject(choice)) return choice ?? null
  const named = choice[String(choice.type)]
  return isJsonObject(named) ? { name: named.name ?? null } : choice
}

const turnOf = (message: JsonObject): Turn => {
  const content = partsOf(message.content)
  if (message.role === "tool") {
    const text = content.filter((part) => typeof part === "string").join("")
    const images = content.flatMap((part) => (typeof part === "string" ? [] : [part.image ?? null]))
    return { role: "user", parts: [{ result: message.tool_call_id ?? null, text, images }] }
  }
  const thought = message.reasoning_content
  return {
    role: String(message.role),
    parts: [
      ...(typeof thought === "string" && thought !== "" ? [{ thinking: thought }] : []),
      ...content,
      ...objectsOf(message.tool_calls).map(callOf)
    ]
  }
}

const callOf = (call: JsonObject): Part => {
  const called = isJsonObject(call.function) ? call.function : {}
  const google = isJsonObject(call.extra_content) ? call.extra_content.google : undefined
  const signature = isJsonObject(google) ? google.thought_signature : undefined
  return {
    call: call.id ?? null,
    name: called.name ?? null,
    args: JSON.parse(String(called.arguments)) as Json,
    signature: signature ?? null
  }
}

const partsOf = (content: Json | undefined): ReadonlyArray<Part> => {
  if (content === null || content === undefined || content === "") return []
  return typeof content === "string" ? [content] : objectsOf(content).map(partOf)
}

const partOf = (part: JsonObject): Part => {
  if (part.type === "text") return String(part.text)
  if (part.type === "image_url" && isJsonObject(part.image_url)) return { image: part.image_url.url ?? null }
  if (part.type === "file" && isJsonObject(part.file)) {
    const { file_data: data, filename } = part.file
    return { file: withoutDataUrl(data ?? null), name: filename ?? null }
  }
  return part
}

export const withoutDataUrl = (data: Json): Json =>
  typeof data === "string" ? data.replace(/^data:[^,]*,/, "") : data
