/** What operators do with transfers that are nobody's, in any order and at once, beside webhooks and reconciliation. */
import { assert, describe, it } from "@effect/vitest"
import { afterAll, beforeAll } from "vitest"
import type { BankTransfer } from "../../src/accounts/banks/bank-transfer.ts"
import {
  assignTransfer,
  dismissTransfer,
  reopenTransfer,
  returnTransfer
} from "../../src/accounts/settle-transfer.ts"
import { orderTopUp, receiveTransfer } from "../../src/accounts/top-up.ts"
import { fromVnd } from "../../src/domain/money.ts"
import { vietnamText } from "../../src/domain/vietnam-days.ts"
import { auditBooks } from "../../src/storage/audit/audit-books.ts"
import { startTestDashboard, type TestDashboard } from "../dashboard/start-dashboard.ts"
import { accountOf, balanceVndOf } from "../dashboard/own-account.ts"
import { signUpOperator, signUpPerson, tellTransfer, type TestPerson } from "../dashboard/TestPerson.ts"

const api = "/dashboard/api"

let dashboard: TestDashboard
let operator: TestPerson
beforeAll(async () => {
  dashboard = await startTestDashboard()
  operator = await signUpOperator(dashboard, "operator@example.com")
})
afterAll(() => dashboard.stop())

let lastId = 9_000
const nextId = () => ++lastId

const newCustomer = async (email = `s${nextId()}@example.com`) => {
  const person = await signUpPerson(dashboard, email)
  return { person, email, accountId: await accountOf(person) }
}
/** A transfer that nobody's order explains; its id here. */
const strayTransfer = async (content = "quen ghi noi dung", amount = 70_000) => {
  const id = nextId()
  const transactionDate = vietnamText(Date.now())
  await tellTransfer(dashboard, { id, content, transferAmount: amount, transactionDate })
  const [row] = await dashboard.sql`
    select id::text from bank_transfers where provider_transfer_id = ${String(id)}`
  return { id: row!["id"] as string, providerId: String(id) }
}
const act = (id: string, step: string, body: object) =>
  operator.post(`${api}/operator/transfers/${id}/${step}`, { reason: "khách báo", ...body })
const shown = async (id: string) =>
  (await operator.get(`${api}/operator/transfers`)).body.transfers.find(
    (transfer: { id: string }) => transfer.id === id
  )

describe("an operator", () => {
  it("returns a transfer in two steps, once, with the reference of the one that went back", async () => {
    const { id, providerId } = await strayTransfer()
    assert.strictEqual((await act(id, "return", { reference: "" })).status, 200)
    assert.deepInclude(await shown(id), { status: "returning", note: "khách báo", return_reference: "" })
    for (let time = 0; time < 2; time++)
      assert.strictEqual((await act(id, "return", { reference: " FT99 " })).status, 200)
    assert.deepInclude(await shown(id), {
      status: "returned",
      return_reference: "FT99",
      assigned_by: "operator@example.com"
    })
    const other = await act(id, "return", { reference: "FT100" })
    assert.deepStrictEqual([other.status, other.body.error.code], [409, "transfer_settled"])
    const { email } = await newCustomer()
    const credit = await act(id, "assign", { account: email })
    assert.deepStrictEqual([credit.status, credit.body.error.code], [409, "transfer_settled"])
    const log = await dashboard.sql`
      select action, detail->>'to' as to from audit_log where subject = ${`sepay:${providerId}`} order by id`
    assert.deepStrictEqual(
      log.map((row) => [row["action"], row["to"]]),
      [
        ["transfer.return", "returning"],
        ["transfer.return", "returned"]
      ]
    )
  })

  it("dismisses a transfer, reopens it and assigns it; nothing changes what is credited", async () => {
    const { email, person } = await newCustomer()
    const { id, providerId } = await strayTransfer()
    for (const step of ["dismiss", "dismiss", "reopen", "reopen"])
      assert.strictEqual((await act(id, step, {})).status, 200)
    assert.strictEqual((await act(id, "assign", { account: email })).status, 200)
    for (const [step, body] of [
      ["dismiss", {}],
      ["reopen", {}],
      ["return", { reference: "FT1" }],
      ["assign", { account: email }]
    ] as const) {
      const answer = await act(id, step, body)
      assert.deepStrictEqual([step, answer.status, answer.body.error.code], [step, 409, "already_assigned"])
    }
    assert.strictEqual(await balanceVndOf(person), "70000")
    const log =
      await dashboard.sql`select action from audit_log where subject = ${`sepay:${providerId}`} order by id`
    assert.deepStrictEqual(
      log.map((row) => row["action"]),
      ["transfer.dismiss", "transfer.reopen", "transfer.assign"]
    )
  })

  it("finds each state by the filter, and gives a reason for each step", async () => {
    const { id } = await strayTransfer()
    await act(id, "dismiss", {})
    const { transfers } = (await operator.get(`${api}/operator/transfers?status=dismissed`)).body
    assert.include(
      transfers.map((transfer: { id: string }) => transfer.id),
      id
    )
    assert.isTrue(transfers.every(({ status }: { status: string }) => status === "dismissed"))
    for (const step of ["assign", "return", "dismiss", "reopen"])
      assert.strictEqual((await act(id, step, { reason: " ", account: "a", reference: "" })).status, 400)
    assert.strictEqual((await act("999999", "dismiss", {})).status, 404)
  })

  it("assigns a transfer to an order of the account, and to no other account's", async () => {
    const [payer, other] = [await newCustomer(), await newCustomer()]
    const { code, id: orderId } = (await payer.person.post(`${api}/top-ups`, { amount: 70_000 })).body
    const { id } = await strayTransfer()
    const wrong = await act(id, "assign", { account: other.email, order_code: code })
    assert.strictEqual(wrong.status, 404)
    assert.strictEqual((await act(id, "assign", { account: payer.email, order_code: code })).status, 200)
    assert.strictEqual((await payer.person.get(`${api}/top-ups/${orderId}`)).body.status, "paid")
    assert.strictEqual(await balanceVndOf(payer.person), "70000")
  })
})

describe("suggestions", () => {
  const suggest = async (id: string) =>
    (await operator.get(`${api}/operator/transfers/${id}/suggestions`)).body.suggestions
  const settle = (accountId: string, name: string) =>
    dashboard.sql`update people set name = ${name} where id = ${accountId}`

  it("name whose code the memo almost has, with the order, first", async () => {
    const payer = await newCustomer()
    const { code } = (await payer.person.post(`${api}/top-ups`, { amount: 65_000 })).body
    const wrong = `${code.slice(0, 5)}${code[5] === "7" ? "8" : "7"}${code.slice(6)}`
    const { id } = await strayTransfer(`nap tien ${wrong} MBVCB`, 65_000)
    const [first] = await suggest(id)
    assert.deepInclude(first, { email: payer.email, order_code: code, reasons: ["code", "amount"] })
  })

  it("name whose mail, company or name is like the memo, and who paid from this account before", async () => {
    const [byMail, byCompany, byName, before] = [
      await newCustomer("tran.minh82@example.com"),
      await newCustomer(),
      await newCustomer(),
      await newCustomer()
    ]
    await byCompany.person.post(`${api}/billing`, {
      company: "Công ty TNHH Ánh Sao Việt",
      tax_code: "",
      address: "Hà Nội",
      email: ""
    })
    await settle(byName.accountId, "Phạm Đức Ân")
    const { id, providerId } = await strayTransfer("tranminh82 ANH SAO VIET ck ho PHAM DUC AN", 61_000)
    const former = await strayTransfer("truoc do", 62_000)
    await dashboard.sql`
      update bank_transfers set sender_account = '19001' where provider_transfer_id in (${providerId}, ${former.providerId})`
    await act(former.id, "assign", { account: before.email })
    const found = await suggest(id)
    const reasons = new Map(
      found.map((one: { email: string; reasons: ReadonlyArray<string> }) => [one.email, one.reasons])
    )
    assert.deepStrictEqual(reasons.get(byMail.email), ["mail"])
    assert.deepStrictEqual(reasons.get(byCompany.email), ["company"])
    assert.deepStrictEqual(reasons.get(byName.email), ["name"])
    assert.deepStrictEqual(reasons.get(before.email), ["paid_before"])
    assert.isAtMost(found.length, 5)
    assert.strictEqual((await operator.get(`${api}/operator/transfers/999999/suggestions`)).status, 404)
  })
})

/** Random numbers that are the same for the same seed (mulberry32). */
const randomOf = (seed: number) => {
  let state = seed
  return (below: number): number => {
    state = (state + 0x6d_2b_79_f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

describe("the books", () => {
  it("have each transfer once at most, whatever is done with it in whatever order and at once", async () => {
    const seed = Math.floor(Math.random() * 2 ** 31)
    const random = randomOf(seed)
    const { sql } = dashboard
    const customers = [await newCustomer(), await newCustomer()]
    const orders = await Promise.all(
      customers.map(({ accountId }) => orderTopUp(sql, accountId, fromVnd(100_000n)))
    )
    const names = Array.from({ length: 12 }, () => `random-${nextId()}`)
    const transfers = names.map((providerTransferId, index): BankTransfer => ({
      provider: "sepay",
      providerTransferId,
      direction: "in",
      amount: fromVnd(BigInt(10_000 + index)),
      bankAccounts: ["0123456789"],
      // Every third one names an order.
      memo: index % 3 === 0 ? orders[index % 2]!.code : `khong co ma ${index}`,
      transferredAt: new Date(),
      sender: { name: "", account: "", bank: "" },
      bankReference: "",
      shownReference: "",
      raw: "{}"
    }))
    const step = async () => {
      const transfer = transfers[random(transfers.length)]!
      const [kind, who, reference] = [random(8), random(2), ["", "FT1", "FT2"][random(3)]!]
      if (kind < 2) {
        const heardBy = kind === 0 ? "webhook" : "reconciliation"
        return receiveTransfer(sql, transfer, heardBy, "0123456789", Date.now())
      }
      const [row] = await sql`
        select id::text from bank_transfers where provider_transfer_id = ${transfer.providerTransferId}`
      if (row === undefined) return undefined
      const settlement = { transferId: row["id"] as string, actor: "cli", reason: "a" }
      if (kind === 2) return returnTransfer(sql, { ...settlement, reference })
      if (kind === 3) return dismissTransfer(sql, settlement)
      if (kind === 4) return reopenTransfer(sql, settlement)
      if (kind === 7) {
        const { status } = await act(row["id"], "take-back", { account_id: customers[who]!.accountId })
        return assert.include([200, 409], status, `seed ${seed}`)
      }
      const orderCode = kind === 5 ? undefined : orders[who]!.code
      return assignTransfer(sql, { ...settlement, accountId: customers[who]!.accountId, orderCode })
    }
    for (let round = 0; round < 100; round++) await Promise.all(Array.from({ length: 4 }, step))

    const rows = await sql`
      select t.status, t.account_id, t.taken_back, t.amount_micro_vnd::text as amount, count(e.*)::int as entries,
        coalesce(sum(e.amount_micro_vnd), 0)::text as credited,
        coalesce(sum(e.amount_micro_vnd) filter (where e.account_id = t.account_id), 0)::text as credited_there
      from bank_transfers t left join ledger_entries e
        on e.source = 'top_up' and regexp_replace(e.source_id, '^(back:)?sepay(#\\d+)?:', '') = t.provider_transfer_id
      where t.provider_transfer_id = any (${names}) group by t.id`
    assert.isTrue(
      rows.some((row) => row["taken_back"] > 0),
      `seed ${seed}`
    )
    for (const row of rows) {
      const isCredited = row["status"] === "credited"
      assert.strictEqual(row["entries"], 2 * row["taken_back"] + (isCredited ? 1 : 0), `seed ${seed}`)
      assert.strictEqual(row["credited"], isCredited ? row["amount"] : "0", `seed ${seed}`)
      assert.strictEqual(row["credited_there"], row["credited"], `seed ${seed}`)
    }
    const [{ paid, entered }] = await sql<[{ paid: string; entered: string }]>`
      select (select coalesce(sum(credited_micro_vnd), 0)::text from top_up_orders
          where id = any (${orders.map(({ id }) => id)})) as paid,
        (select coalesce(sum(amount_micro_vnd), 0)::text from bank_transfers
          where order_id = any (${orders.map(({ id }) => id)})) as entered`
    assert.strictEqual(paid, entered, `seed ${seed}`)
    assert.deepStrictEqual((await auditBooks(sql)).violations, [], `seed ${seed}`)
  })
})
