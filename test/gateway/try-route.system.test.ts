/** An operator's test of one route: a real call by way of it alone, which nobody pays. */
import { assert } from "@effect/vitest"
import { afterAll, beforeAll, describe, it } from "vitest"
import { setRouteSetting } from "../../src/accounts/routes.ts"
import { signUpOperator, type TestPerson } from "../dashboard/TestPerson.ts"
import { answerWell, type NamedProvider, startNamedProvider } from "./named-provider.ts"
import { startGateway, type TestGateway } from "./start-gateway.ts"

const key = "sk-secret-of-the-provider"

let provider: NamedProvider
let gateway: TestGateway
let operator: TestPerson
beforeAll(async () => {
  provider = await startNamedProvider()
  gateway = await startGateway({
    env: { DASHBOARD: "on" },
    routes: { anthropic: [{ base_url: provider.url, api_key: key }, { base_url: "http://127.0.0.1:9" }] }
  })
  operator = await gateway.sql((sql) => signUpOperator({ url: gateway.url, sql }, "op@example.com"))
})
afterAll(async () => {
  await gateway?.stop()
  provider.close()
})

const test = async (route: string) =>
  (await operator.post("/dashboard/api/operator/routes/test", { route })).body

describe("a test of a route", () => {
  it("is a small call that the provider takes as any other, and shows how soon it answered", async () => {
    const tried = await test("anthropic#0")
    assert.deepInclude(tried, { status: 200, fault: null, message: null })
    assert.isNumber(tried["first_byte_ms"])
    const sent = JSON.parse(provider.lastBody())
    assert.deepInclude(sent, { max_tokens: 16, stream: true })
    assert.strictEqual(provider.lastHeaders()["x-api-key"], key)
    assert.isEmpty(await gateway.sql((sql) => sql`select id from calls`))
  })

  it("goes by a paused route, and by no other", async () => {
    await gateway.run(setRouteSetting("anthropic#0", { isPaused: true, weight: undefined }, "test"))
    provider.takeCount()
    assert.deepInclude(await test("anthropic#0"), { status: 200 })
    assert.strictEqual(provider.takeCount(), 1)
    const refused = await test("anthropic#1")
    assert.deepInclude(refused, { status: null, fault: "connect" })
    assert.strictEqual(provider.takeCount(), 0)
  })

  it("tells what the provider says of an error, but not the key", async () => {
    provider.answer = (response) => {
      response.writeHead(401, { "content-type": "application/json" })
      response.end(
        JSON.stringify({
          error: { type: "authentication_error", message: `no such key: ${key} ` + "x".repeat(900) }
        })
      )
    }
    const tried = await test("anthropic#0")
    assert.strictEqual(tried["status"], 401)
    assert.include(String(tried["message"]), "no such key")
    assert.notInclude(JSON.stringify(tried), key)
    assert.isAtMost(String(tried["message"]).length, 300)
    provider.answer = answerWell
  })

  it("tells of an answer that breaks off", async () => {
    provider.answer = (response) => {
      response.writeHead(200, { "content-type": "text/event-stream", "content-length": "100" })
      response.write("event: ping\n\n", () => response.destroy())
    }
    assert.deepInclude(await test("anthropic#0"), { status: 200, fault: "broken" })
    provider.answer = answerWell
  })

  it("leaves no key in the log", () => {
    assert.notInclude(gateway.output, key)
  })
})
