/** Alerts of what all keys that a member has made may spend together. */
import { assert, describe, it } from "@effect/vitest"
import { afterAll, beforeAll } from "vitest"
import { actingFor } from "../dashboard/join-account.ts"
import { accountOf } from "../dashboard/own-account.ts"
import { signUpPerson, type TestPerson } from "../dashboard/TestPerson.ts"
import { type AlertTests, type Customer, startAlertTests } from "./start-alert-tests.ts"

const api = "/dashboard/api"
const refused = { status: 402, errorType: "insufficient_balance" }

let tests: AlertTests
beforeAll(async () => {
  tests = await startAlertTests()
})
afterAll(() => tests.stop())

interface Team {
  readonly customer: Customer
  readonly member: TestPerson
  readonly memberId: string
  readonly makeKey: (settings?: object) => Promise<string>
  readonly setBudget: (vnd: string, period?: string) => Promise<void>
}

/** A customer with money, and a member whose address is `member-…`. */
const openTeam = async (email: string): Promise<Team> => {
  const customer = await tests.openCustomer(email)
  const header = actingFor(customer.accountId)
  await tests.topUp(customer.person, 1_000_000)
  const member = await signUpPerson(tests.dashboard, `member-${email}`)
  const memberId = await accountOf(member)
  await tests.dashboard.sql`
    insert into members (account_id, person_id, role, invited_by)
    values (${customer.accountId}, ${memberId}, 'member', ${customer.accountId})`
  return {
    customer,
    member,
    memberId,
    makeKey: async (settings = {}) =>
      (await member.post(`${api}/keys`, { name: "bot", rate_limit_per_minute: 0, ...settings }, header)).body
        .id,
    setBudget: async (vnd, period = "month") => {
      const body = { budget_vnd: vnd, budget_period: period }
      const { status } = await customer.person.post(`${api}/members/${memberId}/budget`, body)
      assert.strictEqual(status, 200)
    }
  }
}

const told = ({ customer }: Team) =>
  [
    "balance.empty",
    "budget.nearly_spent",
    "budget.spent",
    "member_budget.nearly_spent",
    "member_budget.spent"
  ].map((kind) => tests.of(customer, kind).length)

const lookAndSettle = async ({ customer }: Team) => {
  for (let turn = 0; turn < 2; turn++) await tests.look()
  await tests.settle(customer)
}

describe("alerts of a member's budget", () => {
  it("come at four fifths and at its end, of all their keys together, once in each period", async () => {
    const team = await openTeam("nhom@example.vn")
    const { accountId } = team.customer
    const keys = [await team.makeKey(), await team.makeKey()] as const
    await team.setBudget("10000")
    await tests.spend(accountId, 5_000, keys[0])
    await lookAndSettle(team)
    assert.deepStrictEqual(told(team), [0, 0, 0, 0, 0])
    await tests.spend(accountId, 3_100, keys[1])
    await lookAndSettle(team)
    assert.deepStrictEqual(told(team), [0, 0, 0, 1, 0])
    const { data } = tests.of(team.customer, "member_budget.nearly_spent")[0]!.json
    const { resets_at: resetsAt, ...rest } = data
    assert.deepStrictEqual(rest, {
      member: { id: team.memberId, name: "Lan" },
      budget_vnd: "10000",
      spent_vnd: "8100",
      budget_period: "month"
    })
    assert.isAbove(Date.parse(resetsAt), Date.now())
    // What is left does not cover a call. The wallet has enough.
    await tests.spend(accountId, 0, keys[0], refused)
    await lookAndSettle(team)
    assert.deepStrictEqual(told(team), [0, 0, 0, 1, 1])
    // Of the period before, in effect.
    await tests.dashboard.sql`
      update alert_states set period = period - interval '1 month' where kind = 'member_budget.spent'`
    await tests.spend(accountId, 2_000, keys[1])
    await lookAndSettle(team)
    assert.deepStrictEqual(told(team), [0, 0, 0, 1, 2])
    await team.setBudget("100000")
    await lookAndSettle(team)
    await tests.spend(accountId, 75_000, keys[1])
    await lookAndSettle(team)
    assert.deepStrictEqual(told(team), [0, 0, 0, 2, 2])
  })

  it("begin with a budget that is set below what is spent", async () => {
    const team = await openTeam("dat-sau@example.vn")
    await tests.spend(team.customer.accountId, 20_000, await team.makeKey())
    await tests.look()
    await team.setBudget("10000", "total")
    await lookAndSettle(team)
    assert.deepStrictEqual(told(team), [0, 0, 0, 0, 1])
    assert.isNull(tests.of(team.customer, "member_budget.spent")[0]!.json.data.resets_at)
  })

  it("tell of the key's budget instead where that one has less left", async () => {
    const team = await openTeam("hai@example.vn")
    const key = await team.makeKey({ budget_vnd: "10000", budget_period: "month" })
    await team.setBudget("12000")
    await tests.spend(team.customer.accountId, 9_900, key)
    await tests.spend(team.customer.accountId, 0, key, refused)
    await lookAndSettle(team)
    const counts = ["balance.empty", "budget.spent", "member_budget.spent"].map(
      (kind) => tests.of(team.customer, kind).length
    )
    assert.deepStrictEqual(counts, [0, 1, 0])
  })

  it("are mailed to the member, too, in their own language, as long as they are one", async () => {
    const team = await openTeam("thu@example.vn")
    const { customer, member } = team
    const { settings } = (await member.get(`${api}/alerts`)).body
    await member.post(`${api}/alerts`, { ...settings, language: "en" })
    await team.setBudget("10000")
    const key = await team.makeKey()
    await tests.spend(customer.accountId, 8_000, key)
    await lookAndSettle(team)
    const mailsTo = (email: string) =>
      tests.mail.taken.flatMap(({ text, to }) => (to === email ? [text.replaceAll(/=\r?\n/g, "")] : []))
    const own = mailsTo("member-thu@example.vn").at(-1)!
    assert.include(own, "Lan has used 80% of their budget")
    assert.include(own, "member of the Tollgate account thu@example.vn")
    assert.include(own, "/dashboard/keys")
    const accounts = mailsTo("thu@example.vn").at(-1)!
    assert.include(accounts, "/dashboard/members")
    const ids = [own, accounts].map((text) => /^Message-ID: (.*)$/im.exec(text)?.[1])
    assert.notStrictEqual(ids[0], ids[1])
    await customer.person.post(`${api}/members/${team.memberId}/remove`, { revoke_keys: false })
    const before = mailsTo("member-thu@example.vn").length
    await tests.spend(customer.accountId, 2_000, key)
    await lookAndSettle(team)
    assert.deepStrictEqual(told(team), [0, 0, 0, 1, 1])
    assert.strictEqual(mailsTo("member-thu@example.vn").length, before)
  })
})
