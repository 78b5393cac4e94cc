/** What Messages is told of a tool beside its name, of OpenAI's functions and of its custom tools. */
import { rootObject } from "../json/json-schema.ts"
import { optionalObject, optionalText } from "../json/fields.ts"
import { fitsStrictMode } from "../json/strict-schema.ts"
import { isJsonObject, type Json, type JsonObject, objectOf } from "../json/json.ts"

export const functionTool = (tool: JsonObject, field: string): JsonObject => {
  const schema = rootObject(optionalObject(tool.parameters, `${field}.parameters`))
  return {
    ...descriptionOf(optionalText(tool.description, `${field}.description`)),
    input_schema: schema,
    ...(tool.strict === true && fitsStrictMode(schema) && { strict: true })
  }
}

/** A text has no form that a schema could tell, so its grammar is told in words. */
export const customTool = (tool: JsonObject, field: string, grammar: Json | undefined): JsonObject => {
  const told = optionalText(tool.description, `${field}.description`)
  return {
    ...descriptionOf([told, grammarInWords(grammar)].filter((text) => text !== "").join("\n\n")),
    input_schema: {
      type: "object",
      properties: { input: { type: "string", description: "The tool's whole input, as it is." } },
      required: ["input"],
      additionalProperties: false
    }
  }
}

/** The grammar of a custom tool as chat gives it, one level deeper than Responses does. */
export const chatGrammar = ({ format }: JsonObject): Json | undefined =>
  isJsonObject(format) ? (format.grammar ?? format) : undefined

const grammarInWords = (grammar: Json | undefined): string => {
  const { definition, syntax } = objectOf(grammar)
  return typeof definition === "string"
    ? `The whole input must fit this grammar (${typeof syntax === "string" ? syntax : "of its own"}):\n${definition}`
    : ""
}

const descriptionOf = (description: string): JsonObject => (description === "" ? {} : { description })
