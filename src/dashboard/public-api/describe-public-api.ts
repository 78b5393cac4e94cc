/** The OpenAPI document of the API for models, for programs that make clients or check requests by it. */
import type { Model } from "../../domain/catalogue.ts"
import { publicErrors, publicSchemas, referTo } from "./public-schemas.ts"

type Media = Readonly<Record<string, { readonly schema: object }>>

interface Described {
  readonly summary: string
  /** Name of the body's schema; `undefined` where there is none. */
  readonly body?: string
  /** Also taken as a form, as SDKs send pictures. */
  readonly isForm?: boolean
  /** Name of the answer's schema, or the media type of bytes. */
  readonly answer: string
  readonly streams?: boolean
  readonly query?: Readonly<Record<string, string>>
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
    isForm: true,
    answer: "Images"
  },
  "POST /v1/audio/speech": {
    summary: "Speaks a text",
    body: "SpeechRequest",
    answer: "audio/*"
  },
  "GET /v1/models": {
    summary: "The models with their prices; all of them without parameters",
    answer: "ModelList",
    query: {
      limit: "At most so many",
      after_id: "Those after this model",
      before_id: "Those before this model"
    }
  },
  "GET /v1/models/{id}": {
    summary: "One model; the slash of its id may be percent-encoded",
    answer: "Model"
  },
  "GET /v1/balance": {
    summary: "What is left in the wallet, of the key's budget and of its maker's; also with an empty wallet",
    answer: "Balance"
  },
  "GET /v1/usage": {
    summary: "What the account's calls used, by model, key or day",
    answer: "Usage",
    query: {
      from: "First day or moment, ISO 8601; an hour that it is within counts as a whole",
      to: "Last day or moment, ISO 8601; an hour that it is within counts as a whole",
      group_by: "`model`, `key` or `day`"
    }
  },
  "GET /v1/dashboard/billing/subscription": {
    summary: "What is left, where chat clients look for it; in VND",
    answer: "Usage"
  },
  "GET /v1/dashboard/billing/usage": {
    summary: "What was used, where chat clients look for it; in hundredths of VND",
    answer: "Usage"
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
    ...Object.entries(described.query ?? {}).map(([id, description]) => ({
      name: id,
      in: "query",
      description,
      schema: { type: "string" }
    }))
  ],
  ...(described.body !== undefined && {
    requestBody: { required: true, content: requestOf(described.body, described.isForm === true) }
  }),
  responses: {
    200: { description: "The answer", headers: answerHeaders, content: answerOf(described) },
    ...Object.fromEntries(publicErrors.map(([status, , description]) => [status, failure(description)]))
  }
})

const requestOf = (body: string, isForm: boolean): Media => {
  const content = { schema: referTo(body) }
  return { "application/json": content, ...(isForm && { "multipart/form-data": content }) }
}

const answerOf = ({ answer, streams }: Described): Media => {
  if (answer.includes("/")) return { [answer]: { schema: { type: "string", format: "binary" } } }
  return {
    "application/json": { schema: referTo(answer) },
    ...(streams === true && { "text/event-stream": { schema: { type: "string" } } })
  }
}

const failure = (description: string) => ({
  description,
  content: { "application/json": { schema: referTo("Error") } }
})

const header = (description: string) => ({ description, schema: { type: "string" } })
const answerHeaders = {
  "request-id": header("The call's id, by which it is found in the dashboard; `x-request-id` says the same"),
  "x-svc-model": header("The model that did the work"),
  "x-svc-cost-vnd": header(
    "What the call cost, exact decimal VND; not on streams, which tell it in the dashboard"
  )
}
