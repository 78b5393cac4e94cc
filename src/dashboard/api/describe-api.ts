/** The OpenAPI document of the API, made from the definition that requests are read by. */
import { Context, type JsonSchema, Schema } from "effect"
import { HttpApi, OpenApi } from "effect/http-api"
import { AccessRule } from "../definition/access.ts"
import { Api } from "../definition/Api.ts"
import { retryAfter, retryStatuses } from "../retry-after.ts"

/** Beside what the definition says: by what one may ask, which in it is a rule and no scheme. */
export const describeApi = (): OpenApi.OpenAPISpec => {
  const document = OpenApi.fromApi(Api)
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint: { annotations, method, path, query } }) => {
      const rule = Context.getOrUndefined(annotations, AccessRule)
      const place = document.paths[path.replaceAll(/:(\w+)/g, "{$1}")]
      const operation = place?.[method.toLowerCase() as OpenApi.OpenAPISpecMethodName]
      if (operation === undefined || rule === undefined) throw new Error(`${method} ${path} is not described`)
      const session = { session: [] }
      if (rule.who === "anyone") operation.security = []
      else operation.security = rule.scope === undefined ? [session] : [session, { token: [rule.scope] }]
      if (query !== undefined) describeNumbers(operation, query)
      describeResponses(operation)
      openObjects(operation.responses, document.components.schemas)
    }
  })
  return {
    ...document,
    components: {
      ...document.components,
      securitySchemes: {
        token: {
          type: "http",
          scheme: "bearer",
          description: "A management token, `tg-mgmt-…`, with the scope that is named"
        },
        session: {
          type: "apiKey",
          in: "cookie",
          name: "tollgate.session_token",
          description:
            "Of who is signed in to the dashboard; changes are taken from its own pages alone, by their `origin`, and as `application/json`"
        }
      }
    }
  }
}

/** Numbers of a query are read from text, as which alone they would be described. */
const describeNumbers = (operation: OpenApi.OpenAPISpecOperation, query: Schema.Top): void => {
  const { schema } = Schema.toJsonSchemaDocument(Schema.toType(query))
  const fields = schema["properties"] as Readonly<Record<string, JsonSchema.JsonSchema>>
  for (const parameter of operation.parameters) {
    const field = parameter.in === "query" ? fields[parameter.name] : undefined
    if (field?.["type"] === "integer") Object.assign(parameter, { schema: field })
  }
}

/** Streams are written by hand: none of what the library would tell of their ends is ever sent, and CSV is text. */
const describeResponses = ({ responses }: OpenApi.OpenAPISpecOperation): void => {
  for (const [status, response] of Object.entries(responses)) {
    if (retryStatuses.has(Number(status))) Object.assign(response, { headers: retryAfter })
    for (const [type, media] of Object.entries(response.content ?? {})) {
      delete media["x-effect-stream"]
      if (type === "text/csv") media.schema = { type: "string" }
    }
  }
}

/** Later versions answer with more: what is made from this document must not refuse that. */
const openObjects = (
  described: unknown,
  schemas: OpenApi.OpenAPIComponents["schemas"],
  opened = new Set<unknown>()
): void => {
  if (typeof described !== "object" || described === null || opened.has(described)) return
  opened.add(described)
  const schema = described as JsonSchema.JsonSchema
  if (schema["additionalProperties"] === false) delete schema["additionalProperties"]
  if (typeof schema["$ref"] === "string")
    openObjects(schemas[schema["$ref"].split("/").at(-1)!], schemas, opened)
  for (const inner of Object.values(schema)) openObjects(inner, schemas, opened)
}
