/** Transfers that are taken back while something else happens, or again, or after which something else is told of them. */
import { assert, describe, it } from "@effect/vitest"
import type { BankTransfer } from "../../src/accounts/banks/bank-transfer.ts"
import { orderTopUp, receiveTransfer } from "../../src/accounts/top-up.ts"
import { fromVnd } from "../../src/domain/money.ts"
import { auditBooks } from "../../src/storage/audit/audit-books.ts"
import { addInvoices, markSent } from "../../src/storage/payments/InvoiceStore.ts"
import {
  answerRequest,
  insertRequest,
  listOpenRequests,
  readInstructions
} from "../../src/storage/payments/PaymentRequestStore.ts"
import { balanceVndOf } from "../dashboard/own-account.ts"
import { openSql } from "../storage/with-sql.ts"
import { api, type Customer, useDesk } from "./use-desk.ts"

const amount = fromVnd(70_000n)

const desk = useDesk()
const { newCustomer, step, takeBack } = desk

let last = 0
const transferOf = (memo: string, provider: "sepay" | "casso" = "sepay"): BankTransfer => ({
  provider,
  providerTransferId: `lai-${++last}`,
  direction: "in",
  bankAccounts: ["our account"],
  amount,
  memo,
  transferredAt: new Date(),
  sender: { name: "", account: "", bank: "" },
  bankReference: "",
  shownReference: "",
  raw: "{}"
})
const receive = async (transfer: BankTransfer) => {
  await receiveTransfer(desk.dashboard().sql, transfer, "webhook", "our account", Date.now())
  const [row] = await desk.dashboard().sql`
    select id::text, note from bank_transfers where provider_transfer_id = ${transfer.providerTransferId}`
  return row as { id: string; note: string }
}
const order = async ({ accountId }: Customer) =>
  (await orderTopUp(desk.dashboard().sql, accountId, amount)).code

describe("a transfer that is taken back", () => {
  it("leaves its order as it is where another of the amount is made at this moment", async () => {
    const customer = await newCustomer()
    const { id } = await receive(transferOf(await order(customer)))
    const other = openSql(desk.dashboard().databaseUrl, 1)
    const waits = async () => {
      const rows = await desk.dashboard().sql`select from pg_stat_activity
        where wait_event_type = 'Lock' and query like '%update top_up_orders%' and datname = current_database()`
      return rows.length > 0
    }
    const taking = await other.begin(async (transaction) => {
      await orderTopUp(transaction as never, customer.accountId, amount)
      const begun = takeBack(id, customer)
      while (!(await waits())) continue
      return [begun] as const
    })
    assert.strictEqual((await taking[0]).status, 200)
    await other.end()
    const orders = await desk.dashboard().sql`
      select status, credited_micro_vnd::text as credited from top_up_orders
      where account_id = ${customer.accountId} order by created_at`
    assert.deepStrictEqual(
      orders.map((row) => [row["status"], row["credited"]]),
      [
        ["paid", "0"],
        ["pending", "0"]
      ]
    )
    assert.strictEqual(await balanceVndOf(customer.person), "0")
    assert.deepStrictEqual((await auditBooks(desk.dashboard().sql)).violations, [])
  })

  it("is not credited to the order again when another provider tells of it", async () => {
    const customer = await newCustomer()
    const code = await order(customer)
    const { id } = await receive(transferOf(code))
    await takeBack(id, customer)
    assert.strictEqual((await receive(transferOf(code, "casso"))).note, "told_otherwise")
    assert.strictEqual(await balanceVndOf(customer.person), "0")
    // The same provider tells of another one.
    await receive(transferOf(code))
    assert.strictEqual(await balanceVndOf(customer.person), "70000")
  })

  it("is told of with its invoice when that is asked for again", async () => {
    const customer = await newCustomer()
    await customer.person.post(`${api}/billing`, {
      company: "Công ty Lại",
      tax_code: "0101234567",
      address: "1 Lê Lợi",
      email: ""
    })
    const { id } = await receive(transferOf(await order(customer)))
    const { lines } = (await customer.person.get(`${api}/statement`)).body
    const [invoice] = await desk
      .dashboard()
      .sql.begin((transaction) => addInvoices(transaction as never, "sepay", [lines[0].id]))
    assert.isDefined(await markSent(desk.dashboard().sql, invoice!))
    for (let time = 0; time < 2; time++)
      assert.deepStrictEqual((await takeBack(id, customer)).body, { invoiced: true })
  })

  it("was credited to the account: nobody is told that one was that never was there", async () => {
    const [wrong, other] = [await newCustomer(), await newCustomer()]
    const { id } = await receive(transferOf("ung ho"))
    const refused = async (customer: Customer) => {
      const { body, status } = await takeBack(id, customer)
      assert.deepStrictEqual([status, body.error?.code], [409, "not_credited_there"])
    }
    await refused(wrong)
    await step(id, "assign", { account: wrong.email })
    assert.strictEqual((await takeBack(id, wrong)).status, 200)
    await refused(other)
    assert.strictEqual((await takeBack(id, wrong)).status, 200)
  })
  it("is suggested for the account no more, whatever speaks for it, and still for others", async () => {
    const [wrong, right] = [await newCustomer(), await newCustomer()]
    const { id } = await receive(transferOf(await order(wrong)))
    await takeBack(id, wrong)
    await order(right)
    const { suggestions } = (await desk.operator().get(`${api}/operator/transfers/${id}/suggestions`)).body
    const suggested = suggestions.map(({ account_id: accountId }: Record<string, string>) => accountId)
    assert.include(suggested, right.accountId)
    assert.notInclude(suggested, wrong.accountId)
  })
  it("leaves its order without the request that was paid: the next payment is asked for anew", async () => {
    const customer = await newCustomer()
    const { code, id: orderId } = await orderTopUp(desk.dashboard().sql, customer.accountId, amount)
    const payee = { provider: "payos", account: "client" }
    const told = { bankBin: "970415", account: "1", accountName: "A", memo: code, qr: "000201" }
    await insertRequest(desk.dashboard().sql, { ...payee, number: 7n }, orderId)
    await answerRequest(desk.dashboard().sql, { ...payee, number: 7n }, told)
    const ways = () => readInstructions(desk.dashboard().sql, payee, [orderId], 3)
    const { id } = await receive(transferOf(code))
    assert.deepStrictEqual([...(await ways()).values()], [told])
    await takeBack(id, customer)
    assert.strictEqual((await ways()).size, 0)
    // What is paid by it all the same is found.
    const open = await listOpenRequests(desk.dashboard().sql, payee, new Date(0), 10)
    assert.deepStrictEqual(
      open.map(({ isAnswered, number }) => [number, isAnswered]),
      [[7n, true]]
    )
  })
})
