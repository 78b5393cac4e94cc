/** A Responses request as a Messages request: for models whose upstream speaks Messages, and on the way to all others. */
import type { Result } from "effect"
import type { Model } from "../../../domain/catalogue.ts"
import { askedOutputCap } from "../../asked-cap.ts"
import { routersReasoning } from "../../chat/asked-reasoning.ts"
import {
  countAt,
  type InvalidRequest,
  numberAt,
  objectAt,
  optional,
  refusable,
  refuse
} from "../../json/fields.ts"
import { refuseDeepNesting } from "../../json/nesting.ts"
import { isJsonObject, type Json, type JsonObject, objectOf } from "../../json/json.ts"
import { refuseStored } from "../../responses/request.ts"
import type { RequestConverted } from "../conversion.ts"
import { answerForm } from "../answer-form.ts"
import { messagesMaxTokens } from "../max-tokens.ts"
import { inWords } from "../own-words.ts"
import { messagesReasoning, takesSampling, toldThinking } from "../reasoning.ts"
import { endedByUser } from "../TurnBuilder.ts"
import { messagesMetadata } from "../user-ids.ts"
import { messagesChoice } from "./choice.ts"
import type { MessagesDialect } from "../messages-dialect.ts"
import { messagesConversation } from "./items.ts"
import { offeredTools } from "./tools.ts"

export const responsesRequestToMessages = (
  body: JsonObject,
  model: Model,
  dialect: MessagesDialect
): Result.Result<RequestConverted, InvalidRequest> =>
  refusable(() => {
    refuseDeepNesting(body)
    refuseStored(body)
    refusePrewarming(body)
    if ((optional(countAt, body.top_logprobs, "top_logprobs") ?? 0) > 0)
      refuse("top_logprobs", "are not available on this model")
    if (isJsonObject(body.moderation)) refuse("moderation", "is not available on this model")
    const offered = offeredTools(body, model, dialect)
    const conversation = messagesConversation(body, { model, dialect, offered })
    const choice = messagesChoice(body, model, offered)
    const format = outputFormat(body, model, dialect.goesOn)
    const system = [...conversation.system, ...format.instructions]
    const { config, thinking } = reasoning(body, model, dialect, choice, conversation.messages)
    const outputConfig = { ...config, ...format.field }
    return {
      body: {
        model: model.upstream.model,
        max_tokens: messagesMaxTokens(askedOutputCap(body), model),
        ...(system.length > 0 && { system }),
        messages: endedByUser(conversation.messages, model),
        ...choice,
        ...(takesSampling(thinking, model) ? sampling(body, model, dialect) : {}),
        ...(thinking !== undefined && { thinking }),
        ...(Object.keys(outputConfig).length > 0 && { output_config: outputConfig }),
        ...messagesMetadata(body),
        ...(body.stream === true && { stream: true })
      },
      toolNames: offered.originals
    }
  })

/** Who wants nothing but a filled cache is not to pay for an answer. */
const refusePrewarming = (body: JsonObject): void => {
  if (objectOf(body.prompt_cache_options).prewarm === true)
    refuse("prompt_cache_options.prewarm", "is not supported by this model")
}

interface Reasoning {
  readonly thinking: JsonObject | undefined
  readonly config: JsonObject
}

const reasoning = (
  body: JsonObject,
  model: Model,
  { goesOn }: MessagesDialect,
  { tool_choice: choice }: JsonObject,
  messages: ReadonlyArray<JsonObject>
): Reasoning => {
  const asked = optional(objectAt, body.reasoning, "reasoning")
  const { effort, thinking: own } = routersReasoning(asked ?? {}, askedOutputCap(body))
  const isForced = isJsonObject(choice) && (choice.type === "any" || choice.type === "tool")
  if (effort === undefined && own === undefined)
    return { thinking: toldUnasked(asked, model, isForced || goesOn), config: {} }
  const told = { ...(effort !== undefined && { reasoning_effort: effort }), ...(own && { thinking: own }) }
  const { thinking, ...config } = messagesReasoning(told, model, isForced, messages, goesOn)
  return { thinking: isJsonObject(thinking) ? withSummary(thinking, asked, model) : undefined, config }
}

const withSummary = (thinking: JsonObject, asked: JsonObject | undefined, model: Model): JsonObject =>
  summaries.has(asked?.summary) ? toldThinking(thinking, model) : thinking

/** Who can not be told to stop thinks also where nobody says how much. */
const toldUnasked = (
  asked: JsonObject | undefined,
  model: Model,
  elsewhere: boolean
): JsonObject | undefined =>
  summaries.has(asked?.summary) && model.upstream.refuses.has("thinking_disabled") && !elsewhere
    ? toldThinking({ type: "adaptive" }, model)
    : undefined

const summaries: ReadonlySet<Json | undefined> = new Set(["auto", "concise", "detailed"])

const sampling = (body: JsonObject, model: Model, { highTemperatures }: MessagesDialect): JsonObject => {
  const temperature = optional(numberAt, body.temperature, "temperature")
  const topP = optional(numberAt, body.top_p, "top_p")
  if (model.upstream.refuses.has("sampling")) return {}
  return {
    ...(temperature !== undefined && {
      temperature: highTemperatures ? temperature : Math.min(Math.max(temperature, 0), 1)
    }),
    // It does nothing then, but Claude refuses it beside a temperature.
    ...(topP !== undefined && !(topP >= 1 && temperature !== undefined) && { top_p: topP })
  }
}

const outputFormat = (body: JsonObject, model: Model, goesOn: boolean) => {
  const [format, field] = [textFormat(body), "text.format"]
  return answerForm({ format, field, holder: format, holderField: field }, model, goesOn)
}

/** What the answer's text is asked to be. */
export const textFormat = (body: JsonObject): JsonObject | undefined =>
  optional(objectAt, optional(objectAt, body.text, "text")?.format, "text.format")

export const inResponsesWords = inWords([
  ["output_config", "reasoning"],
  ["thinking", "reasoning"],
  ["messages", "input"],
  ["max_tokens", "max_output_tokens"],
  ["system", "instructions"]
])
