/** The shapes of the API for models, as far as the gateway itself looks at them. The rest is the protocol's own and passes. */
import { Capability, Channel } from "../../domain/catalogue.ts"

/** What is refused or fails, by status: the type of the error and when it comes. */
export const publicErrors = [
  [
    400,
    "invalid_request_error",
    "JSON that is none, or a parameter that is missing or wrong; the message names it"
  ],
  [401, "authentication_error", "The key is missing, wrong, revoked, paused or over"],
  [
    402,
    "insufficient_balance",
    "Nothing is left in the wallet, or of the key's budget or its maker's; nothing was sent to a provider"
  ],
  [403, "permission_error", "The key may not use this model, endpoint or address"],
  [404, "not_found_error", "No such path or model; `details.did_you_mean` names models that are near"],
  [405, "invalid_request_error", "The path takes another method; `allow` says which"],
  [
    413,
    "request_too_large",
    "The body is larger than allowed: 20 MiB, where the operator has set no other limit"
  ],
  [415, "invalid_request_error", "The body is compressed: it is to come without `content-encoding`"],
  [426, "invalid_request_error", "The path takes POST alone, not a WebSocket"],
  [429, "rate_limit_error", "A limit is reached; `retry-after` says when to try again"],
  [502, "api_error", "The provider failed; what it did not answer costs nothing"],
  [503, "service_unavailable", "Maintenance or overload; `retry-after` says when to try again"]
] as const

const errorTypes = [...new Set(publicErrors.map(([, type]) => type))]

export type Schema = Readonly<Record<string, unknown>>

export const referTo = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })

const text: Schema = { type: "string" }
/** 32 bits, which clients take without a format, do not hold the tokens of a month. */
const whole = (minimum: number): Schema => ({ type: "integer", format: "int64", minimum })
const always = (said: string): Schema => ({ type: "string", const: said })
const oneOf = (texts: ReadonlyArray<string>): Schema => ({ type: "string", enum: texts })
const list = (items: Schema): Schema => ({ type: "array", items })
const decimal = (description: string): Schema => ({
  type: "string",
  pattern: "^-?\\d+(\\.\\d+)?$",
  description
})
const orNull = (schema: Schema): Schema => ({ anyOf: [schema, { type: "null" }] })

/** What is not named here passes, too. */
const object = (
  properties: Readonly<Record<string, Schema>>,
  ...required: ReadonlyArray<string>
): Schema => ({
  type: "object",
  properties,
  ...(required.length > 0 && { required }),
  additionalProperties: true
})

/** By the protocol's own rules. */
const anything = object({})

const model = referTo("ModelId")
const stream: Schema = { type: "boolean", description: "The answer comes as server-sent events" }
const prompt: Schema = { type: "string", minLength: 1 }
const made = {
  n: { type: "integer", minimum: 1, maximum: 10, description: "How many pictures, each at its price" },
  size: { type: "string", pattern: "^([1-9]\\d{0,4}x[1-9]\\d{0,4}|auto)$", examples: ["1024x1024"] }
}
const file: Schema = { type: "string", format: "binary", description: "A PNG, JPEG, WebP or GIF" }
const sum = {
  calls: whole(0),
  failed_calls: whole(0),
  input_tokens: whole(0),
  output_tokens: whole(0),
  cost_vnd: decimal("VND")
}
const sumNames = Object.keys(sum)
const amount = (description: string): Schema => ({ type: "number", format: "double", description })
const vnd = amount("VND")
const picture: Schema = { type: "string", description: "An http(s) or data URL, or bare base64" }

export const publicSchemas: Readonly<Record<string, Schema>> = {
  MessagesRequest: object(
    {
      model,
      max_tokens: whole(1),
      messages: list(object({ role: text, content: {} }, "role", "content")),
      system: {},
      tools: list(anything),
      stream
    },
    "model",
    "max_tokens",
    "messages"
  ),
  ChatRequest: object(
    { model, messages: list(object({ role: text }, "role")), tools: list(anything), stream },
    "model",
    "messages"
  ),
  ResponsesRequest: object({ model, input: {}, instructions: text, tools: list(anything), stream }, "model"),
  ImageRequest: object({ model, prompt, ...made }, "model", "prompt"),
  ImageEditRequest: object(
    {
      model,
      prompt,
      ...made,
      image: picture,
      image_url: picture,
      reference_image: picture,
      ref_image: picture
    },
    "model",
    "prompt"
  ),
  ImageEditForm: object(
    { model, prompt, ...made, image: { ...list(file), minItems: 1, maxItems: 16 }, mask: file },
    "model",
    "prompt",
    "image"
  ),
  SpeechRequest: object(
    {
      model,
      input: { type: "string", minLength: 1 },
      voice: { anyOf: [{ type: "string", minLength: 1 }, object({ id: text }, "id")] }
    },
    "model",
    "input",
    "voice"
  ),
  CountRequest: object({ model, messages: list(anything) }, "model", "messages"),
  Count: object({ input_tokens: whole(0) }, "input_tokens"),
  Message: object(
    {
      id: text,
      type: always("message"),
      role: always("assistant"),
      content: list(object({ type: text }, "type")),
      stop_reason: orNull(text),
      usage: object({ input_tokens: whole(0), output_tokens: whole(0) }, "input_tokens", "output_tokens")
    },
    "id",
    "type",
    "role",
    "content",
    "usage"
  ),
  ChatCompletion: object(
    {
      id: text,
      object: always("chat.completion"),
      choices: list(anything),
      usage: anything
    },
    "id",
    "object",
    "choices"
  ),
  Response: object(
    { id: text, object: always("response"), status: text, output: list(anything) },
    "id",
    "object",
    "output"
  ),
  Images: object({ created: whole(0), data: list(anything) }, "data"),
  Model: object(
    {
      id: text,
      object: always("model"),
      display_name: text,
      context_window: orNull(whole(1)),
      max_output_tokens: orNull(whole(1)),
      price: object({
        currency: always("VND"),
        per_mtok: vnd,
        per_request: vnd
      }),
      channel: oneOf(Channel.literals),
      capabilities: {
        anyOf: [list(oneOf(Capability.literals)), anything],
        description: "A list, and with `anthropic-version` an object"
      }
    },
    "id",
    "object",
    "price"
  ),
  ModelList: object(
    {
      object: always("list"),
      data: list(referTo("Model")),
      has_more: { type: "boolean" },
      first_id: orNull(text),
      last_id: orNull(text)
    },
    "object",
    "data",
    "has_more"
  ),
  Balance: object(
    {
      balance_vnd: decimal("What the wallet has, VND"),
      held_vnd: decimal("Of it, what calls under way hold"),
      available_vnd: decimal("What is left to spend"),
      key: object(
        {
          id: text,
          name: text,
          budget_vnd: orNull(decimal("The key's budget")),
          budget_period: orNull(text),
          spent_vnd: decimal("Of the budget, in the present period; without one, altogether"),
          resets_at: orNull(text),
          expires_at: orNull(text),
          models: orNull(list(text)),
          endpoints: orNull(list(text)),
          allowed_ips: orNull(list(text)),
          rate_limit_per_minute: whole(0)
        },
        "id",
        "name",
        "budget_vnd",
        "spent_vnd"
      ),
      member: orNull(
        object({
          budget_vnd: decimal("What all keys may spend together that the member has made who made this one"),
          budget_period: text,
          spent_vnd: decimal("Of it, in the present period"),
          resets_at: orNull(text)
        })
      )
    },
    "balance_vnd",
    "held_vnd",
    "available_vnd",
    "key",
    "member"
  ),
  Usage: object(
    {
      object: always("usage"),
      from: text,
      to: text,
      group_by: oneOf(["model", "key", "day"]),
      total: object(sum, ...sumNames),
      data: list(object({ model: text, key_id: text, key_name: text, day: text, ...sum }, ...sumNames))
    },
    "object",
    "from",
    "to",
    "group_by",
    "total",
    "data"
  ),
  Subscription: object(
    {
      object: always("billing_subscription"),
      has_payment_method: { type: "boolean" },
      soft_limit_usd: vnd,
      hard_limit_usd: vnd,
      system_hard_limit_usd: vnd,
      currency: always("VND"),
      access_until: { ...whole(0), description: "Seconds since 1970, or 0: without end" }
    },
    "object",
    "hard_limit_usd",
    "currency"
  ),
  BillingUsage: object(
    { object: always("list"), total_usage: amount("Hundredths of VND") },
    "object",
    "total_usage"
  ),
  Error: object(
    {
      type: always("error"),
      error: object(
        {
          type: oneOf(errorTypes),
          message: text,
          param: orNull(text),
          code: orNull(text)
        },
        "type",
        "message"
      ),
      request_id: text
    },
    "type",
    "error",
    "request_id"
  )
}
