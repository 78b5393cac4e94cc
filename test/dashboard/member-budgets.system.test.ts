/** What all keys of a member may spend together: who sets it for whom, and who sees it. */
import { assert, describe, it } from "@effect/vitest"
import { afterAll, beforeAll } from "vitest"
import { sampleCall, writeCalls } from "../browser/sample-data.ts"
import { actingFor, joinAccount } from "./join-account.ts"
import { startTestDashboard, type TestDashboard } from "./start-dashboard.ts"
import { accountOf } from "./own-account.ts"
import { signUpPerson, type TestPerson } from "./TestPerson.ts"

const api = "/dashboard/api"
const monthly = { budget_vnd: "500000", budget_period: "month" }

let dashboard: TestDashboard
beforeAll(async () => {
  dashboard = await startTestDashboard()
})
afterAll(() => dashboard.stop())

/** An account with an owner beside its founder, an admin and a member. */
const newTeam = async (name: string) => {
  const founder = await signUpPerson(dashboard, `${name}@example.com`)
  const account = await accountOf(founder)
  const header = actingFor(account)
  const join = (role: "owner" | "admin" | "member") =>
    joinAccount(dashboard, founder, `${name}-${role}@example.com`, role)
  const [owner, admin, member] = [await join("owner"), await join("admin"), await join("member")]
  const set = async (by: TestPerson, of: TestPerson, body: unknown = monthly) => {
    const answer = await by.post(`${api}/members/${await accountOf(of)}/budget`, body, header)
    return [answer.status, answer.body?.error?.code]
  }
  const makeKey = async (by: TestPerson): Promise<string> =>
    (await by.post(`${api}/keys`, { name: "k", rate_limit_per_minute: 0 }, header)).body.id
  return { account, header, founder, owner, admin, member, set, makeKey }
}

interface Listed {
  readonly id: string
  readonly budget: { readonly budget_vnd: string; readonly spent_vnd: string } | null
}

const budgetsOf = (members: ReadonlyArray<Listed>) =>
  members.flatMap(({ budget }) => (budget === null ? [] : [budget.budget_vnd]))

describe("the budget of a member", () => {
  it("is set by owners for all, by admins for all but owners and for themselves", async () => {
    const { admin, header, founder, member, owner, set } = await newTeam("set")
    const done = [200, undefined]
    const forbidden = [403, "role_forbids"]
    for (const each of [founder, owner, admin, member]) assert.deepStrictEqual(await set(owner, each), done)
    assert.deepStrictEqual(await set(founder, founder), done)
    for (const each of [admin, member]) assert.deepStrictEqual(await set(admin, each), done)
    for (const each of [founder, owner]) assert.deepStrictEqual(await set(admin, each), forbidden)
    for (const each of [founder, member]) assert.deepStrictEqual(await set(member, each), forbidden)
    const stranger = await signUpPerson(dashboard, "set-stranger@example.com")
    assert.deepStrictEqual(await set(owner, stranger), [404, "not_found"])
    assert.deepStrictEqual(await set(stranger, member), [403, "not_a_member"])
    const { members } = (await owner.get(`${api}/members`, header)).body
    assert.deepStrictEqual(budgetsOf(members), ["500000", "500000", "500000", "500000"])
    assert.deepStrictEqual(await set(owner, member, { budget_vnd: null }), done)
    assert.lengthOf(budgetsOf((await owner.get(`${api}/members`, header)).body.members), 3)
  })

  it.each(["0", "-1", "a", "", "1e3", "1000000000001", "0.0000001"])("is never %j", async (amount) => {
    const owner = await signUpPerson(dashboard, `bad-${crypto.randomUUID()}@example.com`)
    const path = `${api}/members/${await accountOf(owner)}/budget`
    const answer = await owner.post(path, { ...monthly, budget_vnd: amount })
    assert.deepStrictEqual([answer.status, answer.body.error.code], [400, "invalid"])
  })

  it("is seen with what their keys have spent of it, by the member too", async () => {
    const { account, admin, header, founder, makeKey, member, set } = await newTeam("seen")
    const keys = [await makeKey(member), await makeKey(member), await makeKey(founder)]
    const calls = keys.map((key, index) => sampleCall(account, key, index, Date.now() - index))
    await writeCalls(dashboard.databaseUrl, calls)
    await set(admin, member)
    const id = await accountOf(member)
    const [row] = await dashboard.sql`
      select trim_scale(sum(cost_micro_vnd) / 1000000.0)::text as spent from calls where key_id in ${dashboard.sql(keys.slice(0, 2))}`
    const expected = { ...monthly, spent_vnd: row!["spent"] }
    const { members } = (await admin.get(`${api}/members`, header)).body
    assert.deepInclude(members.find((each: Listed) => each.id === id).budget, expected)
    const own = (await member.get(`${api}/keys`, header)).body.own_budget
    assert.deepInclude(own, expected)
    assert.isAbove(own.resets_at, Date.now())
    assert.isNull((await founder.get(`${api}/keys`, header)).body.own_budget)
    assert.strictEqual((await member.get(`${api}/members`, header)).status, 403)
  })

  it("stays with the keys of who has left, and can be changed as long as these live", async () => {
    const { admin, header, founder, makeKey, member, set } = await newTeam("left")
    await makeKey(member)
    await set(admin, member)
    const id = await accountOf(member)
    await founder.post(`${api}/members/${id}/remove`, { revoke_keys: false }, header)
    const former = async () => (await admin.get(`${api}/members`, header)).body.former
    assert.deepStrictEqual([(await former())[0].id, budgetsOf(await former())], [id, ["500000"]])
    const total = { budget_vnd: "1000.5", budget_period: "total" }
    assert.deepStrictEqual(await set(admin, member, total), [200, undefined])
    assert.deepStrictEqual(budgetsOf(await former()), ["1000.5"])
    const [key] = (await founder.get(`${api}/keys`, header)).body.keys
    await founder.post(`${api}/keys/${key.id}/revoke`, {}, header)
    assert.deepStrictEqual(await former(), [])
    assert.deepStrictEqual(await set(admin, member), [404, "not_found"])
  })

  it("is told of in the account's log", async () => {
    const { admin, header, member, set } = await newTeam("log")
    await set(admin, member)
    await set(admin, member, { budget_vnd: null })
    const { entries } = (await admin.get(`${api}/activity?kind=members`, header)).body
    const told = entries.filter(({ action }: { action: string }) => action === "member.budget")
    assert.deepStrictEqual(
      told.map(({ detail }: { detail: Record<string, unknown> }) => [
        detail["budget_vnd"],
        detail["budget_period"]
      ]),
      [
        [null, null],
        ["500000", "month"]
      ]
    )
  })
})
