/** What no bank should send is kept for the operator all the same: refused, it would be sent again for ever. */
import { assert, describe, it } from "@effect/vitest"
import { afterAll, beforeAll } from "vitest"
import type { SepayEvent } from "../dashboard/sepay-event.ts"
import { startTestDashboard, type TestDashboard } from "../dashboard/start-dashboard.ts"
import { signUpOperator, signUpPerson, tellTransfer, type TestPerson } from "../dashboard/TestPerson.ts"

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
const emailOf = async (person: TestPerson): Promise<string> =>
  (await person.get("/dashboard/api/session")).body.person.email
const balanceOf = async (person: TestPerson): Promise<string> =>
  (await person.get("/dashboard/api/overview")).body.balance_vnd
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
    assert.strictEqual(await balanceOf(person), "60000")
  })

  it("to the account with a NUL in another one is kept", async () => {
    const id = nextId()
    assert.strictEqual((await tellTransfer(dashboard, { id, subAccount: "VCB\0" })).status, 200)
    assert.deepInclude(await transferOf(id), { status: "unmatched", note: "no_order" })
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
      assert.strictEqual(await balanceOf(person), "0")
    }
  )
})
