/** What the API's document says of each field that somebody gives is what is taken, and what is beyond is refused. */
import { assert, describe, it } from "@effect/vitest"
import { afterAll, beforeAll } from "vitest"
import { describeApi } from "../../src/dashboard/api/describe-api.ts"
import { beyond, type Described, within } from "./around-bounds.ts"
import { bodies } from "./bodies.ts"
import { endpoints } from "./endpoints.ts"
import { startTestDashboard, type TestDashboard } from "./start-dashboard.ts"
import { accountOf } from "./own-account.ts"
import { signUpOperator, signUpPerson, type TestPerson } from "./TestPerson.ts"

const api = "/dashboard/api"
const document = describeApi()

type Fields = Readonly<Record<string, Described>>

const schemaOf = (schema: { readonly $ref?: string; readonly properties?: Fields } | undefined): Fields => {
  const name = schema?.$ref?.split("/").at(-1)
  const whole = name === undefined ? schema : document.components.schemas[name]
  return (whole?.["properties"] ?? {}) as Fields
}

const operationOf = (method: "get" | "post", path: string) =>
  document.paths[path.replaceAll(/:(\w+)/g, "{$1}")]![method]!

const bodyOf = (path: string): Fields =>
  schemaOf(operationOf("post", path).requestBody?.content["application/json"]?.schema as never)

const queryOf = (path: string): Fields =>
  Object.fromEntries(
    operationOf("get", path)
      .parameters.filter((parameter) => parameter.in === "query")
      .map(({ name, schema }) => [name, schema as Described])
  )

let dashboard: TestDashboard
let operator: TestPerson
/** An added route, which alone can be changed. */
let added: object
let ids: ReadonlyArray<readonly [start: string, id: string]>

beforeAll(async () => {
  dashboard = await startTestDashboard({ environment: { ANTHROPIC_API_KEY: "a" } })
  operator = await signUpOperator(dashboard, "op@example.com")
  const customer = await signUpPerson(dashboard, "lan@example.com")
  const key = await operator.post(`${api}/keys`, { name: "a" })
  const webhook = await operator.post(`${api}/alerts/webhooks`, { url: "https://example.com/a", kinds: [] })
  const route = await operator.post(`${api}/operator/routes`, bodies["/operator/routes"])
  added = { route: route.body.id }
  ids = [
    ["/keys/", key.body.id],
    ["/alerts/webhooks/", webhook.body.id],
    ["/members/", await accountOf(operator)],
    ["/operator/accounts/", await accountOf(customer)],
    ["/person/sign-ins/", "google"]
  ]
})
afterAll(() => dashboard.stop())

const placeOf = (path: string): string => {
  const [, id = "1"] = ids.find(([start]) => path.startsWith(start)) ?? []
  return api + path.replaceAll(/:\w+/g, id)
}

const bodyWith = (path: string, name: string, value: unknown) => ({
  ...(bodies[path] as object),
  ...(path === "/operator/routes/change" && added),
  [name]: value
})

const posts = endpoints.filter(({ takesBody }) => takesBody).map(({ path }) => path)
const gets = endpoints
  .filter(({ method, path }) => method === "GET" && Object.keys(queryOf(path)).length > 0)
  .map(({ path }) => path)

/** Their form is more than a length, they must lie ahead, or they need another one beside them. */
const formed = new Set([
  "budget_period",
  "url",
  "base_url",
  "email",
  "account",
  "token",
  "expires_at",
  "from",
  "until"
])

describe("the document's bounds", () => {
  it.each(posts)("of what POST %s takes are kept", async (path) => {
    const fields = Object.entries(bodyOf(path))
    assert.isNotEmpty(fields)
    for (const [name, field] of fields) {
      for (const value of beyond(field)) {
        const answer = await operator.post(placeOf(path), bodyWith(path, name, value))
        assert.strictEqual(answer.status, 400, `${name}: ${JSON.stringify(value)} ${answer.text}`)
      }
      for (const value of formed.has(name) ? [] : within(field)) {
        const answer = await operator.post(placeOf(path), bodyWith(path, name, value))
        assert.notInclude([400, 503], answer.status, `${name}: ${JSON.stringify(value)} ${answer.text}`)
      }
    }
  })

  it.each(gets)("of what GET %s is asked with are kept", async (path) => {
    for (const [name, field] of Object.entries(queryOf(path))) {
      for (const value of beyond(field).filter(
        (each) => typeof each !== typeof 1 || field.type !== "string"
      )) {
        if (value === "" || value === "1") continue
        const answer = await operator.get(`${placeOf(path)}?${name}=${encodeURIComponent(String(value))}`)
        assert.strictEqual(answer.status, 400, `${name}=${String(value)}`)
      }
    }
  })
})
