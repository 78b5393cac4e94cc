/** Tools whose calls must fit their schemas, as a Messages provider takes them. */
import type { Model } from "../../domain/catalogue.ts"
import { grammarSchema } from "../json/grammar-schema.ts"
import { isJsonObject, type Json, type JsonObject } from "../json/json.ts"

/** Who does not know strictness goes on without. */
export const strictTools = <Tool extends JsonObject>(
  tools: ReadonlyArray<Tool>,
  { family }: Model
): ReadonlyArray<Tool> => {
  const isStrict = family === "claude" && !countsTooMuch(tools)
  return tools.map((tool) => (tool.strict !== true ? tool : isStrict ? withGrammar(tool) : loosened(tool)))
}

/**
 * Claude takes no more than twenty strict tools in a request, with no more than sixteen parameters of several types in
 * all: platform.claude.com, "Structured outputs". Agents that call all their tools strict go on without.
 */
const countsTooMuch = (tools: ReadonlyArray<JsonObject>): boolean => {
  const strict = tools.filter((tool) => tool.strict === true)
  const unions = strict.reduce((sum, tool) => sum + unionsIn(tool.input_schema), 0)
  return strict.length > 20 || unions > 16
}

const unionsIn = (schema: Json | undefined): number => {
  if (Array.isArray(schema)) return schema.reduce((sum: number, one: Json) => sum + unionsIn(one), 0)
  if (!isJsonObject(schema)) return 0
  const own = Array.isArray(schema.type) || Array.isArray(schema.anyOf) ? 1 : 0
  return Object.values(schema).reduce<number>((sum, one) => sum + unionsIn(one), own)
}

/** A grammar does not know all constraints: where it is made of the schema, the others are told in words. */
const withGrammar = <Tool extends JsonObject>(tool: Tool): Tool => ({
  ...tool,
  input_schema: grammarSchema(tool.input_schema ?? {})
})

const loosened = <Tool extends JsonObject>(tool: Tool): Tool => {
  const { strict: _, ...rest } = tool
  return rest as Tool
}
