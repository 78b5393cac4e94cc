/** Management tokens: what each opens is generated from the API's definition, so that a new endpoint is tried too. */
import { assert, describe, it } from "@effect/vitest"
import { afterAll, beforeAll } from "vitest"
import { managementScopes, operatorScopes, type Scope } from "../../src/domain/management-scopes.ts"
import { bodies } from "./bodies.ts"
import { type Endpoint, endpoints } from "./endpoints.ts"
import { startTestDashboard, type TestDashboard } from "./start-dashboard.ts"
import { signUpOperator, signUpPerson, type TestPerson, testPassword } from "./TestPerson.ts"

const dayMs = 86_400_000
const secretForm = /^tg-mgmt-[0-9A-Za-z]{40}$/

let dashboard: TestDashboard
let lan: TestPerson
let operator: TestPerson
let secondOperator: TestPerson
let formerToken: string
beforeAll(async () => {
  dashboard = await startTestDashboard()
  lan = await signUpPerson(dashboard, "lan@example.com")
  operator = await signUpOperator(dashboard, "op@example.com")
  secondOperator = await signUpOperator(dashboard, "op-2@example.com")
  const former = await signUpOperator(dashboard, "former@example.com")
  formerToken = (await makeToken(former, operatorScopes)).token
  await dashboard.sql`update accounts set staff_role = null where email = 'former@example.com'`
})
afterAll(() => dashboard.stop())

const create = (person: TestPerson, scopes: ReadonlyArray<Scope>, more: object = {}) =>
  person.post("/dashboard/api/tokens", {
    name: "CI",
    scopes,
    expires_at: Date.now() + dayMs,
    password: testPassword,
    ...more
  })

const makeToken = async (person: TestPerson, scopes: ReadonlyArray<Scope>) => {
  const made = await create(person, scopes)
  if (made.status !== 201) throw new Error(made.text)
  return made.body as { readonly id: string; readonly token: string }
}

const made = new Map<string, Promise<{ readonly token: string }>>()

/** One for all that ask for the same scopes: a password takes its time. */
const operatorToken = async (scopes: ReadonlyArray<Scope>) => {
  const name = scopes.join(" ")
  // One person may have twenty.
  const asked = made.get(name) ?? makeToken(scopes.length === 1 ? operator : secondOperator, scopes)
  made.set(name, asked)
  return (await asked).token
}

/** As a program does: no cookie, no origin. */
const ask = async (
  token: string,
  { method, path }: Pick<Endpoint, "method" | "path">,
  headers: Record<string, string> = {}
) => {
  const response = await fetch(`${dashboard.url}/api${path.replace(/:\w+/g, "1")}`, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...headers },
    ...(method === "POST" && { body: JSON.stringify(bodies[path] ?? {}) })
  })
  const text = await response.text()
  return { status: response.status, text }
}

const code = (code: string) => JSON.stringify({ error: { code } })
const named = (chosen: ReadonlyArray<Endpoint>) =>
  chosen.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const)
const ruled = endpoints.flatMap((endpoint) => {
  const { rule } = endpoint
  return rule === undefined || rule.who === "anyone" ? [] : [{ ...endpoint, rule }]
})
const scoped = ruled.filter(({ rule }) => rule.scope !== undefined)

describe("a token", () => {
  it.each(named(ruled))("%s is closed to one that has every other scope", async (_, endpoint) => {
    const { rule } = endpoint
    const needed = rule === undefined || rule.who === "anyone" ? undefined : rule.scope
    const others = managementScopes.filter((scope) => scope !== needed)
    const token = await operatorToken(others)
    assert.deepStrictEqual(await ask(token, endpoint), { status: 403, text: code("out_of_scope") })
  })

  it.each(named(scoped))("%s is open to one with its scope", async (_, endpoint) => {
    const { rule } = endpoint
    const scope = rule === undefined || rule.who === "anyone" ? undefined : rule.scope
    const answer = await ask(await operatorToken([scope!]), endpoint)
    assert.notInclude([401, 403, 415, 503], answer.status, answer.text)
  })

  it.each(named(ruled.filter(({ rule }) => rule.who === "operator")))(
    "%s is not there for one whose account is no operator's any more",
    async (_, endpoint) => {
      assert.deepStrictEqual(await ask(formerToken, endpoint), { status: 404, text: code("not_found") })
    }
  )

  it("acts for its own account alone, and says so in the audit log", async () => {
    const { id: tokenId, token } = await makeToken(lan, ["keys:read", "keys:write"])
    const foreign = (await operator.post("/dashboard/api/keys", { name: "op", rate_limit_per_minute: 0 }))
      .body
    const revoked = await ask(token, { method: "POST", path: `/keys/${foreign.id}/revoke` })
    assert.strictEqual(revoked.status, 404)
    const listed = await ask(token, { method: "GET", path: "/keys" })
    assert.notInclude(listed.text, foreign.id)
    assert.strictEqual((await ask(token, { method: "POST", path: "/keys" })).status, 201)
    const { entries } = (await operator.get("/dashboard/api/operator/audit")).body
    assert.deepStrictEqual([entries[0].action, entries[0].actor], ["key.create", "lan@example.com · CI"])
    const rows = await dashboard.sql`select actor from audit_log order by id desc limit 1`
    assert.deepStrictEqual([...rows], [{ actor: tokenId }])
  })

  it("rotates a key without the password that only people have, and can not give one", async () => {
    const { token } = await makeToken(lan, ["keys:write"])
    const key = (await lan.post("/dashboard/api/keys", { name: "r", rate_limit_per_minute: 0 })).body
    const rotate = (body: object) =>
      fetch(`${dashboard.url}/api/keys/${key.id}/rotate`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify(body)
      })
    assert.strictEqual((await rotate({ overlap_days: 0 })).status, 200)
    const path = `/dashboard/api/keys/${key.id}/rotate`
    assert.strictEqual((await lan.post(path, { overlap_days: 0 })).status, 400)
  })

  it("counts instead of cookies, whosever they are", async () => {
    const { token } = await makeToken(lan, ["usage:read"])
    const path = "/operator/service"
    const answer = await ask(token, { method: "GET", path }, { cookie: operator.cookie })
    assert.strictEqual(answer.status, 404)
    const unknown = await ask("tg-mgmt-x", { method: "GET", path }, { cookie: operator.cookie })
    assert.strictEqual(unknown.status, 401)
  })

  it.each(["", "x", "sk-tg-", `tg-mgmt-${"0".repeat(40)}`, `tg-mgmt-${"0".repeat(41)}`])(
    "that is none opens nothing: %s",
    async (token) => {
      assert.strictEqual((await ask(token, { method: "GET", path: "/keys" })).status, 401)
    }
  )

  it("sends JSON or nothing", async () => {
    const { token } = await makeToken(lan, ["keys:write"])
    const plain = { "content-type": "text/plain" }
    const answer = await ask(token, { method: "POST", path: "/keys" }, plain)
    assert.deepStrictEqual(answer, { status: 415, text: code("not_json") })
  })

  it("is closed to keys of the gateway", async () => {
    const { key } = (await lan.post("/dashboard/api/keys", { name: "k", rate_limit_per_minute: 0 })).body
    assert.strictEqual((await ask(key, { method: "GET", path: "/keys" })).status, 401)
  })

  it("ends by itself, with its account, and as soon as it is revoked", async () => {
    const person = await signUpPerson(dashboard, "end@example.com")
    const path = { method: "GET", path: "/overview" }
    const { id, token } = await makeToken(person, ["usage:read"])
    assert.strictEqual((await ask(token, path)).status, 200)
    await dashboard.sql`update accounts set status = 'disabled' where email = 'end@example.com'`
    assert.strictEqual((await ask(token, path)).status, 403)
    await dashboard.sql`update accounts set status = 'active' where email = 'end@example.com'`
    const other = await makeToken(person, ["usage:read"])
    assert.strictEqual((await person.post(`/dashboard/api/tokens/${other.id}/revoke`)).status, 200)
    assert.strictEqual((await ask(other.token, path)).status, 401)
    await dashboard.sql`update management_tokens set expires_at = now() where id = ${id}`
    assert.strictEqual((await ask(token, path)).status, 401)
    const { tokens } = (await person.get("/dashboard/api/tokens")).body
    assert.deepStrictEqual(
      tokens.map((entry: { status: string; last_used_at: number | null }) => [
        entry.status,
        entry.last_used_at !== null
      ]),
      [
        ["revoked", false],
        ["expired", true]
      ]
    )
  })
})

describe("making a token", () => {
  it("answers with a secret of which nothing is stored but its hash", async () => {
    const { id, token } = await makeToken(lan, ["usage:read"])
    assert.match(token, secretForm)
    const [row] = await dashboard.sql`select * from management_tokens where id = ${id}`
    assert.notInclude(JSON.stringify(row), token.slice(12, -4))
    const listed = await lan.get("/dashboard/api/tokens")
    assert.notInclude(listed.text, token)
    assert.strictEqual(listed.body.tokens[0].hint, `${token.slice(0, 10)}…${token.slice(-4)}`)
    const rows = await dashboard.sql`select detail from audit_log where subject = ${id}`
    assert.lengthOf(rows, 1)
    assert.notInclude(JSON.stringify(rows), token.slice(12, -4))
  })

  it("asks for the password", async () => {
    assert.strictEqual((await create(lan, ["usage:read"], { password: "wrong password" })).status, 403)
  })

  it.each([
    ["no scope", [], {}, /^The scopes /],
    ["scopes of operators for a customer", ["operator:read"], {}, /^The scopes /],
    ["no name", ["usage:read"], { name: " " }, /^The name /],
    ["an end that was", ["usage:read"], { expires_at: Date.now() - 1 }, /^The end /],
    ["an end too far away", ["usage:read"], { expires_at: Date.now() + 400 * dayMs }, /^The end /],
    ["an end beyond all time", ["usage:read"], { expires_at: 9e15 }, /^(The end|expires_at) /]
  ] as ReadonlyArray<readonly [string, ReadonlyArray<Scope>, object, RegExp]>)(
    "refuses %s",
    async (_, scopes, more, said) => {
      const answer = await create(lan, scopes, more)
      const { message, ...error } = answer.body.error
      assert.deepStrictEqual([answer.status, error], [400, { code: "invalid" }])
      assert.match(message, said)
    }
  )

  it("stops at twenty, also when they are asked for at the same time", async () => {
    const person = await signUpPerson(dashboard, "many@example.com")
    await makeToken(person, ["usage:read"])
    await dashboard.sql`
      insert into management_tokens (id, account_id, name, secret_hash, hint, scopes, expires_at)
      select id || n, account_id, name, secret_hash || n::text::bytea, hint, scopes, expires_at
      from management_tokens, generate_series(1, 17) as n
      where account_id = (select id from accounts where email = 'many@example.com')`
    const answers = await Promise.all(Array.from({ length: 5 }, () => create(person, ["usage:read"])))
    assert.deepStrictEqual(
      answers.map(({ status, text }) => (status === 201 ? "made" : text)).sort(),
      ["made", "made", ...Array.from({ length: 3 }, () => code("too_many_tokens"))].sort()
    )
  })
})

describe("where limits hold", () => {
  it("an address guesses so often a minute, and a good token from it still asks its 600 times", async () => {
    const limited = await startTestDashboard({ limited: true, databaseUrl: dashboard.databaseUrl })
    try {
      const { token } = await makeToken(lan, ["usage:read"])
      const statusOf = async (secret: string) => {
        const headers = { authorization: `Bearer ${secret}` }
        const { status } = await fetch(`${limited.url}/api/keys`, { headers })
        return status
      }
      for (let guess = 0; guess < 60; guess++) assert.strictEqual(await statusOf("guess"), 401)
      assert.strictEqual(await statusOf("guess"), 429)
      const statuses = await Promise.all(Array.from({ length: 601 }, () => statusOf(token)))
      assert.lengthOf(
        statuses.filter((status) => status === 403),
        600
      )
      assert.include(statuses, 429)
    } finally {
      await limited.stop()
    }
  })
})
