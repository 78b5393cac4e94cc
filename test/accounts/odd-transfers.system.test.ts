/** What no bank should send is kept for the operator all the same: refused, it would be sent again for ever. */
import { assert, describe, it } from "@effect/vitest"
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll } from "vitest"
import type { SepayEvent } from "../dashboard/sepay-event.ts"
import { startTestDashboard, type TestDashboard } from "../dashboard/start-dashboard.ts"
import { accountOf, personOf, balanceVndOf } from "../dashboard/own-account.ts"
import {
  signUpOperator,
  signUpPerson,
  tellTransfer,
  testPassword,
  type TestPerson
} from "../dashboard/TestPerson.ts"

const api = "/dashboard/api"

let dashboard: TestDashboard
let operator: TestPerson
beforeAll(async () => {
  dashboard = await startTestDashboard()
  operator = await signUpOperator(dashboard, "operator@example.com")
})
afterAll(() => dashboard.stop())

let lastId = 1_000
const nextId = () => ++lastId
const newPerson = () => signUpPerson(dashboard, `p${nextId()}@example.com`)
const emailOf = async (person: TestPerson): Promise<string> => (await personOf(person)).email
const transferOf = async (id: number) => {
  const [row] = await dashboard.sql`
    select id::text, status, note, raw from bank_transfers where provider_transfer_id = ${String(id)}`
  return row
}
const assign = (id: string, account: string) =>
  operator.post(`/dashboard/api/operator/transfers/${id}/assign`, { account, reason: "a" })

describe("a transfer", () => {
  it.each<readonly [string, SepayEvent]>([
    ["a NUL in its id", { id: "a\0b" }],
    ["an id of 200 characters", { id: "9".repeat(200) }],
    ["a NUL in its memo", { content: "tien\0 an trua" }],
    ["half a character in its memo", { content: "tien \ud800 an trua" }],
    ["a year far out", { transactionDate: "+275760-09-12 00:00:00" }],
    ["the year 0", { transactionDate: "0000-01-01 00:00:00" }],
    ["no time", { transactionDate: "yesterday" }]
  ])("with %s is kept for the operator, who can assign it", async (_, odd) => {
    const person = await newPerson()
    const event = { id: nextId(), content: "quen ghi noi dung", transferAmount: 60_000, ...odd }
    for (let time = 0; time < 2; time++)
      assert.strictEqual((await tellTransfer(dashboard, event)).status, 200)
    const { transfers } = (await operator.get("/dashboard/api/operator/transfers?status=unmatched")).body
    const { id } = transfers[0]
    assert.strictEqual(transfers[0].amount_vnd, "60000")
    const answer = await assign(id, await emailOf(person))
    assert.strictEqual(answer.status, 200)
    assert.strictEqual(await balanceVndOf(person), "60000")
  })

  it("to the account with a NUL in another one is kept", async () => {
    const id = nextId()
    assert.strictEqual((await tellTransfer(dashboard, { id, subAccount: "VCB\0" })).status, 200)
    assert.deepInclude(await transferOf(id), { status: "unmatched", note: "no_order" })
  })

  it("for an account that its owner has closed waits for the operator, who gives it back or opens the account", async () => {
    const person = await newPerson()
    const email = await emailOf(person)
    const accountId = await accountOf(person)
    const { code } = (await person.post(`${api}/top-ups`, { amount: 100_000 })).body
    const credit = async (vnd: string, id: string = randomUUID()) => {
      const body = { amount_vnd: vnd, reason: "a", id }
      const answer = await operator.post(`${api}/operator/accounts/${accountId}/credit`, body)
      return [answer.status, answer.body.error?.code ?? answer.body.balance_vnd]
    }
    const before = randomUUID()
    assert.deepStrictEqual(await credit("5000", before), [200, "5000"])
    assert.strictEqual((await person.post(`${api}/person/close`, { password: testPassword })).status, 200)
    const [first, second] = [nextId(), nextId()]
    for (const id of [first, second]) {
      const event = { id, content: code, transferAmount: 100_000 }
      assert.strictEqual((await tellTransfer(dashboard, event)).status, 200)
      assert.deepInclude(await transferOf(id), { status: "unmatched", note: "account_closed" })
    }
    const firstId = (await transferOf(first))?.["id"]
    const secondId = (await transferOf(second))?.["id"]
    const refused = await assign(firstId, email)
    assert.deepStrictEqual([refused.status, refused.body.error.code], [409, "account_closed"])
    const { suggestions } = (await operator.get(`${api}/operator/transfers/${firstId}/suggestions`)).body
    assert.deepInclude(suggestions[0], { account_id: accountId, is_closed: true })
    assert.deepStrictEqual(await credit("1"), [409, "account_closed"])
    // What was done before is done, and what is left may be paid out.
    assert.deepStrictEqual(await credit("5000", before), [200, "5000"])
    assert.deepStrictEqual(await credit("-5000"), [200, "0"])
    const back = { reason: "closed", reference: "FT1" }
    assert.strictEqual((await operator.post(`${api}/operator/transfers/${firstId}/return`, back)).status, 200)
    assert.deepInclude(await transferOf(first), { status: "returned" })
    const { account } = (await operator.get(`${api}/operator/accounts/${accountId}`)).body
    assert.deepInclude(account, { status: "disabled", is_closed: true, balance_vnd: "0" })
    await operator.post(`${api}/operator/accounts/${accountId}/status`, { status: "active" })
    assert.strictEqual((await assign(secondId, email)).status, 200)
    assert.deepStrictEqual(await credit("1"), [200, "100001"])
  })

  it.each([5_000_000_000_000, "999999999999999"])(
    "of %s, which can not be, is kept and can be credited to nobody as it is",
    async (transferAmount) => {
      const person = await newPerson()
      const { code } = (await person.post("/dashboard/api/top-ups", { amount: 100_000 })).body
      const id = nextId()
      assert.strictEqual((await tellTransfer(dashboard, { id, content: code, transferAmount })).status, 200)
      assert.deepInclude(await transferOf(id), { status: "unmatched", note: "amount_beyond_belief" })
      const row = await transferOf(id)
      assert.include(row?.["raw"], String(transferAmount))
      const answer = await assign(row?.["id"], await emailOf(person))
      assert.deepStrictEqual([answer.status, answer.body.error.code], [409, "nothing_to_credit"])
      assert.strictEqual(await balanceVndOf(person), "0")
    }
  )
})
