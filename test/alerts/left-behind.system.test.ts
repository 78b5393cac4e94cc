/** What was told, or is still to be told, once what it was about or whom it was for has changed. */
import { assert, describe, it } from "@effect/vitest"
import { afterAll, beforeAll } from "vitest"
import { actingFor } from "../dashboard/join-account.ts"
import { accountOf } from "../dashboard/own-account.ts"
import { signUpPerson } from "../dashboard/TestPerson.ts"
import { until } from "../until.ts"
import { type AlertTests, type Customer, startAlertTests } from "./start-alert-tests.ts"

const api = "/dashboard/api"

let tests: AlertTests
beforeAll(async () => {
  tests = await startAlertTests()
})
afterAll(() => tests.stop())

const lookAndSettle = async (customer: Customer) => {
  for (let turn = 0; turn < 2; turn++) await tests.look()
  await tests.settle(customer)
}

const times = (customer: Customer, kind: string) => tests.of(customer, kind).length

const post = async ({ person }: Customer, path: string, body: object) => {
  const answer = await person.post(api + path, body)
  assert.include([200, 201], answer.status)
  return answer.body
}

const deliveriesOf = async ({ person }: Customer) =>
  (await person.get(`${api}/alerts/deliveries`)).body.deliveries as ReadonlyArray<{
    readonly id: string
    readonly kind: string
    readonly channel: string
    readonly address: string
    readonly status: string
    readonly outcome: string
  }>

const setMail = (customer: Customer, mail: ReadonlyArray<string>, email: string) =>
  post(customer, "/alerts", { balance_below_vnd: null, days_left: null, mail, email, language: "en" })

const budget = { budget_vnd: "10000", budget_period: "total" }

/** Whose key has spent its budget, which has been told. */
const openSpent = async (email: string) => {
  const customer = await tests.openCustomer(email)
  await tests.topUp(customer.person, 1_000_000)
  const { id } = await post(customer, "/keys", { name: "bot", ...budget })
  await tests.spend(customer.accountId, 10_000, id)
  await lookAndSettle(customer)
  return { customer, id }
}

describe("mail that is still to be sent", () => {
  it("goes where the account has its mail sent by then", async () => {
    const customer = await tests.openCustomer("moi@example.vn", [])
    await setMail(customer, ["top_up.credited"], "cu@example.vn")
    await tests.topUp(customer.person, 100_000)
    await lookAndSettle(customer)
    assert.lengthOf(await tests.mail.next(1, "cu@example.vn"), 1)
    await setMail(customer, ["top_up.credited"], "nay@example.vn")
    const [sent] = await deliveriesOf(customer)
    await post(customer, `/alerts/deliveries/${sent!.id}/resend`, {})
    await tests.settle(customer)
    assert.lengthOf(
      tests.mail.taken.filter(({ to }) => to === "cu@example.vn"),
      1
    )
    assert.lengthOf(
      tests.mail.taken.filter(({ to }) => to === "nay@example.vn"),
      1
    )
    assert.strictEqual((await deliveriesOf(customer))[0]!.address, "nay@example.vn")
  })

  it("goes to nobody who is no member any more", async () => {
    const customer = await tests.openCustomer("nhom-cu@example.vn", [])
    const { accountId } = customer
    const member = await signUpPerson(tests.dashboard, "da-roi@example.vn")
    const memberId = await accountOf(member)
    await tests.dashboard.sql`
      insert into members (account_id, person_id, role, invited_by) values (${accountId}, ${memberId}, 'member', ${accountId})`
    await setMail(customer, ["member_budget.spent"], "")
    await tests.topUp(customer.person, 1_000_000)
    const key = await member.post(`${api}/keys`, { name: "bot" }, actingFor(accountId))
    await post(customer, `/members/${memberId}/budget`, { budget_vnd: "1000", budget_period: "total" })
    await tests.spend(accountId, 1_000, key.body.id)
    await lookAndSettle(customer)
    // The first asks to verify the address.
    const theirs = () => tests.mail.taken.filter(({ to }) => to === "da-roi@example.vn").slice(1)
    assert.lengthOf(theirs(), 1)
    await post(customer, `/members/${memberId}/remove`, { revoke_keys: false })
    const sent = (await deliveriesOf(customer)).find(({ address }) => address === "da-roi@example.vn")
    await post(customer, `/alerts/deliveries/${sent!.id}/resend`, {})
    await tests.settle(customer)
    assert.lengthOf(theirs(), 1)
    const { outcome, status } = (await deliveriesOf(customer)).find(({ id }) => id === sent!.id)!
    assert.deepStrictEqual([status, outcome], ["given_up", "no member any more"])
  })
})

describe("what was told of a budget", () => {
  it("is told anew where the key had none in between", async () => {
    const { customer, id } = await openSpent("bo-han-muc@example.vn")
    assert.strictEqual(times(customer, "budget.spent"), 1)
    await post(customer, `/keys/${id}`, { budget_vnd: null })
    await lookAndSettle(customer)
    await post(customer, `/keys/${id}`, budget)
    await lookAndSettle(customer)
    assert.strictEqual(times(customer, "budget.spent"), 2)
  })

  it("is told anew where a member had none in between", async () => {
    const customer = await tests.openCustomer("bo-han-muc-nhom@example.vn")
    const { accountId } = customer
    await tests.topUp(customer.person, 1_000_000)
    const { id } = await post(customer, "/keys", { name: "bot" })
    const path = `/members/${accountId}/budget`
    await post(customer, path, budget)
    await tests.spend(accountId, 10_000, id)
    await lookAndSettle(customer)
    assert.strictEqual(times(customer, "member_budget.spent"), 1)
    await post(customer, path, { budget_vnd: null })
    await lookAndSettle(customer)
    await post(customer, path, budget)
    await lookAndSettle(customer)
    assert.strictEqual(times(customer, "member_budget.spent"), 2)
  })

  it("is told of a raised one, too, that is spent before anybody has looked", async () => {
    const { customer, id } = await openSpent("tang-han-muc@example.vn")
    await post(customer, `/keys/${id}`, { budget_vnd: "20000" })
    await tests.spend(customer.accountId, 10_000, id)
    await lookAndSettle(customer)
    assert.strictEqual(times(customer, "budget.spent"), 2)
    await post(customer, `/keys/${id}`, { budget_vnd: "15000" })
    await lookAndSettle(customer)
    assert.strictEqual(times(customer, "budget.spent"), 2)
  })
})

describe("what is told anew", () => {
  it("is told once where two nodes look at once", async () => {
    const { customer, id } = await openSpent("hai-may@example.vn")
    const { accountId } = customer
    await post(customer, `/keys/${id}`, { budget_vnd: "12000" })
    await tests.spend(accountId, 2_000, id)
    const both = await tests.dashboard.sql.begin(async (transaction) => {
      await transaction`select from alert_states where account_id = ${accountId} for update`
      const looks = [tests.look(), tests.look()]
      await until(async () => {
        const [row] = await tests.dashboard.sql`
          select count(*)::int as count from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`
        return row!["count"] === 2
      })
      return { looks }
    })
    await Promise.all(both.looks)
    await lookAndSettle(customer)
    assert.strictEqual(times(customer, "budget.spent"), 2)
  })
})

describe("what was told of the days that a balance lasts", () => {
  it("is over with a top-up, also of a wallet that has rested for a week", async () => {
    const customer = await tests.openCustomer("nghi@example.vn")
    const { accountId } = customer
    await tests.topUp(customer.person, 100_000)
    await tests.spend(accountId, 60_000)
    await lookAndSettle(customer)
    assert.strictEqual(times(customer, "balance.days_left"), 1)
    await tests.dashboard.sql`
      update usage_hours set hour = hour - interval '8 days', last_call_at = last_call_at - interval '8 days'
      where account_id = ${accountId}`
    await tests.topUp(customer.person, 1_000_000)
    await lookAndSettle(customer)
    await tests.spend(accountId, 800_000)
    await tests.dashboard.sql`delete from alert_looks where pass = 'days_left'`
    await lookAndSettle(customer)
    assert.strictEqual(times(customer, "balance.days_left"), 2)
  })
})
