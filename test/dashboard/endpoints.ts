/** Every endpoint of the API, read off its definition. */
import { Context } from "effect"
import { HttpApi } from "effect/http-api"
import { AccessRule, type Rule } from "../../src/dashboard/definition/access.ts"
import { Api } from "../../src/dashboard/definition/Api.ts"

export interface Endpoint {
  readonly method: string
  /** With `:names` for what stands in the path. */
  readonly path: string
  readonly rule: Rule | undefined
  readonly takesBody: boolean
}

export const endpoints: ReadonlyArray<Endpoint> = (() => {
  const found: Array<Endpoint> = []
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint: { annotations, method, path, payload } }) =>
      void found.push({
        method,
        path,
        rule: Context.getOrUndefined(annotations, AccessRule),
        takesBody: payload.size > 0
      })
  })
  return found
})()
