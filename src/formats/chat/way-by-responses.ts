/**
 * Which chat calls go up as Responses calls: OpenAI's newer models take function tools on chat completions only with
 * reasoning off (openai/openai-openapi #541, BerriAI/litellm #34569).
 */
import { isJsonObject, type Json, type JsonObject, objectsOf } from "../json/json.ts"

/** A call with tools that may think, unless it asks for what Responses has no words for. */
export const needsResponses = (body: JsonObject): boolean =>
  body.reasoning_effort !== "none" && objectsOf(body.tools).some(isOwnTool) && !saysMore(body)

const isOwnTool = ({ type }: JsonObject): boolean => type === "function" || type === "custom"

const saysMore = (body: JsonObject): boolean =>
  Object.entries(isSaidMore).some(
    ([name, isSaid]) => body[name] !== undefined && body[name] !== null && isSaid(body[name])
  ) ||
  objectsOf(body.messages).some(
    ({ audio, content }) => isJsonObject(audio) || objectsOf(content).some(isSound)
  )

const always = (): boolean => true
const isNotZero = (value: Json): boolean => value !== 0
const isNotEmpty = (value: Json): boolean =>
  Array.isArray(value) ? value.length > 0 : !isJsonObject(value) || Object.keys(value).length > 0

/** What each of these asks for when it has a value. */
const isSaidMore: Readonly<Record<string, (value: Json) => boolean>> = {
  n: (value) => value !== 1,
  stop: isNotEmpty,
  logit_bias: isNotEmpty,
  seed: always,
  frequency_penalty: isNotZero,
  presence_penalty: isNotZero,
  logprobs: (value) => value !== false,
  top_logprobs: always,
  audio: always,
  modalities: (value) => Array.isArray(value) && value.some((one: Json) => one !== "text"),
  prediction: always,
  functions: isNotEmpty,
  web_search_options: always
}

const isSound = ({ type }: JsonObject): boolean => type === "input_audio"
