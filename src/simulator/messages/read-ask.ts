/** What a Messages request asks for. */
import {
  isJsonObject,
  type Json,
  type JsonObject,
  listOf,
  objectOf,
  stringOf
} from "../../formats/json/json.ts"
import { givenNumber } from "../read-json.ts"
import type { Request } from "../Protocol.ts"
import { countInput } from "../turn/count-input.ts"
import { isMinimax } from "../models.ts"
import { jsonInWords } from "../turn/json-in-words.ts"
import type { Ask, ToolOffer } from "../turn/Turn.ts"

const prefaceTokens = 6

export const readAsk = ({ body, model, settings }: Request, toolId: () => string): Ask => {
  const choice = objectOf(body["tool_choice"])
  const thinking = objectOf(body["thinking"])
  return {
    model,
    settings,
    inputTokens: inputTokens(body),
    outputCap: givenNumber(body["max_tokens"]),
    stopSequences: listOf(body["stop_sequences"]).filter((item) => typeof item === "string"),
    tools: toolOffers(body),
    toolChoice: choice["type"] === "tool" ? { name: stringOf(choice["name"]) } : choiceOf(choice["type"]),
    parallelTools: choice["disable_parallel_tool_use"] !== true,
    prefaceTokens,
    prompt: promptOf(body),
    toolResult: toolResultOf(body),
    thinking: thinking["type"] === "enabled" || thinking["type"] === "adaptive",
    json: (isMinimax(model) ? undefined : jsonOf(body)) ?? jsonInWords([textOf(body["system"])]),
    toolId
  }
}

/** The same for a count as for the call. */
export const inputTokens = (body: JsonObject): number =>
  countInput([body["system"], body["messages"], body["tools"]], listOf(body["messages"]).length)

/** The text of the last message the user wrote; results of tools are not text. */
export const promptOf = (body: JsonObject): string => {
  const list = listOf(body["messages"])
  for (let index = list.length - 1; index >= 0; index--) {
    const message = list[index]
    if (!isJsonObject(message) || message["role"] !== "user") continue
    const text = textOf(message["content"])
    if (text !== "") return text
  }
  return ""
}

const textOf = (content: Json | undefined): string => {
  if (typeof content === "string") return content
  let text = ""
  for (const block of listOf(content))
    if (isJsonObject(block) && block["type"] === "text") text += stringOf(block["text"])
  return text
}

const choiceOf = (type: Json | undefined) => (type === "any" || type === "none" ? type : "auto")

/** Only the caller's own tools are called; the provider's run on its side. */
const toolOffers = (body: JsonObject): ReadonlyArray<ToolOffer> =>
  listOf(body["tools"]).flatMap((tool) =>
    isJsonObject(tool) && typeof tool["name"] === "string" && (tool["type"] ?? "custom") === "custom"
      ? [{ name: tool["name"], schema: tool["input_schema"] }]
      : []
  )

/** The results in the last message, if it brings any; system messages may follow it. */
const toolResultOf = (body: JsonObject): string | undefined => {
  const last = listOf(body["messages"]).findLast(
    (message) => isJsonObject(message) && message["role"] !== "system"
  )
  if (!isJsonObject(last)) return undefined
  const results = listOf(last["content"]).filter(
    (block) => isJsonObject(block) && block["type"] === "tool_result"
  )
  if (results.length === 0) return undefined
  return results.map((block) => textOf((block as JsonObject)["content"])).join(" | ")
}

const jsonOf = (body: JsonObject): Ask["json"] => {
  const config = objectOf(body["output_config"])
  const format = config["format"] ?? body["output_format"]
  return isJsonObject(format) && format["type"] === "json_schema" ? { schema: format["schema"] } : undefined
}
