/** A Responses request. */
import { isJsonObject, type Json, type JsonObject, objectsOf } from "../../../src/formats/json/json.ts"
import { withoutDataUrl } from "./read-chat.ts"
import { textsOf } from "./read-messages.ts"
import type { Conversation, Part, Turn } from "./read-upstream.ts"

export const readResponses = (body: JsonObject): Conversation => {
  const items: ReadonlyArray<JsonObject> =
    typeof body.input === "string" ? [{ role: "user", content: body.input }] : objectsOf(body.input)
  const isSystem = ({ role }: JsonObject) => role === "system" || role === "developer"
  const text = isJsonObject(body.text) ? body.text : {}
  const choice = body.tool_choice
  return {
    system: [
      ...(typeof body.instructions === "string" ? [body.instructions] : []),
      ...items.filter(isSystem).flatMap(({ content }) => textsOf(content))
    ],
    turns: items.filter((item) => !isSystem(item)).map(turnOf),
    roles: items.flatMap(({ role }) => (role === undefined ? [] : [String(role)])),
    choice:
      isJsonObject(choice) && typeof choice.name === "string" ? { name: choice.name } : (choice ?? null),
    parallel: body.parallel_tool_calls ?? null,
    cap: body.max_output_tokens ?? null,
    temperature: body.temperature ?? null,
    topP: body.top_p ?? null,
    format: text.format ?? null
  }
}

const turnOf = (item: JsonObject): Turn => {
  switch (item.type) {
    case "function_call":
      return assistant({
        call: item.call_id ?? null,
        name: item.name ?? null,
        args: JSON.parse(String(item.arguments)) as Json
      })
    case "custom_tool_call":
      return assistant({ call: item.call_id ?? null, name: item.name ?? null, args: item.input ?? null })
    case "reasoning":
      return assistant({ reasoning: item.encrypted_content ?? null, id: item.id ?? null })
    case "function_call_output":
    case "custom_tool_call_output": {
      const parts = partsOf(item.output)
      const text = parts.filter((part) => typeof part === "string").join("")
      const images = parts.flatMap((part) => (typeof part === "string" ? [] : [part.image ?? null]))
      return { role: "user", parts: [{ result: item.call_id ?? null, text, images }] }
    }
    default:
      return { role: String(item.role), parts: partsOf(item.content) }
  }
}

const assistant = (part: Part): Turn => ({ role: "assistant", parts: [part] })

const partsOf = (content: Json | undefined): ReadonlyArray<Part> =>
  typeof content === "string" ? [content] : objectsOf(content).map(partOf)

const partOf = (part: JsonObject): Part => {
  switch (part.type) {
    case "input_text":
    case "output_text":
      return String(part.text)
    case "refusal":
      return String(part.refusal)
    case "input_image":
      return { image: part.image_url ?? null }
    case "input_file":
      return { file: withoutDataUrl(part.file_data ?? part.file_url ?? null), name: part.filename ?? null }
    default:
      return part
  }
}
