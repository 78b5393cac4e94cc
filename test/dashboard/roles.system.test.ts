/** What each role in the staff may do; the cases are made from the API's definition, so that a new endpoint is tried too. */
import { assert, describe, it } from "@effect/vitest"
import { afterAll, beforeAll } from "vitest"
import { mayHaveScope, operatorScopes, type Scope } from "../../src/domain/management-scopes.ts"
import { type Duty, mayDo, type StaffRole, staffRoles } from "../../src/domain/staff-roles.ts"
import { bodies } from "./bodies.ts"
import { type Endpoint, endpoints } from "./endpoints.ts"
import { startTestDashboard, type TestDashboard } from "./start-dashboard.ts"
import { accountOf, personOf } from "./own-account.ts"
import { signUpOperator, signUpPerson, type TestPerson, testPassword } from "./TestPerson.ts"

const api = "/dashboard/api"

let dashboard: TestDashboard
const people = new Map<StaffRole, TestPerson>()
const tokens = new Map<StaffRole, string>()
/** Their tokens were made when they were owners: a scope is no role. */
const formerTokens = new Map<StaffRole, string>()
let customerId: string
let ownerId: string

beforeAll(async () => {
  dashboard = await startTestDashboard()
  const customer = await signUpPerson(dashboard, "lan@example.com")
  customerId = await accountOf(customer)
  for (const role of staffRoles) {
    const email = `${role}@example.com`
    const person = await signUpOperator(dashboard, email)
    people.set(role, person)
    formerTokens.set(role, await makeToken(person, operatorScopes))
    await dashboard.sql`update accounts set staff_role = ${role} where email = ${email}`
    tokens.set(
      role,
      await makeToken(
        person,
        operatorScopes.filter((scope) => mayHaveScope(role, scope))
      )
    )
  }
  ownerId = await accountOf(people.get("owner")!)
})
afterAll(() => dashboard.stop())

const askForToken = (person: TestPerson, scopes: ReadonlyArray<Scope>) =>
  person.post(`${api}/tokens`, {
    name: "CI",
    scopes,
    expires_at: Date.now() + 86_400_000,
    password: testPassword
  })

const makeToken = async (person: TestPerson, scopes: ReadonlyArray<Scope>): Promise<string> => {
  const made = await askForToken(person, scopes)
  if (made.status !== 201) throw new Error(made.text)
  return made.body.token
}

/** Of things that there are none of, so that nothing is changed and a refusal is the rule's. */
const pathOf = ({ path }: Endpoint) => path.replace(/:\w+/g, "987654321")

const ask = (person: TestPerson, endpoint: Endpoint) =>
  endpoint.method === "GET"
    ? person.get(`${api}${pathOf(endpoint)}`)
    : person.post(`${api}${pathOf(endpoint)}`, bodies[endpoint.path] ?? {})

const askByToken = (token: string, endpoint: Endpoint) =>
  fetch(`${dashboard.url}/api${pathOf(endpoint)}`, {
    method: endpoint.method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(endpoint.method === "POST" && { body: JSON.stringify(bodies[endpoint.path] ?? {}) })
  })

const cases = endpoints.flatMap((endpoint) => {
  const { rule } = endpoint
  return rule?.who !== "operator"
    ? []
    : staffRoles.map(
        (role) =>
          [
            `${endpoint.method} ${endpoint.path}`,
            role,
            { endpoint, isAllowed: mayDo(role, rule.duty) }
          ] as const
      )
})

const refused = { error: { code: "out_of_role" } }

describe("an operator's endpoint", () => {
  it.each(cases)("%s answers %s exactly where their role has its duty", async (_, role, asked) => {
    const { endpoint, isAllowed } = asked
    const answer = await ask(people.get(role)!, endpoint)
    if (isAllowed) assert.notInclude([401, 403, 500], answer.status, answer.text)
    else assert.deepStrictEqual([answer.status, answer.body], [403, refused])
  })

  it.each(cases)(
    "%s answers a token of %s where they are answered and it has the scope",
    async (_, role, asked) => {
      const { endpoint, isAllowed } = asked
      const { scope } = endpoint.rule as { readonly scope: Scope | undefined }
      for (const token of [tokens.get(role)!, formerTokens.get(role)!]) {
        const answer = await askByToken(token, endpoint)
        const text = await answer.text()
        if (isAllowed && scope !== undefined) assert.notInclude([401, 403, 500], answer.status, text)
        else
          assert.deepStrictEqual([answer.status, JSON.parse(text)], [403, isAllowed ? outOfScope : refused])
      }
    }
  )

  const outOfScope = { error: { code: "out_of_scope" } }

  const duties: ReadonlyArray<readonly [string, Duty]> = [
    ["GET /operator/accounts/:id", "look"],
    ["GET /operator/audit", "look"],
    ["GET /operator/exchange-rates", "money"],
    ["GET /operator/margin", "money"],
    ["GET /operator/margin.csv", "money"],
    ["GET /operator/purchase-prices", "money"],
    ["POST /operator/accounts/:id/credit", "money"],
    ["POST /operator/accounts/:id/keys/:key/pause", "help"],
    ["POST /operator/accounts/:id/keys/:key/revoke", "help"],
    ["POST /operator/accounts/:id/notes", "help"],
    ["POST /operator/accounts/:id/reset-link", "help"],
    ["POST /operator/accounts/:id/role", "run"],
    ["POST /operator/accounts/:id/status", "run"],
    ["POST /operator/invoices/:id/retry", "money"],
    ["POST /operator/maintenance", "run"],
    ["POST /operator/models", "money"],
    ["POST /operator/notice", "run"],
    ["POST /operator/transfers/:id/assign", "money"],
    ["POST /operator/transfers/:id/take-back", "money"]
  ]
  it.each(duties)("%s is %s", (name, duty) => {
    const found = endpoints.find(({ method, path }) => `${method} ${path}` === name)
    assert.propertyVal(found?.rule, "duty", duty)
  })

  it("that changes something is nobody's who is there to look", () => {
    for (const { method, path, rule } of endpoints)
      if (rule?.who === "operator" && method !== "GET") assert.notStrictEqual(rule.duty, "look", path)
  })
})

describe("roles", () => {
  it.each([
    ["support", "finance"],
    ["finance", "support"]
  ] as const)("of %s can do something that those of %s can not", (one, other) => {
    const duties: ReadonlyArray<Duty> = ["look", "help", "money", "run"]
    assert.isTrue(duties.some((duty) => mayDo(one, duty) && !mayDo(other, duty)))
    assert.isTrue(duties.every((duty) => mayDo("owner", duty) && !mayDo(undefined, duty)))
  })

  it.each(staffRoles)("let %s make tokens of what they may do at all", async (role) => {
    const answer = await askForToken(people.get(role)!, ["operator:money"])
    assert.strictEqual(answer.status, mayDo(role, "money") ? 201 : 400)
  })

  it("let support open the way in for customers, not for staff", async () => {
    const support = people.get("support")!
    const link = (id: string) => support.post(`${api}/operator/accounts/${id}/reset-link`)
    assert.strictEqual((await link(customerId)).status, 200)
    const answer = await link(ownerId)
    assert.deepStrictEqual([answer.status, answer.body], [403, refused])
  })

  it("let nobody in who has a link from when it was a customer's", async () => {
    const owner = people.get("owner")!
    const thu = await signUpPerson(dashboard, "thu@example.com")
    const id = await accountOf(thu)
    const { link } = (await people.get("support")!.post(`${api}/operator/accounts/${id}/reset-link`)).body
    assert.strictEqual(
      (await owner.post(`${api}/operator/accounts/${id}/role`, { role: "finance" })).status,
      200
    )
    const token = new URL(link).searchParams.get("token")
    const answer = await people
      .get("support")!
      .post(`${api}/auth/reset-password`, { token, newPassword: "another password" })
    assert.strictEqual(answer.status, 400)
    assert.strictEqual((await thu.signIn("thu@example.com")).status, 200)
  })
})

describe("giving a role", () => {
  const give = (person: TestPerson, id: string, role: StaffRole | null) =>
    person.post(`${api}/operator/accounts/${id}/role`, { role })
  const audit = () => dashboard.sql`
    select actor, subject, detail from audit_log where action = 'account.role' order by id desc`

  it("counts with the next request, is written down, and is taken the same way", async () => {
    const owner = people.get("owner")!
    const hoa = await signUpPerson(dashboard, "hoa@example.com")
    const id = await accountOf(hoa)
    assert.strictEqual((await give(owner, id, "finance")).status, 200)
    assert.strictEqual((await personOf(hoa)).role, "finance")
    assert.strictEqual((await hoa.get(`${api}/operator/transfers`)).status, 200)
    assert.strictEqual((await give(owner, id, null)).status, 200)
    assert.strictEqual((await hoa.get(`${api}/operator/transfers`)).status, 404)
    assert.deepStrictEqual([...(await audit())].slice(0, 2), [
      { actor: ownerId, subject: id, detail: { role: null, former_role: "finance" } },
      { actor: ownerId, subject: id, detail: { role: "finance", former_role: null } }
    ])
  })

  it("leaves the last owner who can sign in, also when two take it from each other", async () => {
    const owner = people.get("owner")!
    const last = await give(owner, ownerId, "support")
    assert.deepStrictEqual([last.status, last.body], [409, { error: { code: "last_owner" } }])
    const second = await signUpOperator(dashboard, "owner-2@example.com")
    const secondId = await accountOf(second)
    await dashboard.sql`update accounts set status = 'disabled' where id = ${secondId}`
    assert.strictEqual((await give(owner, ownerId, null)).status, 409)
    await dashboard.sql`update accounts set status = 'active' where id = ${secondId}`
    const answers = await Promise.all([give(owner, secondId, null), give(second, ownerId, null)])
    const left = await dashboard.sql`select id from accounts where staff_role = 'owner' and status = 'active'`
    assert.lengthOf(left, 1)
    assert.include(
      answers.map(({ status }) => status),
      200
    )
  })
})

describe("the last owner who can sign in", () => {
  const owners = async () => {
    await dashboard.sql`update accounts set staff_role = null`
    const made = []
    for (const _ of [1, 2]) {
      const person = await signUpOperator(dashboard, `owner-${crypto.randomUUID()}@example.com`)
      const id = await accountOf(person)
      made.push({ id, person })
    }
    return made as [(typeof made)[0], (typeof made)[0]]
  }
  const left = async () =>
    (await dashboard.sql`select id from accounts where staff_role = 'owner' and status = 'active'`).length
  const disable = (person: TestPerson, id: string) =>
    person.post(`${api}/operator/accounts/${id}/status`, { status: "disabled" })
  const demote = (person: TestPerson, id: string) =>
    person.post(`${api}/operator/accounts/${id}/role`, { role: "finance" })
  const close = (person: TestPerson) => person.post(`${api}/person/close`, { password: testPassword })

  type Step = (one: { id: string; person: TestPerson }, other: { id: string }) => ReturnType<typeof disable>
  const ways: ReadonlyArray<readonly [string, Step]> = [
    ["disables the other", ({ person }, { id }) => disable(person, id)],
    ["takes the other's role", ({ person }, { id }) => demote(person, id)],
    ["closes their own account", ({ person }) => close(person)]
  ]
  const pairs = ways.flatMap(([one, first]) =>
    ways.map(([other, second]) => [one, other, first, second] as const)
  )
  it.each(pairs)("stays where one %s and the other %s at once", async (_, __, first, second) => {
    for (let round = 0; round < 3; round++) {
      const [one, other] = await owners()
      const answers = await Promise.all([first(one, other), second(other, one)])
      // What both would have done to the same one may be done by both.
      assert.isAtLeast(await left(), 1)
      for (const { body, status } of answers)
        if (status !== 200)
          assert.include(["last_owner", "account_disabled", "out_of_role", "signed_out"], body.error.code)
    }
  })

  it("is not disabled by a token of somebody who was an owner when asking", async () => {
    const [one, other] = await owners()
    const token = await makeToken(one.person, ["operator:write"])
    const ask = (id: string, status: string) =>
      fetch(`${dashboard.url}/api/operator/accounts/${id}/status`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify({ status })
      })
    assert.strictEqual((await ask(other.id, "disabled")).status, 200)
    assert.strictEqual(await left(), 1)
    assert.deepStrictEqual(await (await ask(one.id, "disabled")).json(), { error: { code: "own_account" } })
    assert.strictEqual((await ask(other.id, "active")).status, 200)
    assert.strictEqual(await left(), 2)
  })

  it("is not whoever has no way in", async () => {
    const [one, other] = await owners()
    await dashboard.sql`delete from credentials where person_id = ${other.id}`
    const answer = await demote(one.person, one.id)
    assert.deepStrictEqual([answer.status, answer.body], [409, { error: { code: "last_owner" } }])
  })
})
