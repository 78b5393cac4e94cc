/** Electronic invoices that the provider told as failed, or forgot, and that may be there all the same. */
import { assert, describe, it } from "@effect/vitest"
import { afterAll, beforeAll } from "vitest"
import type { InvoiceAnswer, InvoiceProvider } from "../../src/invoices/InvoiceProvider.ts"
import { issueInvoice } from "../../src/invoices/issue-invoice.ts"
import { findInvoice, retryInvoice } from "../../src/storage/payments/InvoiceStore.ts"
import type { JobQueue } from "../../src/storage/jobs/JobQueue.ts"
import { startTestDashboard, type TestDashboard } from "../dashboard/start-dashboard.ts"
import { accountOf } from "../dashboard/own-account.ts"
import { signUpOperator, signUpPerson, tellTransfer, type TestPerson } from "../dashboard/TestPerson.ts"

const api = "/dashboard/api"

let dashboard: TestDashboard
let person: TestPerson
beforeAll(async () => {
  dashboard = await startTestDashboard()
  await dashboard.sql`delete from jobs.schedule`
  person = await signUpPerson(dashboard, "hoa-don@example.vn")
  await person.post(`${api}/billing`, { company: "Công ty Lan", tax_code: "0101234567" })
})
afterAll(() => dashboard.stop())

let transfers = 0
/** That waits, without a job. */
const addInvoice = async (): Promise<string> => {
  const amount = 100_000 + transfers
  const { code } = (await person.post(`${api}/top-ups`, { amount })).body
  await tellTransfer(dashboard, { id: `f${++transfers}`, content: code, transferAmount: amount })
  const [row] = await dashboard.sql<Array<{ id: string }>>`
    insert into invoices (account_id, entry_id, provider, amount_micro_vnd, company, tax_code, address, email)
    select account_id, id, 'sepay', amount_micro_vnd, 'Công ty Lan', '', '', '' from ledger_entries
    where source = 'top_up' order by id desc limit 1 returning id`
  return row!.id
}

type Answers = { readonly [Asked in "create" | "check" | "find"]?: InvoiceAnswer }

/** One attempt; what the provider was asked. */
const attempt = async (id: string, answers: Answers): Promise<ReadonlyArray<string>> => {
  const asked: Array<string> = []
  const say = (name: keyof Answers) => () => {
    asked.push(name)
    return Promise.resolve(answers[name])
  }
  const queue = { run: (query: (sql: typeof dashboard.sql) => unknown) => query(dashboard.sql) }
  const provider = { create: say("create"), check: say("check"), find: say("find") }
  await issueInvoice(queue as unknown as JobQueue, provider as unknown as InvoiceProvider, id)
  return asked
}

const taken: InvoiceAnswer = { _tag: "Pending", tracking: "t" }
const refused: InvoiceAnswer = { _tag: "Refused", problem: "Chữ ký số\0 hết hạn" }
const unknown: InvoiceAnswer = { _tag: "Unknown" }
const issued: InvoiceAnswer = { _tag: "Issued", invoice: { number: "58\0", url: "" } }

const invoiceOf = async (id: string) => (await findInvoice(dashboard.sql, id))!
const retry = (id: string) =>
  dashboard.sql.begin((transaction) => retryInvoice(transaction as never, id, "operator"))
const failed = async (): Promise<string> => {
  const id = await addInvoice()
  await attempt(id, { create: taken })
  await attempt(id, { check: refused })
  const { problem, status } = await invoiceOf(id)
  assert.deepStrictEqual([status, problem], ["failed", "Chữ ký số� hết hạn"])
  return id
}

describe("an invoice that was told as failed", () => {
  it("is looked for before it is asked for again, as the provider may have issued it since", async () => {
    const id = await failed()
    await retry(id)
    assert.deepStrictEqual(await attempt(id, { find: issued }), ["find"])
    const { number, status } = await invoiceOf(id)
    assert.deepStrictEqual([status, number], ["issued", "58�"])
  })

  it("is asked for again at once where it is not there, and is then one of its own", async () => {
    const id = await failed()
    await retry(id)
    const lost: InvoiceAnswer = { _tag: "Lost", problem: "no answer" }
    assert.deepStrictEqual(await attempt(id, { find: lost }), ["find"])
    assert.deepStrictEqual(await attempt(id, { find: unknown, create: lost }), ["find", "create"])
    // What was told of the first one says nothing of it.
    assert.deepStrictEqual(await attempt(id, { find: issued }), ["find"])
    assert.strictEqual((await invoiceOf(id)).status, "issued")
  })
})

describe("an invoice whose code is forgotten", () => {
  it("has a day, too, while it is found and has no number", async () => {
    const id = await addInvoice()
    await attempt(id, { create: taken })
    await dashboard.sql`update invoices set begun_at = begun_at - interval '2 days' where id = ${id}`
    await attempt(id, { check: unknown, find: { _tag: "Pending", tracking: undefined } })
    assert.strictEqual((await invoiceOf(id)).status, "failed")
  })
})

describe("an invoice whose top-up was taken back after it had been sent", () => {
  it("is no operator's matter any more once it is known not to be there", async () => {
    const id = await addInvoice()
    await attempt(id, { create: { _tag: "Lost", problem: "no answer" } })
    const operator = await signUpOperator(dashboard, "ke-toan@example.vn")
    const [transfer] = await dashboard.sql`
      select id::text from bank_transfers where provider_transfer_id = ${`f${transfers}`}`
    const back = await operator.post(`${api}/operator/transfers/${transfer!["id"]}/take-back`, {
      account_id: await accountOf(person),
      reason: "nhầm"
    })
    assert.deepStrictEqual(back.body, { invoiced: true })
    await dashboard.sql`update invoices set begun_at = begun_at - interval '2 days' where id = ${id}`
    await attempt(id, { find: unknown })
    assert.strictEqual((await invoiceOf(id)).status, "failed")
    await retry(id)
    assert.deepStrictEqual(await attempt(id, {}), [])
    assert.isUndefined(await findInvoice(dashboard.sql, id))
  })
})
