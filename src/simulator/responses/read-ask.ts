/** What a Responses request asks for. */
import {
  isJsonObject,
  type Json,
  type JsonObject,
  listOf,
  objectOf,
  stringOf
} from "../../formats/json/json.ts"
import { callId } from "../make-id.ts"
import { givenNumber, givenString } from "../read-json.ts"
import type { Request } from "../Protocol.ts"
import { countInput } from "../turn/count-input.ts"
import type { Ask, ToolOffer } from "../turn/Turn.ts"
import { recall, recallItem, type Stored } from "./kept.ts"
import { textOf } from "../openai/text-of.ts"

/** The items of this request alone, those it refers to among them; a text is one message of the user. */
export const ownItems = (body: JsonObject): ReadonlyArray<Json> =>
  typeof body["input"] === "string"
    ? [{ role: "user", content: body["input"] }]
    : listOf(body["input"]).map((item) => recallItem(referredId(item) ?? "") ?? item)

export const referredId = (item: Json): string | undefined =>
  isJsonObject(item) && item["type"] === "item_reference" ? givenString(item["id"]) : undefined

export const conversationId = (body: JsonObject): string | undefined => {
  const conversation = body["conversation"]
  return givenString(isJsonObject(conversation) ? conversation["id"] : conversation)
}

/** What the request continues. */
export const continued = (body: JsonObject): Stored => {
  const id = givenString(body["previous_response_id"]) ?? conversationId(body)
  return (id === undefined ? undefined : recall(id)) ?? { items: [], tokens: 0 }
}

export const countRequest = (body: JsonObject): number => {
  const items = ownItems(body)
  return countInput([body["instructions"], items, body["tools"]], items.length) + continued(body).tokens
}

export const readAsk = ({ body, model, settings }: Request): Ask => {
  const text = objectOf(body["text"])
  const format = objectOf(text["format"])
  const reasoning = objectOf(body["reasoning"])
  return {
    model,
    settings,
    inputTokens: countRequest(body),
    outputCap: givenNumber(body["max_output_tokens"]),
    stopSequences: [],
    tools: toolOffers(body),
    toolChoice: choiceOf(body["tool_choice"]),
    parallelTools: body["parallel_tool_calls"] !== false,
    prefaceTokens: 0,
    prompt: promptOf(body),
    toolResult: toolResultOf(ownItems(body)),
    thinking: givenString(reasoning["summary"]) !== undefined && reasoning["effort"] !== "none",
    json:
      format["type"] === "json_schema"
        ? { schema: format["schema"] }
        : format["type"] === "json_object"
          ? { schema: undefined }
          : undefined,
    toolId: callId
  }
}

export const promptOf = (body: JsonObject): string => {
  const last = ownItems(body).findLast((item) => isJsonObject(item) && item["role"] === "user")
  return isJsonObject(last) ? textOf(last["content"]) : ""
}

const callable = new Set(["function", "custom"])

const toolOffers = (body: JsonObject): ReadonlyArray<ToolOffer> => {
  const choice = body["tool_choice"]
  const allowed =
    isJsonObject(choice) && choice["type"] === "allowed_tools"
      ? listOf(choice["tools"]).map((tool) => (isJsonObject(tool) ? tool["name"] : undefined))
      : undefined
  return listOf(body["tools"])
    .flatMap(offerOf)
    .filter(({ name }) => allowed === undefined || allowed.includes(name))
}

const offerOf = (tool: Json): ReadonlyArray<ToolOffer> =>
  isJsonObject(tool) && typeof tool["name"] === "string" && callable.has(String(tool["type"]))
    ? [
        {
          name: tool["name"],
          schema: tool["parameters"] ?? { type: "object" },
          isCustom: tool["type"] === "custom"
        }
      ]
    : []

const choiceOf = (choice: Json | undefined): Ask["toolChoice"] => {
  if (choice === "none") return "none"
  if (choice === "required") return "any"
  if (isJsonObject(choice) && choice["type"] === "allowed_tools")
    return choice["mode"] === "required" ? "any" : "auto"
  return isJsonObject(choice) && callable.has(String(choice["type"]))
    ? { name: stringOf(choice["name"]) }
    : "auto"
}

const toolResultOf = (items: ReadonlyArray<Json>): string | undefined => {
  const results: Array<string> = []
  for (const item of items.toReversed()) {
    if (!isJsonObject(item) || !String(item["type"]).endsWith("_call_output")) break
    results.unshift(textOf(item["output"]))
  }
  return results.length === 0 ? undefined : results.join(" | ")
}
