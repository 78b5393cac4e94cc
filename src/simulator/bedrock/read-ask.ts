/** What a Converse request asks for. */
import {
  isJsonObject,
  type Json,
  type JsonObject,
  listOf,
  objectOf,
  stringOf
} from "../../formats/json/json.ts"
import { bedrockToolId } from "../make-id.ts"
import { givenNumber, givenString, jsonIn } from "../read-json.ts"
import type { Request } from "../Protocol.ts"
import { countInput } from "../turn/count-input.ts"
import { jsonInWords } from "../turn/json-in-words.ts"
import type { Ask, ToolOffer } from "../turn/Turn.ts"

const prefaceTokens = 6

export const readAsk = ({ body, model, settings }: Omit<Request, "call">): Ask => {
  const config = objectOf(body["inferenceConfig"])
  const toolConfig = objectOf(body["toolConfig"])
  const choice = objectOf(toolConfig["toolChoice"])
  const more = objectOf(body["additionalModelRequestFields"])
  const thinking = objectOf(more["thinking"])["type"]
  const messages = listOf(body["messages"])
  return {
    model,
    settings,
    inputTokens: countInput([body["system"], messages, toolConfig["tools"]], messages.length),
    outputCap: givenNumber(config["maxTokens"]),
    stopSequences: listOf(config["stopSequences"]).filter((item) => typeof item === "string"),
    tools: toolOffers(toolConfig),
    toolChoice: isJsonObject(choice["tool"])
      ? { name: stringOf(choice["tool"]["name"]) }
      : choice["any"] === undefined
        ? "auto"
        : "any",
    parallelTools: true,
    prefaceTokens,
    prompt: promptOf(body),
    toolResult: toolResultOf(messages),
    thinking: thinking === "enabled" || thinking === "adaptive" || thinksByEffort(model, more),
    json: jsonOf(body) ?? jsonInWords(systemTexts(body)),
    toolId: bedrockToolId
  }
}

/** Some do not think at lower efforts. */
const thinksByEffort = (model: string, { reasoning_effort: effort }: JsonObject): boolean =>
  /\bdeepseek\b/.test(model) && effort === "high"

const systemTexts = (body: JsonObject): ReadonlyArray<string> =>
  listOf(body["system"]).flatMap((block) => givenString(objectOf(block)["text"]) ?? [])

/** The schema is a text here. */
const jsonOf = (body: JsonObject): Ask["json"] => {
  const structure = objectOf(objectOf(objectOf(body["outputConfig"])["textFormat"])["structure"])
  const schema = givenString(objectOf(structure["jsonSchema"])["schema"])
  return schema === undefined ? undefined : { schema: jsonIn(schema) }
}

export const promptOf = (body: JsonObject): string => {
  for (const message of listOf(body["messages"]).toReversed()) {
    if (objectOf(message)["role"] !== "user") continue
    const text = textOf(objectOf(message)["content"])
    if (text !== "") return text
  }
  return ""
}

const textOf = (content: Json | undefined): string =>
  listOf(content)
    .map((block) => stringOf(objectOf(block)["text"]))
    .join("")

const toolOffers = (toolConfig: JsonObject): ReadonlyArray<ToolOffer> =>
  listOf(toolConfig["tools"]).flatMap((tool) => {
    const declared = objectOf(objectOf(tool)["toolSpec"])
    return typeof declared["name"] === "string"
      ? [{ name: declared["name"], schema: objectOf(declared["inputSchema"])["json"] }]
      : []
  })

const toolResultOf = (messages: ReadonlyArray<Json>): string | undefined => {
  const blocks = listOf(objectOf(messages.at(-1))["content"])
  const results = blocks.flatMap((block) => {
    const result = objectOf(block)["toolResult"]
    return isJsonObject(result) ? [resultText(result)] : []
  })
  return results.length === 0 ? undefined : results.join(" | ")
}

const resultText = (result: JsonObject): string =>
  listOf(result["content"])
    .map(
      (part) =>
        givenString(objectOf(part)["text"]) ??
        (objectOf(part)["json"] === undefined ? "" : JSON.stringify(objectOf(part)["json"]))
    )
    .join("")
