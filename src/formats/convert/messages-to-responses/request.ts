/** A Messages request as a Responses request, over which OpenAI's models think and call tools at once. */
import type { Result } from "effect"
import type { Model } from "../../../domain/catalogue.ts"
import {
  type InvalidRequest,
  optionalArray,
  positiveIntegerAt,
  refusable,
  refuse
} from "../../json/fields.ts"
import { refuseDeepNesting } from "../../json/nesting.ts"
import { fitsStrictMode } from "../../json/strict-schema.ts"
import type { JsonObject } from "../../json/json.ts"
import { askedSchema } from "../../messages/asked-schema.ts"
import { askedThinkingOf } from "../../messages/asked-thinking.ts"
import { withSteadyBillingLine } from "../../messages/billing-line.ts"
import { leastEffort, mostEffort } from "../../responses/efforts.ts"
import { requireMessagesRequest } from "../../messages/request.ts"
import type { RequestConverted } from "../conversion.ts"
import { responsesMaxTokens } from "../max-tokens.ts"
import { sampling } from "../sampling.ts"
import { refuseWithoutCounterpart } from "../messages-to-chat/request.ts"
import { askedThinking } from "../reasoning.ts"
import { chatNameLengthMax, ToolNameMap } from "../tool-names.ts"
import { safetyIdentifier } from "../user-ids.ts"
import { inputParts } from "./content.ts"
import { inputItems } from "./items.ts"
import { responsesTools } from "./tools.ts"

export const messagesRequestToResponses = (
  body: JsonObject,
  model: Model
): Result.Result<RequestConverted, InvalidRequest> =>
  refusable(() => {
    refuseDeepNesting(body)
    requireMessagesRequest(body)
    refuseWithoutCounterpart(body)
    refuseStop(body)
    const asked = positiveIntegerAt(body.max_tokens, "max_tokens")
    const converted = messagesPromptToResponses(body, model)
    const user = safetyIdentifier(body)
    return {
      body: {
        ...converted.body,
        max_output_tokens: responsesMaxTokens(asked, model),
        ...sampling(body, model),
        ...keptNowhere,
        ...(user !== undefined && { safety_identifier: user }),
        ...(body.stream === true && { stream: true })
      },
      toolNames: converted.toolNames
    }
  })

/** Nothing is stored, so that thoughts must come back with the next call. */
const keptNowhere: JsonObject = { store: false, include: ["reasoning.encrypted_content"] }

/** What of a request its input is counted by. */
export const messagesPromptToResponses = (body: JsonObject, model: Model): RequestConverted => {
  const names = new ToolNameMap(chatNameLengthMax)
  const input = inputItems(body, { model, names })
  const system = withSteadyBillingLine(body.system)
  const instructions = inputParts(system, "system").map(({ text }) => text)
  if (input.length === 0 && instructions.length === 0) refuse("messages", "hold nothing to answer")
  const told = instructions.join("\n\n")
  return {
    body: {
      model: model.upstream.model,
      ...(told !== "" && input.length > 0 && { instructions: told }),
      input: input.length > 0 ? input : told,
      ...responsesTools(body, names),
      ...reasoning(body, model),
      ...textFormat(body)
    },
    toolNames: names.originals
  }
}

const refuseStop = (body: JsonObject): void => {
  const stop = optionalArray(body.stop_sequences, "stop_sequences")
  if (stop.length > 0) refuse("stop_sequences", "are not supported by this model")
}

/** Some models do not think unless they are given an effort. */
const reasoning = (body: JsonObject, model: Model): JsonObject => {
  if (!model.capabilities.includes("reasoning")) return {}
  const { effort, thinks } = askedThinking(body)
  const known = effort === "max" ? mostEffort(model) : effort
  if (thinks === false) return { reasoning: { effort: leastEffort(model) } }
  if (thinks === undefined && known === undefined) return {}
  return {
    reasoning: {
      effort: known ?? "medium",
      ...(askedThinkingOf(body) === "shown" && { summary: "auto" })
    }
  }
}

const textFormat = (body: JsonObject): JsonObject => {
  const schema = askedSchema(body)
  if (schema === undefined) return {}
  const strict = fitsStrictMode(schema)
  return { text: { format: { type: "json_schema", name: "output", schema, ...(strict && { strict }) } } }
}
