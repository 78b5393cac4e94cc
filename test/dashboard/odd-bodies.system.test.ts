/** Bodies of bytes that are no JSON, of texts that nobody types, or too large: refused with what is wrong, and nothing of them is kept. */
import { assert, describe, it } from "@effect/vitest"
import { afterAll, beforeAll } from "vitest"
import { startTestDashboard, type TestDashboard } from "./start-dashboard.ts"
import { accountOf } from "./own-account.ts"
import { signUpOperator, type TestPerson } from "./TestPerson.ts"

const api = "/dashboard/api"

let dashboard: TestDashboard
let operator: TestPerson
beforeAll(async () => {
  dashboard = await startTestDashboard()
  operator = await signUpOperator(dashboard, "op@example.com")
})
afterAll(() => dashboard.stop())

const send = async (path: string, body: Uint8Array) => {
  const headers = { cookie: operator.cookie, origin: dashboard.url, "content-type": "application/json" }
  const answer = await fetch(`${dashboard.url}${api}${path}`, { method: "POST", headers, body: body.slice() })
  return { status: answer.status, error: ((await answer.json()) as { error: unknown }).error }
}

const refused = (message: string) => ({ status: 400, error: { code: "invalid", message } })
const notJson = refused("What was sent is not JSON, or has NUL or half a character in it")

describe("a body", () => {
  it.each([
    ["is empty", ""],
    ["breaks off", '{"name":"a"'],
    ["goes on", '{"name":"a"}}'],
    ["has NUL", '{"name":"a\\u0000"}'],
    ["has half a character", '{"name":"a\\ud800"}'],
    ["has half a character deep in it", '{"name":"a","models":["\\udc00"]}'],
    ["is nested deeper than anybody reads", "[".repeat(60_000)]
  ])("that %s is refused", async (_, text) => {
    assert.deepStrictEqual(await send("/keys", Buffer.from(text)), notJson)
  })

  it("that is not UTF-8 is not read as other characters", async () => {
    const latin = Buffer.from('{"name":"Nguyễn"}', "latin1")
    assert.deepStrictEqual(await send("/keys", latin), refused("What was sent is not UTF-8"))
  })

  it("with half a character as the name of a credit is the caller's fault, not ours", async () => {
    const id = await accountOf(operator)
    const credit = { amount_vnd: "1000", reason: "a", id: "\ud800".repeat(16) }
    const body = Buffer.from(JSON.stringify(credit))
    assert.deepStrictEqual(await send(`/operator/accounts/${id}/credit`, body), notJson)
  })

  it("leaves nothing behind when it is refused", async () => {
    assert.isEmpty((await operator.get(`${api}/keys`)).body.keys)
    assert.isEmpty(dashboard.warnings)
  })
})

describe("a large body", () => {
  const tooLarge = [413, { error: { code: "too_large" } }]

  it.each(["keys", "operator/price-changes"])("is refused over 256 KiB for %s", async (path) => {
    const { body, status } = await operator.post(`${api}/${path}`, { name: "a".repeat(262_144) })
    assert.deepStrictEqual([status, body], tooLarge)
  })

  it.each([`${api}/keys`, "/api/keys", `${api}/auth/sign-in/email`, "/webhooks/sepay"])(
    "is refused over 64 KiB for %s, since every value is looked at",
    async (path) => {
      const bodyOf = (bytes: number) => `{"a": [0${",0".repeat((bytes - 10) / 2)}]}`
      const sent = await operator.post(path, bodyOf(65_536))
      assert.notInclude([200, 404, 413, 503], sent.status)
      const { body, status } = await operator.post(path, bodyOf(65_538))
      assert.deepStrictEqual([status, body], tooLarge)
    }
  )

  it("of 500 prices is taken, with the longest names of models", async () => {
    const model = (place: number) => `m${place}`.padEnd(200, "m")
    const price = {
      former_vnd: 1_000,
      price_vnd: 1_000,
      margin_percent: "12.34",
      next_margin_percent: "12.34"
    }
    const changes = Array.from({ length: 500 }, (_, place) => ({ model: model(place), ...price }))
    const answer = await operator.post(`${api}/operator/price-changes`, { changes, from: null })
    assert.deepStrictEqual([answer.status, answer.body.error.code], [404, "not_found"])
  })
})

describe("news from a bank that anybody can send", () => {
  it("is told in the log some times, not each time", async () => {
    const before = dashboard.warnings.length
    const forged = () => operator.post("/webhooks/sepay", { id: 1 }, { "x-sepay-signature": "sha256=00" })
    const statuses = await Promise.all(Array.from({ length: 30 }, async () => (await forged()).status))
    assert.deepStrictEqual(new Set(statuses), new Set([401]))
    const refused = dashboard.warnings
      .slice(before)
      .filter((each) => each.startsWith("Webhook of sepay refused"))
    assert.isAbove(refused.length, 0)
    assert.isAtMost(refused.length, 20)
  })
})
