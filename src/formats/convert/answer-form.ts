/** What a request says of its answer's form: in a field, or to a model whose provider knows none. */
import type { Model } from "../../domain/catalogue.ts"
import { objectAt, optionalText, refuse } from "../json/fields.ts"
import { describedSchema } from "../json/json-schema.ts"
import { grammarSchema } from "../json/grammar-schema.ts"
import type { Json, JsonObject } from "../json/json.ts"

const jsonInstruction = "Answer with one valid JSON object and nothing else: no code fence, no other text."

export const schemaInstruction = (schema: JsonObject): string =>
  `Answer with one JSON object that fits this JSON schema, and nothing else:\n${JSON.stringify(schema)}`

/** The same as a Messages request says it: of `output_config` and of the system prompt. */
interface AnswerForm {
  readonly field: JsonObject
  readonly instructions: ReadonlyArray<JsonObject>
}

/** What a client of another protocol asks for, and where that stands. */
interface AskedForm {
  readonly format: JsonObject | undefined
  readonly field: string
  /** What holds the schema: chat has a member for it. */
  readonly holder: Json | undefined
  readonly holderField: string
}

/** Where another conversion follows (`goesOn`), that knows its provider. */
export const answerForm = (
  { field, format, holder, holderField }: AskedForm,
  model: Model,
  goesOn: boolean
): AnswerForm => {
  switch (format?.type) {
    case undefined:
    case "text":
      return { field: {}, instructions: [] }
    case "json_object":
      return inWords(jsonInstruction)
    case "json_schema": {
      const asked = objectAt(holder, holderField)
      const told = optionalText(asked.description, `${holderField}.description`)
      return schemaForm(describedSchema(objectAt(asked.schema, `${holderField}.schema`), told), model, goesOn)
    }
    default:
      return refuse(`${field}.type`, "must be text, json_object or json_schema")
  }
}

/**
 * Of those that speak Messages Claude alone knows the field: MiniMax is to be guided in the prompt
 * (MiniMax-AI/MiniMax-M2 #114).
 */
const schemaForm = (schema: JsonObject, { family }: Model, goesOn: boolean): AnswerForm =>
  goesOn || family === "claude"
    ? {
        field: { format: { type: "json_schema", schema: goesOn ? schema : grammarSchema(schema) } },
        instructions: []
      }
    : inWords(schemaInstruction(schema))

const inWords = (text: string): AnswerForm => ({ field: {}, instructions: [{ type: "text", text }] })
