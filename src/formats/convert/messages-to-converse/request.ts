/** A Messages request as a Converse request, which is the same for plain and streamed calls. */
import type { Result } from "effect"
import type { Model } from "../../../domain/catalogue.ts"
import type { FetchedFiles } from "../../images/file-sources.ts"
import { fitsTool } from "../../bedrock/answer-tool.ts"
import { additionalFields } from "../../bedrock/additional-fields.ts"
import { converseTraitsOf } from "../../bedrock/converse-traits.ts"
import { type InvalidRequest, positiveIntegerAt, refusable } from "../../json/fields.ts"
import { refuseDeepNesting } from "../../json/nesting.ts"
import type { JsonObject } from "../../json/json.ts"
import { grammarSchema } from "../../json/grammar-schema.ts"
import { askedSchema } from "../../messages/asked-schema.ts"
import { askedStops } from "../../messages/asked-stops.ts"
import { requireMessagesRequest } from "../../messages/request.ts"
import type { RequestConverted } from "../conversion.ts"
import { DocumentNames } from "./document-names.ts"
import type { ConverseRequestContext } from "./content.ts"
import { schemaInstruction } from "../answer-form.ts"
import { withinModel } from "../max-tokens.ts"
import { sampling } from "../sampling.ts"
import { refuseWithoutCounterpart } from "../messages-to-chat/request.ts"
import { converseTools } from "./tools.ts"
import { converseTurns } from "./turns.ts"
import { ToolNameMap } from "../tool-names.ts"

const toolNameLengthMax = 64

/** `files` holds what `fileAddresses` of the request named. */
export const messagesRequestToConverse = (
  body: JsonObject,
  model: Model,
  files: FetchedFiles
): Result.Result<RequestConverted, InvalidRequest> =>
  refusable(() => {
    refuseDeepNesting(body)
    requireMessagesRequest(body)
    refuseWithoutCounterpart(body)
    const context: ConverseRequestContext = {
      traits: converseTraitsOf(model),
      family: model.family,
      files,
      toolNames: new ToolNameMap(toolNameLengthMax),
      toolIds: new ToolNameMap(toolNameLengthMax),
      documentNames: new DocumentNames()
    }
    const form = answerForm(body, context)
    const { toolConfig, callsForbidden } = converseTools(body, model, context, form.tool)
    const { system, messages } = converseTurns(body, context)
    const instructions = [...system, ...(callsForbidden ? [noCallsNow] : []), ...form.instructions]
    const additional = additionalFields(body, model)
    return {
      body: {
        messages,
        system: instructions.length === 0 ? undefined : instructions,
        inferenceConfig: inferenceConfig(body, model),
        toolConfig,
        outputConfig: form.outputConfig,
        additionalModelRequestFields: Object.keys(additional).length === 0 ? undefined : additional
      },
      toolNames: context.toolNames.originals
    }
  })

const noCallsNow: JsonObject = { text: "No tool can be called now: answer in text." }

const inferenceConfig = (body: JsonObject, model: Model): JsonObject => {
  // Zero fills a cache of prompts without an answer, which has no counterpart.
  const asked = positiveIntegerAt(body.max_tokens, "max_tokens")
  const stopSequences = askedStops(body, model)
  const { temperature, top_p: topP } = sampling(body, model)
  return { maxTokens: withinModel(asked, model), stopSequences, temperature, topP }
}

/** How the answer is made to fit its schema. */
interface ConverseForm {
  readonly outputConfig?: JsonObject
  /** The schema of the tool that it is asked for as a call of. */
  readonly tool?: JsonObject
  readonly instructions: ReadonlyArray<JsonObject>
}

const answerForm = (body: JsonObject, { traits }: ConverseRequestContext): ConverseForm => {
  const asked = askedSchema(body)
  if (asked === undefined) return { instructions: [] }
  if (!traits.schemas)
    return traits.forcedTools && fitsTool(asked)
      ? { tool: asked, instructions: [] }
      : { instructions: [{ text: schemaInstruction(asked) }] }
  const schema = JSON.stringify(grammarSchema(asked))
  return {
    outputConfig: {
      textFormat: { type: "json_schema", structure: { jsonSchema: { name: "output", schema } } }
    },
    instructions: []
  }
}
