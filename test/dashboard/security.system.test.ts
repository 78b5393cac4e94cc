/** What every endpoint refuses; the cases are made from the API's definition, so that a new one can not be forgotten. */
import { assert, describe, it } from "@effect/vitest"
import { afterAll, beforeAll } from "vitest"
import { probeConnection } from "../http/probe-connection.ts"
import { sampleCall, writeCalls } from "../browser/sample-data.ts"
import { bodies } from "./bodies.ts"
import { type Endpoint, endpoints } from "./endpoints.ts"
import { startTestDashboard, type TestDashboard } from "./start-dashboard.ts"
import { joinAccount } from "./join-account.ts"
import { accountOf } from "./own-account.ts"
import { signUpOperator, signUpPerson, tellTransfer, TestPerson, testPassword } from "./TestPerson.ts"

const api = "/dashboard/api"
const marker = "lan-private-marker"

let dashboard: TestDashboard
let lan: TestPerson
let minh: TestPerson
/** Lan's own things, by the name of the parameter and the beginning of the path they stand in. */
let belongings: Readonly<Record<string, string>>

beforeAll(async () => {
  dashboard = await startTestDashboard()
  lan = await signUpPerson(dashboard, `${marker}@example.com`, marker)
  minh = await signUpPerson(dashboard, "minh@example.com")
  const key = (await lan.post(`${api}/keys`, { name: marker, rate_limit_per_minute: 0 })).body
  const order = (await lan.post(`${api}/top-ups`, { amount: 123_000 })).body
  const { person } = (await lan.get(`${api}/session`)).body
  const { sessions } = (await lan.get(`${api}/sessions`)).body
  const call = { ...sampleCall(person.account_id, key.id, 1, Date.now()), model: marker }
  await writeCalls(dashboard.databaseUrl, [call])
  await tellTransfer(dashboard, { id: 1, content: marker })
  const token = (
    await lan.post(`${api}/tokens`, {
      name: marker,
      scopes: ["usage:read"],
      expires_at: Date.now() + 86_400_000,
      password: testPassword
    })
  ).body
  await lan.post(`${api}/billing`, { company: marker, tax_code: "0101234567", address: marker, email: "" })
  const paid = (await lan.post(`${api}/top-ups`, { amount: 60_000 })).body
  await tellTransfer(dashboard, { id: 2, content: paid.code, transferAmount: 60_000 })
  const { lines } = (await lan.get(`${api}/statement`)).body
  const hook = { url: `https://${marker}.example/hook`, kinds: ["top_up.credited"] }
  const webhook = (await lan.post(`${api}/alerts/webhooks`, hook)).body
  await lan.post(`${api}/alerts/webhooks/${webhook.id}/test`)
  const [delivery] = (await lan.get(`${api}/alerts/deliveries`)).body.deliveries
  const member = await joinAccount(dashboard, lan, `${marker}-member@example.com`, "member")
  const invited = await lan.post(`${api}/invitations`, { email: `${marker}-2@example.com`, role: "billing" })
  await dashboard.sql`insert into passkeys (id, name, public_key, person_id, credential_id, counter, device_type, backed_up)
    values ('lans-own-passkey', ${marker}, 'a', ${person.account_id}, 'a', 0, 'singleDevice', false)`
  belongings = {
    "/members": await accountOf(member),
    "/memberships": person.account_id,
    "/invitations": invited.body.id,
    "/keys": key.id,
    "/top-ups": order.id,
    "/sessions": sessions[0].id,
    "/alerts/webhooks": webhook.id,
    "/alerts/deliveries": delivery.id,
    "/receipts": lines.find(({ kind }: { kind: string }) => kind === "top_up").id,
    "/tokens": token.id,
    "/passkeys": "lans-own-passkey",
    "/operator/accounts": person.account_id,
    "/operator/transfers": "1",
    "/operator/invoices": "00000000-0000-4000-8000-000000000000",
    secret: key.key,
    token: token.token,
    code: order.code,
    paid: paid.code,
    call: call.callId
  }
})
afterAll(() => dashboard.stop())

const pathOf = (path: string) => {
  const owner = Object.keys(belongings).find((start) => path.startsWith(`${start}/`))
  return `${api}${path.replace(/:\w+/g, owner === undefined ? "unknown" : belongings[owner]!)}`
}

const ask = (person: TestPerson, route: Endpoint, headers?: Record<string, string>) =>
  route.method === "GET"
    ? person.get(pathOf(route.path), headers)
    : person.post(pathOf(route.path), bodies[route.path] ?? {}, headers)

const names = (chosen: ReadonlyArray<Endpoint>) =>
  chosen.map((route) => [`${route.method} ${route.path}`, route] as const)
const personal = endpoints.filter(({ rule }) => rule?.who !== "anyone")
const changing = endpoints.filter(({ method }) => method !== "GET")

describe("every endpoint", () => {
  it("has a rule, and takes a body only of whom it knows", () => {
    for (const { path, rule, takesBody } of endpoints) {
      assert.isDefined(rule, path)
      assert.isFalse(takesBody && rule?.who === "anyone", path)
      if (takesBody) assert.property(bodies, path)
    }
  })

  it.each(names(personal))("%s refuses whoever is not signed in", async (_, route) => {
    assert.strictEqual((await ask(new TestPerson(dashboard), route)).status, 401)
  })

  it.each(names(endpoints.filter(({ rule }) => rule?.who === "operator")))(
    "%s is not there for a customer",
    async (_, route) => {
      assert.strictEqual((await ask(lan, route)).status, 404)
    }
  )

  it.each(names(personal.filter(({ rule }) => rule?.who === "account")))(
    "%s shows a second account nothing of the first",
    async (_, route) => {
      const answer = await ask(minh, route)
      if (route.path.includes("/:")) assert.strictEqual(answer.status, 404)
      for (const secret of [marker, ...Object.values(belongings).filter((value) => value.length > 5)]) {
        assert.notInclude(answer.text, secret)
      }
    }
  )

  it.each(names(changing))("%s refuses other sites, and forms", async (_, route) => {
    const refusals = [
      await ask(lan, route, { origin: "https://evil.example" }),
      await ask(lan, route, { origin: "null" }),
      await ask(lan, route, { origin: "" }),
      await ask(lan, route, { "content-type": "text/plain" }),
      await ask(lan, route, { "content-type": "application/x-www-form-urlencoded" })
    ]
    assert.deepStrictEqual(
      refusals.map(({ status }) => status),
      [403, 403, 403, 415, 415]
    )
  })

  it.each(names(endpoints))("%s is not for other sites' scripts, frames or caches", async (_, route) => {
    const { headers } = await ask(lan, route, { "sec-fetch-site": "cross-site" })
    assert.include(headers.get("content-security-policy") ?? "", "frame-ancestors 'none'")
    assert.strictEqual(headers.get("x-content-type-options"), "nosniff")
    assert.strictEqual(headers.get("cache-control"), "no-store")
    assert.isNull(headers.get("access-control-allow-origin"))
  })
})

describe("after those attempts", () => {
  it("everything of the first account is as it was", async () => {
    const { keys } = (await lan.get(`${api}/keys`)).body
    assert.deepStrictEqual(
      keys.map((key: { id: string; status: string }) => [key.id, key.status]),
      [[belongings["/keys"], "active"]]
    )
    assert.strictEqual((await lan.get(`${api}/top-ups/${belongings["/top-ups"]}`)).body.status, "pending")
    assert.strictEqual((await lan.get(`${api}/tokens`)).body.tokens.at(-1).status, "active")
    assert.strictEqual((await lan.get(`${api}/billing`)).body.details.company, marker)
    const team = (await lan.get(`${api}/members`)).body
    assert.deepStrictEqual(
      [team.members.map(({ role }: { role: string }) => role), team.invitations.length],
      [["owner", "member"], 1]
    )
    assert.strictEqual(
      (await lan.get(`${api}/receipts/${belongings["/receipts"]}`)).body.code,
      belongings["paid"]
    )
    const { calls } = (await lan.get(`${api}/calls`)).body
    assert.deepStrictEqual(
      calls.map((call: { id: string }) => call.id),
      [belongings["call"]]
    )
  })
})

describe("filters", () => {
  it("by another account's key or request id find nothing", async () => {
    for (const query of [
      `key=${belongings["/keys"]}`,
      `request_id=${belongings["call"]}`,
      `model=${marker}`
    ]) {
      assert.deepStrictEqual((await minh.get(`${api}/calls?${query}`)).body.calls, [])
      assert.strictEqual((await minh.get(`${api}/usage?${query}`)).body.total.calls, 0)
      assert.notInclude((await minh.get(`${api}/usage.csv?${query}`)).text, marker)
      assert.notInclude((await minh.get(`${api}/statement.csv?${query}`)).text, marker)
    }
  })

  it.each([
    ["from=abc", "from is not as /api/openapi.json describes it"],
    ["to=-1", "to is not as /api/openapi.json describes it"],
    ["from=99999999&to=1", "from must be before `to`"],
    ["before=' or 1=1|x", "before must be the `next` of an answer"],
    ["request_id=%00", "request_id is not as /api/openapi.json describes it"],
    [`key=${"a".repeat(300)}`, "key is not as /api/openapi.json describes it"]
  ])("that are rubbish are refused: %s", async (query, message) => {
    const answer = await lan.get(`${api}/calls?${query}`)
    assert.deepStrictEqual([answer.status, answer.body], [400, { error: { code: "invalid", message } }])
  })
})

describe("the edge", () => {
  it("refuses whoever does not come through the gateway", async () => {
    for (const path of ["/dashboard", `${api}/models`, "/webhooks/sepay"]) {
      assert.strictEqual((await fetch(`${dashboard.innerUrl}${path}`)).status, 403)
      const guess = { headers: { "x-tollgate-internal": "guess" } }
      assert.strictEqual((await fetch(`${dashboard.innerUrl}${path}`, guess)).status, 403)
    }
  })

  it("takes the next request on the connection of a HEAD", async () => {
    assert.deepStrictEqual(await probeConnection(`${dashboard.innerUrl}/dashboard`, ["HEAD", "GET"]), [
      { status: 403, reused: false },
      { status: 403, reused: true }
    ])
  })

  it("opens of the sign-in library only what the pages use", async () => {
    for (const path of ["get-session", "list-sessions", "ok", "error", "reset-password/abc"]) {
      assert.strictEqual((await lan.get(`${api}/auth/${path}`)).status, 404)
    }
    for (const path of ["update-user", "change-email", "delete-user", "sign-in/social", "revoke-sessions"]) {
      assert.strictEqual((await lan.post(`${api}/auth/${path}`)).status, 404)
    }
  })

  it("refuses sign-in asked for by other sites", async () => {
    const body = { email: "minh@example.com", password: testPassword }
    const foreign = { origin: "https://evil.example" }
    const answer = await new TestPerson(dashboard).post(`${api}/auth/sign-in/email`, body, foreign)
    assert.strictEqual(answer.status, 403)
    assert.isNull(answer.headers.get("set-cookie"))
  })

  it("answers unknown endpoints and wrong methods as such", async () => {
    assert.strictEqual((await lan.get(`${api}/nothing`)).status, 404)
    const wrong = await lan.get(`${api}/keys/key_1/revoke`)
    assert.deepStrictEqual([wrong.status, wrong.headers.get("allow")], [405, "POST"])
    const written = await lan.post(`${api}/openapi.json`)
    assert.deepStrictEqual([written.status, written.headers.get("allow")], [405, "GET, HEAD"])
  })

  it.each([
    "keys/key_1;x/revoke",
    "keys/a;b",
    "operator/transfers/1;x/return",
    "operator/transfers/%E0%A4%A/return",
    "operator/transfers/%/return",
    "operator/transfers/%00/return"
  ])("knows no id as in %s, and says nothing of it in the log", async (path) => {
    const before = dashboard.warnings.length
    for (const person of [lan, new TestPerson(dashboard)])
      assert.strictEqual((await person.post(`${api}/${path}`, {})).status, 404)
    assert.lengthOf(dashboard.warnings, before)
  })

  it("takes nothing of whoever signs up or in but what the pages send", async () => {
    const person = new TestPerson(dashboard)
    const more = {
      image: "javascript:alert(1)",
      emailVerified: true,
      callbackURL: "https://evil.example",
      role: "owner"
    }
    const typed = { email: "them@example.com", name: "Thêm", password: testPassword }
    const answers = [
      await person.post(`${api}/auth/sign-up/email`, { ...typed, ...more }),
      await person.post(`${api}/auth/sign-in/email`, { ...typed, ...more })
    ]
    for (const { status, text } of answers) {
      assert.strictEqual(status, 200)
      assert.notMatch(text, /evil|javascript/)
    }
    const [row] = await dashboard.sql`
      select image, email_verified, staff_role from people join accounts using (id) where people.email = ${typed.email}`
    assert.deepStrictEqual({ ...row }, { image: null, email_verified: false, staff_role: null })
  })

  it("refuses a disabled account at once, whatever session it has", async () => {
    const person = await signUpPerson(dashboard, "khoa@example.com")
    const operator = await signUpOperator(dashboard, "op@example.com")
    const id = await accountOf(person)
    assert.strictEqual(
      (await operator.post(`${api}/operator/accounts/${id}/status`, { status: "disabled" })).status,
      200
    )
    assert.strictEqual((await person.get(`${api}/overview`)).status, 403)
  })

  it("takes the operator's role away at once", async () => {
    const operator = await signUpOperator(dashboard, "op-2@example.com")
    assert.strictEqual((await operator.get(`${api}/operator/audit`)).status, 200)
    await dashboard.sql`update accounts set staff_role = null where email = 'op-2@example.com'`
    assert.strictEqual((await operator.get(`${api}/operator/audit`)).status, 404)
  })
})
