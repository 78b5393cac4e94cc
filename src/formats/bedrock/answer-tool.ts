/**
 * An answer that must fit a schema, from a model that can not be bound to one: asked for as the call of a tool, which it
 * can be made to call. Source: docs.aws.amazon.com, "Generating structured output with Nova".
 */
import { isJsonObject, type JsonObject } from "../json/json.ts"
import { withRoot } from "../json/json-schema.ts"

/** Stands for the client's own name of the tool, and is none: a call of it is the answer. */
export const answerTool = "json_answer\u0000"

/** Of other schemas a tool's tells too little. */
export const fitsTool = (schema: JsonObject): boolean => {
  const { allOf, anyOf, oneOf, properties } = withRoot(schema)
  const isPlain = [allOf, anyOf, oneOf].every((each) => each === undefined)
  return isPlain && isJsonObject(properties) && Object.keys(properties).length > 0
}
