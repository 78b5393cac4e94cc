/**
 * A chat request as a Responses request for a model that both protocols lead to. Not by way of Messages: both are the
 * same provider's, and say many things that Messages has no words for.
 */
import type { Result } from "effect"
import type { Model } from "../../../domain/catalogue.ts"
import { askedOutputCap } from "../../asked-cap.ts"
import { askedReasoning } from "../../chat/asked-reasoning.ts"
import { refuseOthersMembers, requireChatRequest } from "../../chat/request.ts"
import {
  arrayAt,
  type InvalidRequest,
  objectAt,
  optional,
  optionalObject,
  refusable,
  refuseType,
  stringAt
} from "../../json/fields.ts"
import { refuseDeepNesting } from "../../json/nesting.ts"
import { withProperties } from "../../json/json-schema.ts"
import { isAbsent, isJsonObject, type Json, type JsonObject, objectOf } from "../../json/json.ts"
import type { RequestConverted } from "../conversion.ts"
import { responsesMaxTokens } from "../max-tokens.ts"
import { effortOfBudget } from "../reasoning.ts"
import { sampling } from "../sampling.ts"
import { noToolNames } from "../tool-names.ts"
import { inputItems } from "./messages.ts"

export const chatRequestToResponses = (
  body: JsonObject,
  model: Model
): Result.Result<RequestConverted, InvalidRequest> =>
  refusable(() => {
    refuseDeepNesting(body)
    requireChatRequest(body)
    refuseOthersMembers(body)
    const effort = effortOf(body)
    return {
      body: {
        model: model.upstream.model,
        input: inputItems(body, model),
        ...tools(body),
        ...outputCap(body, model),
        ...sampling(body, model),
        reasoning: { ...(effort !== undefined && { effort }), summary: "auto" },
        ...text(body),
        ...sameWords(body),
        ...cacheOptions(body),
        // What chat stores is for its own lists of completions.
        store: false,
        ...(body.stream === true && { stream: true })
      },
      toolNames: noToolNames
    }
  })

const effortOf = (body: JsonObject): string | undefined => {
  const { effort, thinking } = askedReasoning(body)
  if (thinking?.type === "disabled") return "none"
  const { budget_tokens: budget } = objectOf(thinking)
  return effort ?? (typeof budget === "number" ? effortOfBudget(budget) : undefined)
}

/** Members that mean the same on both. */
const sameWords = (body: JsonObject): JsonObject =>
  Object.fromEntries(
    [
      "metadata",
      "moderation",
      "parallel_tool_calls",
      "prompt_cache_key",
      "prompt_cache_retention",
      "safety_identifier",
      "service_tier",
      "user"
    ].flatMap((name) => (body[name] === undefined || body[name] === null ? [] : [[name, body[name]]]))
  )

/** No more than chat has of them. */
const cacheOptions = ({ prompt_cache_options: options }: JsonObject): JsonObject => {
  if (!isJsonObject(options)) return {}
  const { mode, ttl } = options
  return {
    prompt_cache_options: { ...(mode !== undefined && { mode }), ...(ttl !== undefined && { ttl }) }
  }
}

const outputCap = (body: JsonObject, model: Model): JsonObject => {
  const asked = askedOutputCap(body)
  if (asked === undefined) return {}
  return { max_output_tokens: responsesMaxTokens(asked, model) }
}

const text = (body: JsonObject): JsonObject => {
  const format = optional(objectAt, body.response_format, "response_format")
  const verbosity = optional(stringAt, body.verbosity, "verbosity")
  const told = {
    ...(format !== undefined && { format: flat(format, "json_schema") }),
    ...(verbosity !== undefined && { verbosity })
  }
  return Object.keys(told).length === 0 ? {} : { text: told }
}

/** Chat puts what a thing is into a member of the thing's own kind; Responses beside it. */
const flat = (thing: JsonObject, kind: string): JsonObject => {
  const own = thing[kind]
  return thing.type === kind && isJsonObject(own) ? { type: kind, ...own } : thing
}

const tools = (body: JsonObject): JsonObject => {
  const given = arrayAt(body.tools, "tools").map((value, index) =>
    toolOf(objectAt(value, `tools.${index}`), index)
  )
  const choice = body.tool_choice
  return {
    tools: given,
    ...(!isAbsent(choice) && { tool_choice: choiceOf(choice) })
  }
}

const toolOf = (tool: JsonObject, index: number): JsonObject => {
  const field = `tools.${index}`
  if (tool.type === "custom") {
    const { format, ...custom } = objectAt(tool.custom, `${field}.custom`)
    return {
      type: "custom",
      ...custom,
      ...(isJsonObject(format) && { format: flat(format, "grammar") })
    }
  }
  if (tool.type !== "function") refuseType("tools", tool, field)
  const { description, name, parameters, strict } = objectAt(tool.function, `${field}.function`)
  return {
    type: "function",
    name: stringAt(name, `${field}.function.name`),
    ...(description !== undefined && { description }),
    parameters: withProperties(optionalObject(parameters, `${field}.function.parameters`)),
    // Where nothing is said the provider makes it strict.
    strict: strict === true
  }
}

const choiceOf = (choice: Json): Json => {
  if (!isJsonObject(choice)) return choice
  if (choice.type !== "allowed_tools") return flat(flat(choice, "function"), "custom")
  const allowed = objectAt(choice.allowed_tools ?? choice, "tool_choice.allowed_tools")
  return {
    type: "allowed_tools",
    mode: allowed.mode,
    tools: arrayAt(allowed.tools, "tool_choice.allowed_tools.tools").map((value, index) => {
      const field = `tool_choice.allowed_tools.tools.${index}`
      return flat(flat(objectAt(value, field), "function"), "custom")
    })
  }
}
