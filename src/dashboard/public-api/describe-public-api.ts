/** The OpenAPI document of the API for models, for programs that make clients or check requests by it. */
import type { Model } from "../../domain/catalogue.ts"
import { retryAfter, retryStatuses } from "../retry-after.ts"
import { publicErrors, publicSchemas, referTo, type Schema } from "./public-schemas.ts"

type Media = Readonly<Record<string, { readonly schema: object }>>

interface Described {
  readonly summary: string
  /** Name of the body's schema; `undefined` where there is none. */
  readonly body?: string
  /** Name of the schema of a form that is taken, too, as SDKs send pictures. */
  readonly form?: string
  /** Name of the answer's schema, or the media type of bytes. */
  readonly answer: string
  readonly streams?: boolean
  readonly query?: Readonly<Record<string, Schema>>
  readonly headers?: Readonly<Record<string, Schema>>
}

const inMessagesWords = {
  "anthropic-version": {
    type: "string",
    description: "With it `capabilities` are an object, as SDKs of the Messages protocol read them"
  }
}

const operations: Readonly<Record<string, Described>> = {
  "POST /v1/messages": {
    summary: "A message in the Messages protocol, by any text model",
    body: "MessagesRequest",
    answer: "Message",
    streams: true
  },
  "POST /v1/messages/count_tokens": {
    summary: "How many tokens the input of a message has; free, also with an empty wallet",
    body: "CountRequest",
    answer: "Count"
  },
  "POST /v1/chat/completions": {
    summary: "A chat completion, by any text model",
    body: "ChatRequest",
    answer: "ChatCompletion",
    streams: true
  },
  "POST /v1/responses": {
    summary: "A response in the Responses protocol, by any text model",
    body: "ResponsesRequest",
    answer: "Response",
    streams: true
  },
  "POST /v1/images/generations": {
    summary: "Makes pictures",
    body: "ImageRequest",
    answer: "Images"
  },
  "POST /v1/images/edits": {
    summary: "Changes a picture, which comes by address, as data or as a file of a form",
    body: "ImageEditRequest",
    form: "ImageEditForm",
    answer: "Images"
  },
  "POST /v1/audio/speech": {
    summary: "Speaks a text",
    body: "SpeechRequest",
    answer: "audio/*",
    streams: true
  },
  "GET /v1/models": {
    summary: "The models with their prices; all of them without parameters",
    answer: "ModelList",
    query: {
      limit: { type: "integer", minimum: 1, maximum: 1_000, description: "At most so many" },
      after_id: { type: "string", description: "Those after this model" },
      before_id: { type: "string", description: "Those before this model" }
    },
    headers: inMessagesWords
  },
  "GET /v1/models/{id}": {
    summary: "One model; the slash of its id may be percent-encoded",
    answer: "Model",
    headers: inMessagesWords
  },
  "GET /v1/balance": {
    summary: "What is left in the wallet, of the key's budget and of its maker's; also with an empty wallet",
    answer: "Balance"
  },
  "GET /v1/usage": {
    summary: "What the account's calls used, by model, key or day",
    answer: "Usage",
    query: {
      from: {
        type: "string",
        description:
          "First day or moment, ISO 8601; an hour that it is within counts as a whole. Without it 30 days before the end",
        examples: ["2026-11-30", "2026-11-30T08:00:00+07:00"]
      },
      to: {
        type: "string",
        description:
          "Last day or moment, ISO 8601; an hour that it is within counts as a whole. At most 400 days after the begin"
      },
      group_by: { type: "string", enum: ["model", "key", "day"], default: "model" }
    }
  },
  "GET /v1/dashboard/billing/subscription": {
    summary: "What is left, where chat clients look for it; in VND",
    answer: "Subscription"
  },
  "GET /v1/dashboard/billing/usage": {
    summary: "What was used, where chat clients look for it; in hundredths of VND",
    answer: "BillingUsage"
  }
}

/** `publicUrl` is where callers reach the service. */
export const describePublicApi = (publicUrl: string, models: ReadonlyArray<Model>): object => {
  const paths: Record<string, Record<string, object>> = {}
  for (const [name, described] of Object.entries(operations)) {
    const [method, path] = name.split(" ") as [string, string]
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(name, path, described) }
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Tollgate",
      version: "1",
      description: [
        "Text, image and speech models behind one address, prepaid in VND. Messages, chat-completions and Responses clients reach every text model.",
        "What the protocols know beyond the fields named here passes unchanged."
      ].join(" ")
    },
    servers: [{ url: publicUrl }],
    security: [{ key: [] }, { bearer: [] }],
    paths,
    components: {
      schemas: {
        ...publicSchemas,
        ModelId: {
          type: "string",
          description: "As `GET /v1/models` lists it",
          examples: models.map(({ id }) => id)
        }
      },
      securitySchemes: {
        key: { type: "apiKey", in: "header", name: "x-api-key", description: "An API key, `sk-tg-…`" },
        bearer: { type: "http", scheme: "bearer", description: "An API key, `sk-tg-…`" }
      }
    }
  }
}

const operationOf = (name: string, path: string, described: Described): object => ({
  operationId: name
    .toLowerCase()
    .replace(/\/v1/, "")
    .replaceAll(/[^a-z]+/g, "_")
    .replace(/_$/, ""),
  summary: described.summary,
  parameters: [
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, id]) => ({
      name: id,
      in: "path",
      required: true,
      schema: { type: "string" }
    })),
    ...parametersIn("query", described.query),
    ...parametersIn("header", described.headers)
  ],
  ...(described.body !== undefined && {
    requestBody: { required: true, content: requestOf(described.body, described.form) }
  }),
  responses: {
    200: { description: "The answer", headers: answerHeaders, content: answerOf(described) },
    ...Object.fromEntries(
      publicErrors
        .filter(([status]) => !ofOtherMethods.has(status))
        .map(([status, , description]) => [status, failure(status, description)])
    )
  }
})

/** What no operation answers that is described. */
const ofOtherMethods: ReadonlySet<number> = new Set([405, 426])

const parametersIn = (place: "query" | "header", schemas: Readonly<Record<string, Schema>> = {}) =>
  Object.entries(schemas).map(([name, schema]) => ({ name, in: place, schema }))

const requestOf = (body: string, form: string | undefined): Media => ({
  "application/json": { schema: referTo(body) },
  ...(form !== undefined && { "multipart/form-data": { schema: referTo(form) } })
})

const answerOf = ({ answer, streams }: Described): Media => {
  const whole = answer.includes("/")
    ? { [answer]: { schema: { type: "string", format: "binary" } } }
    : { "application/json": { schema: referTo(answer) } }
  return {
    ...whole,
    ...(streams === true && { "text/event-stream": { schema: { type: "string" } } })
  }
}

const header = (description: string) => ({ description, schema: { type: "string" } })
const callId = {
  "request-id": header("The call's id, by which it is found in the dashboard; `x-request-id` says the same")
}
const answerHeaders = {
  ...callId,
  "x-svc-model": header("The model that did the work"),
  "x-svc-cost-vnd": header(
    "What the call cost, exact decimal VND; not on streams, which tell it in the dashboard"
  )
}

const failure = (status: number, description: string) => ({
  description,
  headers: { ...callId, ...(retryStatuses.has(status) && retryAfter) },
  content: { "application/json": { schema: referTo("Error") } }
})
