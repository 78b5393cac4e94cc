/** What models are told that know no setting for the form of their answer. */
import type { Model } from "../../domain/catalogue.ts"
import { grammarSchema } from "../json/json-schema.ts"
import type { JsonObject } from "../json/json.ts"

export const jsonInstruction =
  "Answer with one valid JSON object and nothing else: no code fence, no other text."

export const schemaInstruction = (schema: JsonObject): string =>
  `Answer with one JSON object that fits this JSON schema, and nothing else:\n${JSON.stringify(schema)}`

/** What a Messages request says of its answer's form: in a field, or to the model. */
export interface AnswerForm {
  readonly field: JsonObject
  readonly instructions: ReadonlyArray<JsonObject>
}

/**
 * A schema asked for by a client of another protocol. Of those that speak Messages Claude alone knows the field: MiniMax
 * is to be guided in the prompt (MiniMax-AI/MiniMax-M2 #114). Where another conversion follows (`goesOn`), that knows its
 * provider.
 */
export const schemaForm = (schema: JsonObject, { family }: Model, goesOn: boolean): AnswerForm =>
  goesOn || family === "claude"
    ? {
        field: { format: { type: "json_schema", schema: goesOn ? schema : grammarSchema(schema) } },
        instructions: []
      }
    : { field: {}, instructions: [{ type: "text", text: schemaInstruction(schema) }] }
