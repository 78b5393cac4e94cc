/** A chat request as a Messages request: for models whose upstream speaks Messages, and on the way to Bedrock. */
import type { Result } from "effect"
import type { Model } from "../../../domain/catalogue.ts"
import { askedOutputCap } from "../../asked-cap.ts"
import { refuseOthersMembers, requireChatRequest } from "../../chat/request.ts"
import {
  type InvalidRequest,
  numberAt,
  objectAt,
  optional,
  refusable,
  refuse,
  stringAt
} from "../../json/fields.ts"
import { refuseDeepNesting } from "../../json/nesting.ts"
import { isAbsent, isJsonObject, type Json, type JsonObject, objectOf } from "../../json/json.ts"
import { isForced, messagesTools, offeredTools } from "./tools.ts"
import { messagesConversation } from "./turns.ts"
import type { RequestConverted } from "../conversion.ts"
import { answerForm } from "../answer-form.ts"
import { messagesMaxTokens } from "../max-tokens.ts"
import { inWords } from "../own-words.ts"
import { messagesReasoning, takesSampling, toldThinking } from "../reasoning.ts"
import { endedByUser } from "../TurnBuilder.ts"
import { messagesMetadata } from "../user-ids.ts"

/** `goesOn`: another conversion follows. */
export const chatRequestToMessages = (
  body: JsonObject,
  model: Model,
  goesOn = false
): Result.Result<RequestConverted, InvalidRequest> =>
  refusable(() => {
    refuseDeepNesting(body)
    requireChatRequest(body)
    refuseWithoutCounterpart(body)
    const offered = offeredTools(body)
    const conversation = messagesConversation(body, { family: model.family, goesOn, offered })
    const format = outputFormat(body, model, goesOn)
    const system = [...conversation.system, ...format.instructions]
    const tools = messagesTools(body, model, offered, goesOn)
    const isCallForced = isForced(tools)
    const asked = messagesReasoning(body, model, isCallForced, conversation.messages, goesOn)
    const { effort, ...thinking } = withThoughts(asked, body, model)
    const config = { ...(effort !== undefined && { effort }), ...format.field }
    return {
      body: {
        model: model.upstream.model,
        max_tokens: messagesMaxTokens(askedOutputCap(body), model),
        ...(system.length > 0 && { system }),
        messages: endedByUser(conversation.messages, model),
        ...tools,
        ...stopSequences(body, model),
        ...(takesSampling(thinking.thinking, model) ? sampling(body, model) : {}),
        ...thinking,
        ...(Object.keys(config).length > 0 && { output_config: config }),
        ...messagesMetadata(body),
        ...(isJsonObject(body.cache_control) && { cache_control: body.cache_control }),
        ...(body.stream === true && { stream: true })
      },
      toolNames: offered.originals
    }
  })

const refuseWithoutCounterpart = (body: JsonObject): void => {
  refuseOthersMembers(body)
  if ((body.n ?? 1) !== 1) refuse("n", "this model gives one answer at a time")
  if (body.logprobs === true) refuse("logprobs", "is not available on this model")
  if (isJsonObject(body.moderation)) refuse("moderation", "is not available on this model")
  if (isJsonObject(body.logit_bias) && Object.keys(body.logit_bias).length > 0) {
    refuse("logit_bias", "is not available on this model")
  }
  if (Array.isArray(body.modalities) && body.modalities.some((modality: Json) => modality !== "text")) {
    refuse("modalities", "this model answers in text alone")
  }
}

/** White space alone is no stop sequence to the Messages protocol. */
const stopSequences = (body: JsonObject, model: Model): JsonObject => {
  const asked = isAbsent(body.stop) ? [] : Array.isArray(body.stop) ? body.stop : [body.stop]
  const stop = asked
    .map((value: Json, index) => stringAt(value, `stop.${index}`))
    .filter((text) => text.trim() !== "")
  if (stop.length > 0 && model.upstream.refuses.has("stop")) refuse("stop", "is not supported by this model")
  return stop.length === 0 ? {} : { stop_sequences: stop }
}

/**
 * Chat temperatures go up to 2. Penalties and seeds are hints without a counterpart. A `top_p` of 1 does nothing, but
 * Claude refuses it beside a temperature, nor does a `top_k` of 0 or -1 (docs.vllm.ai, "Sampling Parameters").
 */
const sampling = (body: JsonObject, model: Model): JsonObject => {
  if (model.upstream.refuses.has("sampling")) return {}
  const temperature = optional(numberAt, body.temperature, "temperature")
  const topP = optional(numberAt, body.top_p, "top_p")
  const topK = optional(numberAt, body.top_k, "top_k")
  return {
    ...(temperature !== undefined && { temperature: Math.min(Math.max(temperature, 0), 1) }),
    ...(topP !== undefined &&
      !(topP >= 1 && temperature !== undefined) && { top_p: Math.min(Math.max(topP, 0), 1) }),
    ...(topK !== undefined && topK > 0 && { top_k: topK })
  }
}

/** Chat has no word for it: who wants a model to think is told what it thought, unless they say it in the words of Messages. */
const withThoughts = (
  asked: JsonObject,
  { reasoning, thinking: own }: JsonObject,
  model: Model
): JsonObject =>
  isJsonObject(asked.thinking) && !isJsonObject(own) && objectOf(reasoning).exclude !== true
    ? { ...asked, thinking: toldThinking(asked.thinking, model) }
    : asked

const outputFormat = (body: JsonObject, model: Model, goesOn: boolean) => {
  const field = "response_format"
  const format = optional(objectAt, body.response_format, field)
  const beside = schemaBeside(format)
  const asked =
    beside === undefined
      ? { format, field, holder: format?.json_schema, holderField: `${field}.json_schema` }
      : { format: { type: "json_schema" }, field, holder: { schema: beside }, holderField: field }
  return answerForm(asked, model, goesOn)
}

/**
 * A schema beside the JSON mode, as llama.cpp's server and others like it take (tools/server/README.md there), and LiteLLM
 * (docs.litellm.ai, "Structured Outputs (JSON Mode)"). One that says no more than the mode would leave Claude an empty object.
 */
const schemaBeside = (format: JsonObject | undefined): JsonObject | undefined =>
  format?.type === "json_object"
    ? [format.schema, format.response_schema]
        .filter(isJsonObject)
        .find((schema) => Object.keys(schema).some((name) => name !== "type"))
    : undefined

/** Which of the client's messages a turn was made of is not known any more. */
export const inChatWords = inWords([["messages", "messages"]])
