/** Reads what a request says of the form of its answer, and of how much is to be thought about it. */
import { isJsonObject, type Json, type JsonObject } from "../formats/json/json.ts"
import { later, parts, readSchemaData, readSetting, readUnknown } from "./walk.ts"

export const readSchemaHolder = (node: Json): void => {
  if (!isJsonObject(node)) return readUnknown(node)
  const { format, ...holder } = node
  readFormat(holder)
  if (isJsonObject(format)) readFormat(format)
  else later(format, readUnknown)
}

/** Whichever of them a provider knows. */
const readFormat = ({ description, json_schema, schema, ...format }: JsonObject): void => {
  parts.jsonMode ||= format["type"] === "json_object"
  for (const said of [json_schema, schema, description]) later(said, readSchemaData)
  later(format, readUnknown)
}

export const readThinking = (node: Json): void => {
  parts.thinking ||= isJsonObject(node) && node["type"] !== "disabled"
  readUnknown(node)
}

/** What Claude is told to think by, where chat or Responses clients call it. */
export const readEffort = (effort: Json): void => {
  parts.thinking ||= typeof effort === "string" && effort !== "none"
  readSetting(effort)
}

export const readReasoning = (node: Json): void => {
  if (!isJsonObject(node)) return readUnknown(node)
  const { effort, ...reasoning } = node
  parts.thoughtsTold ||= typeof reasoning["summary"] === "string"
  later(effort, readEffort)
  later(reasoning, readUnknown)
}
