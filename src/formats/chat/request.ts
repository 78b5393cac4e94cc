/** What a chat request must have before anything is done with it, and what of it the gateway needs to know. */
import { chatCapNames } from "../../domain/output-cap-names.ts"
import { smallestCap } from "../asked-cap.ts"
import { booleanAt, optional, refuse } from "../json/fields.ts"
import { isAbsent, type Json, type JsonObject, objectOf } from "../json/json.ts"
import { requireModelAndMessages } from "../messages/request.ts"

export const requireChatRequest = (body: JsonObject): void => {
  requireModelAndMessages(body)
  smallestCap(body, chatCapNames)
  refuseDeferred(body)
}

/**
 * Every call is charged with its answer, and work that goes on behind it is billed by the provider but metered by nobody.
 * Source: docs.x.ai, "Deferred Chat Completions".
 */
const refuseDeferred = (body: JsonObject): void => {
  if (optional(booleanAt, body.deferred, "deferred") === true)
    refuse(
      "deferred",
      "must be false or absent, since a completion can not be fetched later from this service"
    )
}

/**
 * Members of other servers and services that a conversion would lose, and the answer with them: it would have another form
 * (docs.vllm.ai, "Structured Outputs"), come from the model alone (Azure's "On your data"), or be charged where it was to
 * cost nothing (docs.litellm.ai, "Mock Completion()").
 */
const othersMembers: ReadonlyArray<readonly [name: string, problem: string]> = [
  ...["guided_json", "guided_regex", "guided_choice", "guided_grammar", "structured_outputs"].map(
    (name) => [name, "is not known here: response_format says what form an answer has"] as const
  ),
  ["data_sources", "is not available on this model"],
  ["mock_response", "is not available: every call is answered by its model, and charged"]
]

export const refuseOthersMembers = (body: JsonObject): void => {
  for (const [name, problem] of othersMembers)
    if (!isNothing(body[name]) && !isRoutersFlag(name, body[name])) refuse(name, problem)
}

/** By OpenRouter's word of that name a client wants a model that keeps to `response_format` (openrouter.ai/docs, "Parameters"). */
const isRoutersFlag = (name: string, value: Json | undefined): boolean =>
  name === "structured_outputs" && value === true

const isNothing = (value: Json | undefined): boolean =>
  isAbsent(value) || value === false || (Array.isArray(value) && value.length === 0)

/** Whether the upstream will tell it the usage at the end of a stream. */
export const saysIncludeUsage = (body: JsonObject): boolean =>
  objectOf(body.stream_options).include_usage === true

/** Whether the caller wants the chunk with the usage at the end of a stream. OpenRouter's clients say it in `usage`. */
export const asksForUsage = (body: JsonObject): boolean =>
  saysIncludeUsage(body) || objectOf(body.usage).include === true
