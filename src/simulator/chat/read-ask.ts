/** What a chat request asks for. */
import { isJsonObject, type Json, type JsonObject, listOf, stringOf } from "../../formats/json/json.ts"
import { callId } from "../make-id.ts"
import { givenNumber } from "../read-json.ts"
import type { Request } from "../Protocol.ts"
import { countInput } from "../turn/count-input.ts"
import { jsonInWords } from "../turn/json-in-words.ts"
import type { Ask, ToolOffer } from "../turn/Turn.ts"
import { textOf } from "../openai/text-of.ts"

export const readAsk = ({ body, model, settings }: Request): Ask => {
  const thinking = isJsonObject(body["thinking"]) ? body["thinking"]["type"] : undefined
  const messages = listOf(body["messages"])
  return {
    model,
    settings,
    inputTokens: countInput([messages, body["tools"]], messages.length),
    outputCap: givenNumber(body["max_completion_tokens"]) ?? givenNumber(body["max_tokens"]),
    stopSequences:
      typeof body["stop"] === "string"
        ? [body["stop"]]
        : listOf(body["stop"]).filter((item) => typeof item === "string"),
    tools: toolOffers(body),
    toolChoice: choiceOf(body["tool_choice"]),
    parallelTools: body["parallel_tool_calls"] !== false,
    prefaceTokens: 0,
    prompt: promptOf(body),
    toolResult: toolResultOf(messages),
    thinking: thinking === "enabled" || thinking === "adaptive",
    json: jsonOf(body["response_format"], systemTexts(messages)),
    toolId: callId
  }
}

export const promptOf = (body: JsonObject): string => {
  const last = listOf(body["messages"]).findLast(
    (message) => isJsonObject(message) && message["role"] === "user"
  )
  return isJsonObject(last) ? textOf(last["content"]) : ""
}

const toolOffers = (body: JsonObject): ReadonlyArray<ToolOffer> =>
  listOf(body["tools"]).flatMap((tool) => {
    const declared = isJsonObject(tool) ? tool["function"] : undefined
    return isJsonObject(declared) && typeof declared["name"] === "string"
      ? [{ name: declared["name"], schema: declared["parameters"] ?? { type: "object" } }]
      : []
  })

const choiceOf = (choice: Json | undefined): Ask["toolChoice"] => {
  if (choice === "none") return "none"
  if (choice === "required") return "any"
  const named = isJsonObject(choice) ? choice["function"] : undefined
  return isJsonObject(named) ? { name: stringOf(named["name"]) } : "auto"
}

/** The results at the end of the conversation, if it ends with any. */
const toolResultOf = (messages: ReadonlyArray<Json>): string | undefined => {
  const results: Array<string> = []
  for (const message of messages.toReversed()) {
    if (!isJsonObject(message) || message["role"] !== "tool") break
    results.unshift(textOf(message["content"]))
  }
  return results.length === 0 ? undefined : results.join(" | ")
}

const systemTexts = (messages: ReadonlyArray<Json>): ReadonlyArray<string> =>
  messages.flatMap((message) =>
    isJsonObject(message) && message["role"] === "system" ? [textOf(message["content"])] : []
  )

const jsonOf = (format: Json | undefined, instructions: ReadonlyArray<string>): Ask["json"] => {
  if (!isJsonObject(format)) return jsonInWords(instructions)
  if (format["type"] === "json_object") return jsonInWords(instructions) ?? { schema: undefined }
  const declared = format["json_schema"]
  return format["type"] === "json_schema" && isJsonObject(declared)
    ? { schema: declared["schema"] }
    : undefined
}
