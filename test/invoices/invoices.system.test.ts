/** Electronic invoices of top-ups: one each, whatever is lost on the way. */
import { assert, describe, it } from "@effect/vitest"
import { afterAll, beforeAll, onTestFinished, vi } from "vitest"
import { lookAtAccounts } from "../../src/alerts/look-at-accounts.ts"
import type { Settings } from "../../src/config/settings.ts"
import type { InvoiceAnswer, InvoiceProvider } from "../../src/invoices/InvoiceProvider.ts"
import { issueInvoice } from "../../src/invoices/issue-invoice.ts"
import { startInvoices } from "../../src/invoices/start-invoices.ts"
import { addInvoices, findInvoice } from "../../src/storage/payments/InvoiceStore.ts"
import { JobQueue } from "../../src/storage/jobs/JobQueue.ts"
import { startTestDashboard, type TestDashboard } from "../dashboard/start-dashboard.ts"
import { accountOf } from "../dashboard/own-account.ts"
import { signUpOperator, signUpPerson, tellTransfer, type TestPerson } from "../dashboard/TestPerson.ts"
import { einvoiceAt, type SepayStub, startSepayStub } from "./sepay-stub.ts"
import { until } from "../until.ts"

const api = "/dashboard/api"
const email = "hoa-don@example.vn"
const details = {
  company: "Công ty Lan",
  tax_code: "0101234567",
  address: "1 Lê Lợi",
  email: "ke-toan@lan.vn"
}

let stub: SepayStub
let dashboard: TestDashboard
let settings: Settings
let person: TestPerson
let operator: TestPerson

beforeAll(async () => {
  stub = await startSepayStub()
  dashboard = await startTestDashboard({
    change: (loaded) => (settings = { ...loaded, einvoice: einvoiceAt(stub.url) })
  })
  // What is asked for by itself each minute is asked for here when it is told to be.
  await dashboard.sql`delete from jobs.schedule`
  person = await signUpPerson(dashboard, email)
  operator = await signUpOperator(dashboard, "ke-toan@example.vn")
  await person.post(`${api}/billing`, details)
})
afterAll(async () => {
  await dashboard.stop()
  stub.stop()
})

let transfers = 0
/** The receipt of a new top-up. */
const topUp = async (who = person): Promise<string> => {
  const amount = 1_100_000 + transfers
  const { code } = (await who.post(`${api}/top-ups`, { amount })).body
  await tellTransfer(dashboard, { id: `i${++transfers}`, content: code, transferAmount: amount })
  const { lines } = (await who.get(`${api}/statement`)).body
  return lines.findLast(({ kind }: { kind: string }) => kind === "top_up").id
}

const ask = (receipt: string, who = person) => who.post(`${api}/receipts/${receipt}/invoice`)

/** Without a job. */
const addWaiting = async (receipt: string): Promise<string> => {
  const ids = await dashboard.sql.begin((transaction) =>
    addInvoices(transaction as never, "sepay", [receipt])
  )
  return ids[0]!
}

/** One attempt, by a provider that says this whatever it is asked. */
const issueBy = (id: string, say: (asked: unknown, sentAtMs?: number) => Promise<InvoiceAnswer>) => {
  const queue = { run: (query: (sql: typeof dashboard.sql) => unknown) => query(dashboard.sql) }
  const provider = { create: say, check: say, find: say }
  return issueInvoice(queue as unknown as JobQueue, provider as unknown as InvoiceProvider, id)
}

/** Attempts are made without waiting until the receipt's invoice is so. */
const untilInvoice = (receipt: string, status: string) =>
  until(async () => {
    const { invoice } = (await person.get(`${api}/receipts/${receipt}`)).body
    if (invoice?.status === status) return invoice
    // Those alone that are put off: a job is passed over while its row is being changed.
    await dashboard.sql`update jobs.job set start_after = now()
      where name = 'issue-invoice' and state < 'active' and start_after > now()`
    return undefined
  }, 60)

describe("an electronic invoice", () => {
  it("is issued for a top-up to whom the billing details name, and shown on the receipt", async () => {
    const receipt = await topUp()
    assert.deepStrictEqual((await person.get(`${api}/receipts/${receipt}`)).body.invoice, null)
    assert.strictEqual((await ask(receipt)).status, 200)
    const invoice = await untilInvoice(receipt, "issued")
    assert.match(invoice.url, /^https:\/\/invoices\.example\/[0-9a-f-]{36}\.pdf$/)
    const [sent] = [...stub.created.values()] as unknown as [Record<string, unknown>]
    const { company, ...others } = details
    assert.deepStrictEqual(sent["buyer"], { name: company, ...others })
    assert.deepInclude(sent["items"], {
      line_number: 1,
      line_type: 1,
      item_name: "Dịch vụ API",
      quantity: 1,
      unit_price: 1_000_000,
      tax_rate: 10
    })
    assert.strictEqual(sent["is_draft"], false)
    assert.strictEqual((await ask(receipt)).status, 200)
    assert.strictEqual((await ask(receipt, operator)).status, 404)
    assert.strictEqual(stub.tokens(), 1)
  })

  it("is asked for by itself when a top-up arrives, once, over nodes and repetitions", async () => {
    const before = stub.creations()
    const receipt = await topUp()
    const queue = await JobQueue.open({ databaseUrl: dashboard.databaseUrl, warn: () => {} })
    const invoices = (await startInvoices(queue, settings))!
    for (let turn = 0; turn < 2; turn++)
      await lookAtAccounts(queue, { sendsMail: false, callTimeoutSeconds: 900 }, (transaction, entryIds) =>
        invoices.add(transaction, entryIds)
      )
    await untilInvoice(receipt, "issued")
    const [row] =
      await dashboard.sql`select count(*)::int as count from invoices where entry_id = ${receipt}::text::int8`
    assert.deepStrictEqual([row!["count"], stub.creations() - before], [1, 1])
    await queue.close()
    await invoices.close()
  })

  const untold = ["lose the answer", "forget the code"] as const
  it.each(untold)("is looked for, and asked for once, where nothing says how it goes (%s)", async (fault) => {
    const before = stub.creations()
    const receipt = await topUp()
    stub.next(fault)
    await ask(receipt)
    await untilInvoice(receipt, "issued")
    assert.strictEqual(stub.creations(), before + 1)
  })

  it("is found by its notes where the provider goes by references of its own", async () => {
    stub.givesReferences = true
    const before = stub.creations()
    const receipt = await topUp()
    stub.next("lose the answer")
    await ask(receipt)
    assert.match((await untilInvoice(receipt, "issued")).number, /^\d+$/)
    assert.strictEqual(stub.creations(), before + 1)
    stub.givesReferences = false
  })

  it("is not asked for once more by a node that had stood still since it was found not to be", async () => {
    const receipt = await topUp()
    stub.next("lose the answer")
    await ask(receipt)
    const { id } = await until(async () => {
      const [row] = await dashboard.sql<Array<{ id: string }>>`
        select id from invoices where entry_id = ${receipt}::text::int8 and sent_at is not null`
      return row
    })
    const row = await findInvoice(dashboard.sql, id)
    const asked: Array<string> = []
    const provider = {
      create: () => asked.push("create"),
      find: () => {
        asked.push("find")
        return { _tag: "Lost", problem: "no answer" }
      }
    }
    let reads = 0
    const queue = {
      run: (query: (sql: typeof dashboard.sql) => unknown) =>
        reads++ === 0
          ? { ...row, status: "waiting", sentAtMs: undefined, tracking: undefined }
          : query(dashboard.sql)
    }
    await issueInvoice(queue as unknown as JobQueue, provider as unknown as InvoiceProvider, id)
    assert.deepStrictEqual(asked, ["find"])
    await untilInvoice(receipt, "issued")
  })

  it("has a day from when it is first sent, and another from when it is taken, however long it had waited before", async () => {
    const receipt = await topUp()
    const id = await addWaiting(receipt)
    const old = () =>
      dashboard.sql`update invoices set begun_at = begun_at - interval '2 days' where id = ${id}`
    const step = (answer: InvoiceAnswer) => issueBy(id, () => Promise.resolve(answer))
    await old()
    assert.strictEqual(await step({ _tag: "NotSent", problem: "429" }), "again")
    assert.strictEqual(await step({ _tag: "NotSent", problem: "429" }), "again")
    await old()
    assert.strictEqual(await step({ _tag: "Pending", tracking: "t" }), "again")
    assert.strictEqual(await step({ _tag: "Pending", tracking: "t" }), "again")
    await old()
    assert.strictEqual(await step({ _tag: "Pending", tracking: "t" }), "done")
    assert.strictEqual((await findInvoice(dashboard.sql, id))?.status, "failed")
    await dashboard.sql`delete from invoices where id = ${id}`
  })

  it("is dated by the database's clock, whatever that of its node says", async () => {
    const id = await addWaiting(await topUp())
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 24 * 3_600_000 })
    onTestFinished(() => void vi.useRealTimers())
    const dated: Array<unknown> = []
    await issueBy(id, (_, sentAtMs) => {
      dated.push(sentAtMs)
      return Promise.resolve({ _tag: "Lost", problem: "no answer" })
    })
    assert.deepStrictEqual(dated, [(await findInvoice(dashboard.sql, id))?.sentAtMs])
    await dashboard.sql`delete from invoices where id = ${id}`
  })

  it("that waits, and whose job the queue has forgotten, is issued once somebody issues them again", async () => {
    const receipt = await topUp()
    await addWaiting(receipt)
    const queue = await JobQueue.open({ databaseUrl: dashboard.databaseUrl, warn: () => {} })
    const invoices = (await startInvoices(queue, settings))!
    await untilInvoice(receipt, "issued")
    await queue.close()
    await invoices.close()
  })

  const vanished = ["lose the request", "forget all of it"] as const
  it.each(vanished)("that is nowhere is left to an operator, who may ask again (%s)", async (fault) => {
    const before = stub.creations()
    const receipt = await topUp()
    stub.next(fault)
    await ask(receipt)
    // One that is taken has another day from then on.
    const age = () => dashboard.sql`update invoices set begun_at = begun_at - interval '1 day'
      where entry_id = ${receipt}::text::int8 and problem <> ''`
    await until(async () => (await age()).count > 0)
    await untilInvoice(receipt, "failed")
    assert.strictEqual(stub.creations(), before + 1)
    const { invoices } = (await operator.get(`${api}/operator/invoices`)).body
    assert.deepInclude(invoices[0], { receipt, status: "failed", company: "Công ty Lan" })
    assert.strictEqual((await operator.post(`${api}/operator/invoices/${invoices[0].id}/retry`)).status, 200)
    await untilInvoice(receipt, "issued")
    assert.strictEqual(stub.creations(), before + 2)
    const { entries } = (await operator.get(`${api}/operator/audit?action=invoice.retry&subject=${email}`))
      .body
    assert.deepInclude(entries[0], {
      subject: `Công ty Lan · ${email}`,
      subject_id: invoices[0].id,
      subject_account: await accountOf(person)
    })
    assert.deepStrictEqual((await operator.get(`${api}/operator/invoices`)).body, { open: 0, invoices: [] })
  })

  it.each(["refuse", "fail"] as const)("tells operators why the provider would not (%s)", async (fault) => {
    const receipt = await topUp()
    stub.next(fault)
    await ask(receipt)
    await untilInvoice(receipt, "failed")
    const { invoices } = (await operator.get(`${api}/operator/invoices`)).body
    const own = invoices.find((each: { receipt: string }) => each.receipt === receipt)
    assert.match(own.problem, /Ký hiệu hóa đơn không đúng|Chữ ký số hết hạn/)
  })

  it("is made out to whom the billing details name as it is sent, and to nobody where they name nobody any more", async () => {
    const receipt = await topUp()
    stub.next("refuse")
    await ask(receipt)
    await untilInvoice(receipt, "failed")
    const openOf = async () =>
      (await operator.get(`${api}/operator/invoices`)).body.invoices.find(
        (each: { receipt: string }) => each.receipt === receipt
      )
    const { id } = await openOf()
    const retry = () => operator.post(`${api}/operator/invoices/${id}/retry`)
    const before = stub.creations()
    await person.post(`${api}/billing`, { company: "", tax_code: "", address: "", email: "" })
    await retry()
    await untilInvoice(receipt, "failed")
    assert.strictEqual(
      (await openOf()).problem,
      "the account's billing details name nobody any more, or the top-up was taken back"
    )
    assert.strictEqual(stub.creations(), before)
    await person.post(`${api}/billing`, { ...details, company: "Công ty Lan Anh", tax_code: "0107654321" })
    await retry()
    await untilInvoice(receipt, "issued")
    await person.post(`${api}/billing`, details)
    const { buyer } = stub.created.get(id) as unknown as { readonly buyer: object }
    assert.deepInclude(buyer, { name: "Công ty Lan Anh", tax_code: "0107654321" })
  })

  it("takes a new token where the old one is not taken any more", async () => {
    const before = stub.tokens()
    const receipt = await topUp()
    stub.next("expire the token")
    await ask(receipt)
    await untilInvoice(receipt, "issued")
    assert.strictEqual(stub.tokens(), before + 1)
  })

  it("is not there for whoever has named no company, nor for another's receipt", async () => {
    const other = await signUpPerson(dashboard, "khong-ten@example.vn")
    const receipt = await topUp(other)
    assert.strictEqual((await ask(receipt, other)).status, 404)
    assert.strictEqual((await ask(receipt)).status, 404)
  })
})
