/** Electronic invoices that are asked for, or tried, once more since the answer was lost: there is one, and no other answer. */
import { assert, describe, it } from "@effect/vitest"
import { afterAll, beforeAll } from "vitest"
import { startTestDashboard, type TestDashboard } from "../dashboard/start-dashboard.ts"
import { signUpOperator, signUpPerson, tellTransfer, type TestPerson } from "../dashboard/TestPerson.ts"
import { until } from "../until.ts"
import { einvoiceAt, type SepayStub, startSepayStub } from "./sepay-stub.ts"

const api = "/dashboard/api"

let stub: SepayStub
let dashboard: TestDashboard
let person: TestPerson
let operator: TestPerson
beforeAll(async () => {
  stub = await startSepayStub()
  dashboard = await startTestDashboard({
    change: (loaded) => ({ ...loaded, einvoice: einvoiceAt(stub.url) })
  })
  await dashboard.sql`delete from jobs.schedule`
  person = await signUpPerson(dashboard, "hoa-don@example.vn")
  operator = await signUpOperator(dashboard, "ke-toan@example.vn")
  const email = "ke-toan@lan.vn"
  await person.post(`${api}/billing`, {
    company: "Công ty Lan",
    tax_code: "0101234567",
    address: "Huế",
    email
  })
})
afterAll(async () => {
  await dashboard.stop()
  stub.stop()
})

describe("what is sent again", () => {
  it("is answered as the first time", async () => {
    const { code } = (await person.post(`${api}/top-ups`, { amount: 1_100_000 })).body
    await tellTransfer(dashboard, { id: "i1", content: code, transferAmount: 1_100_000 })
    const { id: receipt } = (await person.get(`${api}/statement`)).body.lines[0]
    stub.next("refuse")
    const ask = () => person.post(`${api}/receipts/${receipt}/invoice`)
    const asked = await Promise.all([ask(), ask()])
    assert.deepStrictEqual(
      [...asked, await ask()].map(({ status }) => status),
      [200, 200, 200]
    )
    const invoice = async () =>
      (await dashboard.sql<Array<{ id: string; status: string }>>`select id, status from invoices`)[0]!
    await until(async () => (await invoice()).status === "failed")
    const { id } = await invoice()
    const retry = () => operator.post(`${api}/operator/invoices/${id}/retry`)
    const retried = await Promise.all([retry(), retry()])
    assert.deepStrictEqual(
      [...retried, await retry()].map(({ status }) => status),
      [200, 200, 200]
    )
    assert.lengthOf(await dashboard.sql`select from audit_log where action = 'invoice.retry'`, 1)
    assert.strictEqual(
      (await operator.post(`${api}/operator/invoices/${crypto.randomUUID()}/retry`)).status,
      404
    )
    assert.strictEqual((await person.post(`${api}/receipts/999999/invoice`)).status, 404)
  })

  it("is made out, once somebody is erased, to whom it was to be", async () => {
    await until(async () => stub.creations() === 2)
    const { code } = (await person.post(`${api}/top-ups`, { amount: 500_000 })).body
    await tellTransfer(dashboard, { id: "i2", content: code, transferAmount: 500_000 })
    const { id: receipt } = (await person.get(`${api}/statement`)).body.lines.at(-1)
    stub.next("refuse")
    await person.post(`${api}/receipts/${receipt}/invoice`)
    const invoice = async () =>
      (
        await dashboard.sql<Array<{ id: string; status: string; account_id: string }>>`
          select id, status, account_id from invoices where entry_id = ${receipt}::text::int8`
      )[0]!
    await until(async () => (await invoice()).status === "failed")
    const { account_id: accountId, id } = await invoice()
    const place = `${api}/operator/accounts/${accountId}`
    await operator.post(`${place}/status`, { status: "disabled" })
    assert.strictEqual((await operator.post(`${place}/erase`)).status, 200)
    await operator.post(`${api}/operator/invoices/${id}/retry`)
    await until(() => Promise.resolve(stub.created.has(id)))
    const { buyer } = stub.created.get(id) as unknown as { readonly buyer: object }
    assert.deepInclude(buyer, { name: "Công ty Lan", tax_code: "0101234567" })
  })
})
