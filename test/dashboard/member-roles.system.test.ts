/** What each role may do in an account; the cases are made from the API's definition: no role can do what only another may. */
import { assert, describe, it } from "@effect/vitest"
import { afterAll, beforeAll } from "vitest"
import { accountScopes } from "../../src/domain/management-scopes.ts"
import { type MemberRole, memberRoles } from "../../src/domain/member-roles.ts"
import { bodies } from "./bodies.ts"
import { type Endpoint, endpoints } from "./endpoints.ts"
import { actingFor, joinAccount } from "./join-account.ts"
import { startTestDashboard, type TestDashboard } from "./start-dashboard.ts"
import { accountOf } from "./own-account.ts"
import { type Answer, signUpPerson, type TestPerson, testPassword } from "./TestPerson.ts"

const api = "/dashboard/api"

let dashboard: TestDashboard
let lan: TestPerson
let account: string
let stranger: TestPerson
let guest: TestPerson
const people = new Map<MemberRole, TestPerson>()
const tokens = new Map<MemberRole, string>()

beforeAll(async () => {
  dashboard = await startTestDashboard()
  lan = await signUpPerson(dashboard, "lan@example.com")
  account = await accountOf(lan)
  stranger = await signUpPerson(dashboard, "stranger@example.com")
  guest = await signUpPerson(dashboard, "guest@example.com")
  for (const role of memberRoles) {
    const person = await joinAccount(dashboard, lan, `${role}@example.com`, role)
    people.set(role, person)
    const body = {
      name: role,
      scopes: accountScopes,
      expires_at: Date.now() + 86_400_000,
      password: testPassword
    }
    tokens.set(role, (await person.post(`${api}/tokens`, body, actingFor(account))).body.token)
  }
})
afterAll(() => dashboard.stop())

/** Of nothing that is there, so that everything stays as it is. */
const pathOf = ({ path }: Endpoint) => `${api}${path.replace(/:\w+/, "1")}`

const ask = (person: TestPerson, route: Endpoint, accountId: string): Promise<Answer> =>
  route.method === "GET"
    ? person.get(pathOf(route), actingFor(accountId))
    : person.post(pathOf(route), bodies[route.path] ?? {}, actingFor(accountId))

const askByToken = async (token: string, route: Endpoint) => {
  const response = await fetch(`${dashboard.url}/api${route.path.replace(/:\w+/, "1")}`, {
    method: route.method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(route.method === "POST" && { body: JSON.stringify(bodies[route.path] ?? {}) })
  })
  return { status: response.status, text: await response.text() }
}

const rolesOf = ({ rule }: Endpoint) => (rule?.who === "account" ? rule.roles : undefined)
const scopeOf = ({ rule }: Endpoint) => (rule === undefined || rule.who === "anyone" ? undefined : rule.scope)
const ofAccounts = endpoints.filter((route) => rolesOf(route) !== undefined)
const ofPeople = endpoints.filter((route) => route.rule?.who === "account" && rolesOf(route) === undefined)

const cases = (chosen: ReadonlyArray<Endpoint>) =>
  chosen.flatMap((route) =>
    memberRoles.map((role) => [`${route.method} ${route.path}`, role, route] as const)
  )
const named = (chosen: ReadonlyArray<Endpoint>) =>
  chosen.map((route) => [`${route.method} ${route.path}`, route] as const)

const forbidden = { status: 403, text: JSON.stringify({ error: { code: "role_forbids" } }) }
const refusals = /"(role_forbids|not_a_member|out_of_scope|signed_out)"/

const assertRule = (answer: { readonly status: number; readonly text: string }, isAllowed: boolean) => {
  if (isAllowed) return assert.notMatch(answer.text, refusals)
  assert.deepStrictEqual({ status: answer.status, text: answer.text }, forbidden)
}

describe("an account", () => {
  it("has for each scope of accounts a rule of roles, and endpoints that each role may ask for", () => {
    for (const scope of accountScopes) assert.include(ofAccounts.map(scopeOf), scope)
    for (const role of memberRoles) {
      assert.isTrue(ofAccounts.some((route) => rolesOf(route)?.includes(role)))
      if (role !== "owner" && role !== "admin")
        assert.isTrue(ofAccounts.some((route) => !rolesOf(route)?.includes(role)))
    }
    for (const route of ofAccounts) assert.isTrue(rolesOf(route)?.includes("owner"), route.path)
  })

  it.each(cases(ofAccounts))("%s is for a member as %s by the rule alone", async (_, role, route) => {
    assertRule(await ask(people.get(role)!, route, account), rolesOf(route)!.includes(role))
  })

  it.each(cases(ofAccounts.filter((route) => scopeOf(route) !== undefined)))(
    "%s is for a token of a member as %s by the rule alone",
    async (_, role, route) => {
      assertRule(await askByToken(tokens.get(role)!, route), rolesOf(route)!.includes(role))
    }
  )

  it.each(named(ofAccounts))(
    "%s is closed to whoever is no member, as if there were none",
    async (_, route) => {
      for (const accountId of [account, "acc_none"]) {
        const { status, text } = await ask(stranger, route, accountId)
        assert.deepStrictEqual([status, text], [403, JSON.stringify({ error: { code: "not_a_member" } })])
      }
    }
  )

  it.each(named(ofAccounts))(
    "%s of the founder's other members is closed to a member of one",
    async (_, route) => {
      const other = await accountOf(stranger)
      assert.strictEqual((await ask(people.get("owner")!, route, other)).status, 403)
    }
  )
})

describe("what is about people", () => {
  it.each(named(ofPeople))("%s is theirs whatever account they act for", async (_, route) => {
    for (const accountId of [account, "acc_none"])
      assert.notMatch((await ask(guest, route, accountId)).text, /"(role_forbids|not_a_member)"/)
  })

  it("sessions of whoever has the account are not those of its members", async () => {
    const admin = people.get("admin")!
    const ids = async (person: TestPerson) =>
      (await person.get(`${api}/sessions`, actingFor(account))).body.sessions.map(
        ({ id }: { id: string }) => id
      )
    const [own, theirs] = [await ids(lan), await ids(admin)]
    assert.isNotEmpty(theirs)
    assert.isFalse(theirs.some((id: string) => own.includes(id)))
    assert.strictEqual(
      (await admin.post(`${api}/sessions/${own[0]}/end`, {}, actingFor(account))).status,
      404
    )
  })
})
