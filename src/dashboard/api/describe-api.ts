/** The OpenAPI document of the API, made from the definition that requests are read by. */
import { Context } from "effect"
import { HttpApi, OpenApi } from "effect/http-api"
import { AccessRule } from "../definition/access.ts"
import { Api } from "../definition/Api.ts"

/** Beside what the definition says: by what one may ask, which in it is a rule and no scheme. */
export const describeApi = (): OpenApi.OpenAPISpec => {
  const document = OpenApi.fromApi(Api)
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint: { annotations, method, path } }) => {
      const rule = Context.getOrUndefined(annotations, AccessRule)
      const place = document.paths[path.replaceAll(/:(\w+)/g, "{$1}")]
      const operation = place?.[method.toLowerCase() as OpenApi.OpenAPISpecMethodName]
      if (operation === undefined || rule === undefined) throw new Error(`${method} ${path} is not described`)
      const session = { session: [] }
      if (rule.who === "anyone") operation.security = []
      else operation.security = rule.scope === undefined ? [session] : [session, { token: [rule.scope] }]
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
          description: "Of who is signed in to the dashboard; changes are taken from its own pages alone"
        }
      }
    }
  }
}
