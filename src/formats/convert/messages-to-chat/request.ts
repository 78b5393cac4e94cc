/** A Messages request as a chat request for a model whose upstream speaks chat completions. */
import type { Result } from "effect"
import type { Model } from "../../../domain/catalogue.ts"
import {
  type InvalidRequest,
  optional,
  positiveIntegerAt,
  refusable,
  refuse,
  stringAt
} from "../../json/fields.ts"
import { refuseDeepNesting } from "../../json/nesting.ts"
import { isAbsent, type JsonObject, objectOf } from "../../json/json.ts"
import { askedSchema } from "../../messages/asked-schema.ts"
import { askedStops } from "../../messages/asked-stops.ts"
import { requireMessagesRequest } from "../../messages/request.ts"
import { chatTraitsOf } from "../../chat/chat-traits.ts"
import { inTurnOrder } from "./turn-order.ts"
import type { RequestConverted } from "../conversion.ts"
import { fitsStrictMode } from "../../json/strict-schema.ts"
import { chatTools, isCallForced } from "./tools.ts"
import { chatMessages } from "./turns.ts"
import { schemaInstruction } from "../answer-form.ts"
import { withinModel } from "../max-tokens.ts"
import { sampling } from "../sampling.ts"
import { chatReasoning } from "../reasoning.ts"
import { chatNameLengthMax, ToolNameMap } from "../tool-names.ts"
import { safetyIdentifier } from "../user-ids.ts"

export const messagesRequestToChat = (
  body: JsonObject,
  model: Model
): Result.Result<RequestConverted, InvalidRequest> =>
  refusable(() => {
    refuseDeepNesting(body)
    requireMessagesRequest(body)
    refuseWithoutCounterpart(body)
    const traits = chatTraitsOf(model)
    const names = new ToolNameMap(chatNameLengthMax, traits.toolNameStart)
    const tools = chatTools(body, model, names)
    const format = responseFormat(body, model)
    const user = safetyIdentifier(body)
    return {
      body: {
        model: model.upstream.model,
        messages: inTurnOrder([...format.instructions, ...chatMessages(body, model, names)], traits),
        ...tools,
        ...outputCap(body, model),
        stop: askedStops(body, model),
        ...chances(body, model),
        ...chatReasoning(body, model, { given: tools.tools !== undefined, forced: isCallForced(tools) }),
        response_format: format.field,
        safety_identifier: traits.safetyIdentifiers ? user : undefined,
        ...(body.stream === true && { stream: true }),
        ...(body.stream === true && !traits.usageUnasked && { stream_options: { include_usage: true } })
      },
      toolNames: names.originals
    }
  })

/** A `thread` continues what a Messages provider keeps; the client's SDK sends the whole history on this refusal. */
const refuseThread = (body: JsonObject): void => {
  if (isAbsent(body.thread)) return
  refuse("thread", "is not supported by this model", {
    error_code: "thread_unsupported_request",
    unsupported: ["thread"]
  })
}

/** What only a Messages provider itself can do; dropping it would change what the caller asked for. */
export const refuseWithoutCounterpart = (body: JsonObject): void => {
  refuseAnthropicsOwn(body)
  // The answer to it is a summary that only its provider can sign and read again.
  if (!isAbsent(body.compaction)) refuse("compaction", "is not supported by this model")
}

/** The same of what Claude can not do on Bedrock either. */
export const refuseAnthropicsOwn = (body: JsonObject): void => {
  refuseThread(body)
  // Whom a provider lets pay instead of us is nobody's customer here.
  if (objectOf(body.billing_policy).bill_to === "user_profile")
    refuse("billing_policy.bill_to", "can not be chosen for this model")
  const place = optional(stringAt, body.inference_geo, "inference_geo")
  if (place !== undefined && place !== "global") refuse("inference_geo", "can not be chosen for this model")
}

const outputCap = (body: JsonObject, model: Model): JsonObject => {
  // Zero fills a cache of prompts without an answer, which has no counterpart.
  const asked = positiveIntegerAt(body.max_tokens, "max_tokens")
  return { [model.upstream.outputCapField]: withinModel(asked, model) }
}

/** `top_k` has no counterpart; like the others it is a hint whose loss changes no meaning. */
const chances = (body: JsonObject, model: Model): JsonObject => {
  const told = sampling(body, model)
  return chatTraitsOf(model).sampling ? told : {}
}

/** Where no schemas are known the schema is put into words. */
const responseFormat = (body: JsonObject, model: Model) => {
  const schema = askedSchema(body)
  if (schema === undefined) return { field: undefined, instructions: [] }
  if (!chatTraitsOf(model).schemas) {
    const content = schemaInstruction(schema)
    return { field: { type: "json_object" }, instructions: [{ role: "system", content }] }
  }
  const strict = fitsStrictMode(schema) ? true : undefined
  return { field: { type: "json_schema", json_schema: { name: "output", schema, strict } }, instructions: [] }
}
