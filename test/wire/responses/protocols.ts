/** Which protocol a provider was spoken to in, and the tools as they came. */
import { isJsonObject, type JsonObject, objectsOf } from "../../../src/formats/json/json.ts"
import type { Asked } from "./ScriptedUpstream.ts"

export type UpstreamProtocol = "messages" | "chat" | "responses" | "invoke" | "converse"

export const protocolOf = ({ path }: Asked): UpstreamProtocol => {
  if (/\/converse(-stream)?$/.test(path)) return "converse"
  if (/\/invoke(-with-response-stream)?$/.test(path)) return "invoke"
  if (/\/messages(\/count_tokens)?(\?|$)/.test(path)) return "messages"
  return path.endsWith("/chat/completions") ? "chat" : "responses"
}

export const isStreamed = ({ body, path }: Asked): boolean => path.endsWith("-stream") || body.stream === true

/** Each tool's own object, whatever it is wrapped in. */
export const toolsOf = (protocol: UpstreamProtocol, body: JsonObject): ReadonlyArray<JsonObject> => {
  if (protocol === "converse") {
    const config = isJsonObject(body.toolConfig) ? body.toolConfig : {}
    return objectsOf(config.tools).flatMap(({ toolSpec }) => (isJsonObject(toolSpec) ? [toolSpec] : []))
  }
  if (protocol !== "chat") return objectsOf(body.tools)
  return objectsOf(body.tools).map((tool) => (isJsonObject(tool.function) ? tool.function : tool))
}
