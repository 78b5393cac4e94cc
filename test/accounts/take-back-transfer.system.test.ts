/** Transfers that were credited to the wrong account: taken back there whole, once, and credited to the right one. */
import { assert, describe, it } from "@effect/vitest"
import type { AccountId } from "../../src/domain/ids.ts"
import { auditBooks } from "../../src/storage/audit/audit-books.ts"
import { addInvoices, markSent } from "../../src/storage/payments/InvoiceStore.ts"
import { creditWallet } from "../../src/storage/WalletStore.ts"
import { balanceVndOf } from "../dashboard/own-account.ts"
import { tellTransfer } from "../dashboard/TestPerson.ts"
import { api, type Customer, operatorEmail, useDesk } from "./use-desk.ts"

const desk = useDesk()
const { assign, newCustomer, step, takeBack } = desk

let last = 0
/** Its id here. */
const transferOf = async (content: string): Promise<string> => {
  const id = `nham-${++last}`
  await tellTransfer(desk.dashboard(), { id, content, transferAmount: 70_000 })
  const [row] = await desk.dashboard()
    .sql`select id::text from bank_transfers where provider_transfer_id = ${id}`
  return row!["id"]
}

const shown = async (id: string) =>
  (await desk.operator().get(`${api}/operator/transfers?id=${id}`)).body.transfers[0]
const movements = async ({ person }: Customer) =>
  (await person.get(`${api}/statement`)).body.lines.map(
    ({ amount_vnd, kind, reason }: Record<string, string>) => [kind, amount_vnd, reason]
  )
const receiptsOf = async ({ person }: Customer) => {
  const { lines } = (await person.get(`${api}/statement`)).body
  const topUps = lines.filter(({ kind }: { kind: string }) => kind === "top_up")
  return Promise.all(
    topUps.map(async ({ id }: { id: string }) => (await person.get(`${api}/receipts/${id}`)).body)
  )
}

describe("a transfer that was credited to the wrong account", () => {
  it("is taken back whole, once, and credited to the right one", async () => {
    const [wrong, right] = [await newCustomer(), await newCustomer()]
    const id = await transferOf("ung ho")
    assert.strictEqual((await assign(id, wrong)).status, 200)
    for (let time = 0; time < 2; time++)
      assert.deepStrictEqual((await takeBack(id, wrong)).body, { invoiced: false })
    assert.deepInclude(await shown(id), {
      status: "unmatched",
      note: "gán nhầm",
      email: null,
      account_id: null,
      assigned_by: operatorEmail
    })
    assert.strictEqual(await balanceVndOf(wrong.person), "0")
    assert.deepStrictEqual(await movements(wrong), [
      ["top_up", "70000", "gán nhầm"],
      ["correction", "-70000", "gán nhầm"]
    ])
    assert.strictEqual((await assign(id, right)).status, 200)
    assert.deepInclude(await shown(id), { status: "credited", account_id: right.accountId })
    assert.strictEqual(await balanceVndOf(right.person), "70000")
    const [[of], [now]] = [await receiptsOf(wrong), await receiptsOf(right)]
    assert.isNumber(of.taken_back_at)
    assert.deepStrictEqual([now.taken_back_at, now.transfer], [null, of.transfer])
    const log = await desk.dashboard().sql`
      select action from audit_log where action like 'transfer.%' and detail->>'account_id' in
        (${wrong.accountId}, ${right.accountId}) order by id`
    assert.deepStrictEqual(
      log.map((row) => row["action"]),
      ["transfer.assign", "transfer.take_back", "transfer.assign"]
    )
    assert.deepStrictEqual((await auditBooks(desk.dashboard().sql)).violations, [])
  })

  it("leaves the order that it paid open, which another may pay", async () => {
    const [wrong, right] = [await newCustomer(), await newCustomer()]
    const order = (await wrong.person.post(`${api}/top-ups`, { amount: 70_000 })).body
    const id = await transferOf(order.code)
    const orderNow = async () => (await wrong.person.get(`${api}/top-ups/${order.id}`)).body.status
    assert.strictEqual(await orderNow(), "paid")
    await takeBack(id, wrong)
    assert.strictEqual(await orderNow(), "pending")
    await assign(id, right)
    // The receipt of the one has nothing of the other's order.
    const [receipt] = await receiptsOf(wrong)
    assert.strictEqual(receipt.code, null)
    await transferOf(order.code)
    assert.strictEqual(await orderNow(), "paid")
    assert.deepStrictEqual(
      [await balanceVndOf(wrong.person), await balanceVndOf(right.person)],
      ["70000", "70000"]
    )
  })

  it("stays where another order of the amount waits, or another transfer has paid it, too", async () => {
    const wrong = await newCustomer()
    const order = async () => (await wrong.person.post(`${api}/top-ups`, { amount: 70_000 })).body
    const first = await order()
    const [once, twice] = [await transferOf(first.code), await transferOf(first.code)]
    const second = await order()
    assert.notStrictEqual(second.id, first.id)
    const state = async (id: string) => {
      const [row] = await desk.dashboard().sql`
        select status, credited_micro_vnd::text as credited from top_up_orders where id = ${id}`
      return [row!["status"], row!["credited"]]
    }
    await takeBack(once, wrong)
    assert.deepStrictEqual(await state(first.id), ["paid", "70000000000"])
    await takeBack(twice, wrong)
    assert.deepStrictEqual(await state(first.id), ["paid", "0"])
    assert.deepStrictEqual(await state(second.id), ["pending", "0"])
  })

  it("is not taken back where some of it is spent, and all of it stays as it was", async () => {
    const wrong = await newCustomer()
    const order = (await wrong.person.post(`${api}/top-ups`, { amount: 70_000 })).body
    const id = await transferOf(order.code)
    const spend = (amount: bigint, creditId: string) =>
      creditWallet(desk.dashboard().sql, {
        accountId: wrong.accountId,
        amount,
        reason: "a",
        actor: "cli",
        creditId,
        atLeast: 0n
      })
    await spend(-1n, `chi-${id}`)
    const answer = await takeBack(id, wrong)
    assert.deepStrictEqual([answer.status, answer.body.error.code], [409, "credit_spent"])
    assert.deepInclude(await shown(id), { status: "credited", account_id: wrong.accountId })
    assert.strictEqual((await wrong.person.get(`${api}/top-ups/${order.id}`)).body.status, "paid")
    await spend(1n, `bu-${id}`)
    assert.strictEqual((await takeBack(id, wrong)).status, 200)
    assert.strictEqual(await balanceVndOf(wrong.person), "0")
  })

  it("is not taken from the right one by somebody who has not seen that it is there by now", async () => {
    const [wrong, right] = [await newCustomer(), await newCustomer()]
    const id = await transferOf("ung ho")
    await assign(id, wrong)
    await takeBack(id, wrong)
    await assign(id, right)
    for (const account of [wrong, { ...wrong, accountId: "acc_none" as AccountId }]) {
      const answer = await takeBack(id, account)
      assert.deepStrictEqual([answer.status, answer.body.error.code], [409, "not_credited_there"])
    }
    assert.strictEqual(await balanceVndOf(right.person), "70000")
    const settled = await transferOf("ung ho")
    await step(settled, "dismiss", {})
    assert.strictEqual((await takeBack(settled, right)).body.error.code, "transfer_settled")
    assert.strictEqual((await takeBack("999999", right)).status, 404)
    assert.strictEqual(
      (await step(id, "take-back", { account_id: right.accountId, reason: " " })).status,
      400
    )
  })

  it("may come and go for ever, and be taken back by one of many at once", async () => {
    const customers = [await newCustomer(), await newCustomer()]
    const id = await transferOf("ung ho")
    for (let round = 0; round < 4; round++) {
      const customer = customers[round % 2]!
      assert.strictEqual((await assign(id, customer)).status, 200)
      const answers = await Promise.all(customers.flatMap((who) => [takeBack(id, who), takeBack(id, who)]))
      assert.includeMembers(
        [200, 409],
        answers.map(({ status }) => status)
      )
      for (const who of customers) assert.strictEqual(await balanceVndOf(who.person), "0")
    }
    const [row] = await desk.dashboard().sql`select taken_back from bank_transfers where id = ${id}`
    assert.strictEqual(row!["taken_back"], 4)
    assert.deepStrictEqual((await auditBooks(desk.dashboard().sql)).violations, [])
  })
})

describe("the invoice of a top-up that is taken back", () => {
  const details = { company: "Công ty Nhầm", tax_code: "0101234567", address: "1 Lê Lợi", email: "" }
  const invoiced = async () => {
    const customer = await newCustomer()
    await customer.person.post(`${api}/billing`, details)
    const id = await transferOf("ung ho")
    await assign(id, customer)
    const [receipt] = await receiptsOf(customer)
    return { customer, id, receipt: receipt.id as string }
  }
  const add = (receipt: string) =>
    desk.dashboard().sql.begin((transaction) => addInvoices(transaction as never, "sepay", [receipt]))

  it("is asked for no more where it has not been sent, and can not be asked for", async () => {
    const { customer, id, receipt } = await invoiced()
    assert.lengthOf(await add(receipt), 1)
    assert.deepStrictEqual((await takeBack(id, customer)).body, { invoiced: false })
    const rows = await desk.dashboard().sql`select from invoices where account_id = ${customer.accountId}`
    assert.lengthOf(rows, 0)
    assert.deepStrictEqual(await add(receipt), [])
    assert.deepStrictEqual((await shown(id)).flags, [])
  })

  it("is told of where it has been sent, also to whoever credits the transfer next", async () => {
    const { customer, id, receipt } = await invoiced()
    const [invoice] = await add(receipt)
    assert.isDefined(await markSent(desk.dashboard().sql, invoice!))
    assert.deepStrictEqual((await takeBack(id, customer)).body, { invoiced: true })
    const right = await newCustomer()
    await assign(id, right)
    assert.deepStrictEqual((await shown(id)).flags, ["invoiced_before"])
  })

  it("is not sent where it was added while the top-up was taken back", async () => {
    const { customer, id, receipt } = await invoiced()
    const [invoice] = await add(receipt)
    const [kept] = await desk.dashboard().sql`select * from invoices where id = ${invoice!}`
    await takeBack(id, customer)
    await desk.dashboard().sql`insert into invoices ${desk.dashboard().sql(kept as never)}`
    assert.isUndefined(await markSent(desk.dashboard().sql, invoice!))
  })
})
