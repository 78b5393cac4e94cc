import { assert, describe, it } from "@effect/vitest"
import { createServer } from "node:http"
import { afterAll, beforeAll, onTestFinished } from "vitest"
import { listSepay } from "../../src/accounts/banks/list-sepay.ts"
import { reconcileBank } from "../../src/accounts/banks/reconcile-bank.ts"
import { orderTopUp } from "../../src/accounts/top-up.ts"
import { noProxies } from "../../src/config/choose-proxy.ts"
import { fromVnd } from "../../src/domain/money.ts"
import { outwardAgent } from "../../src/outgoing/connect-outward.ts"
import { noBank, startTestDashboard, type TestDashboard } from "../dashboard/start-dashboard.ts"
import { personOf, balanceVndOf } from "../dashboard/own-account.ts"
import { signUpOperator, signUpPerson, tellTransfer, TestPerson } from "../dashboard/TestPerson.ts"
import { listen } from "../listen.ts"

let dashboard: TestDashboard
let secondNode: TestDashboard
beforeAll(async () => {
  dashboard = await startTestDashboard()
  secondNode = await startTestDashboard({ databaseUrl: dashboard.databaseUrl })
})
afterAll(async () => {
  await secondNode.stop()
  await dashboard.stop()
})

let lastId = 1_000
const nextId = () => ++lastId

const newPerson = () => signUpPerson(dashboard, `p${nextId()}@example.com`)
const order = async (person: TestPerson, amount = 100_000) =>
  (await person.post("/dashboard/api/top-ups", { amount })).body
const transferOf = async (id: number | string) => {
  const [row] = await dashboard.sql`
    select status, note, flags, order_id, account_id from bank_transfers where provider_transfer_id = ${String(id)}`
  return row
}

describe("a transfer", () => {
  it("pays its order: the wallet has the money, the order is paid, the ledger and every node know", async () => {
    const person = await newPerson()
    const { code, id: orderId } = await order(person)
    const id = nextId()
    const answer = await tellTransfer(dashboard, {
      id,
      content: `Nap tien ${code} FT123`,
      transferAmount: 100_000
    })
    assert.deepStrictEqual([answer.status, answer.text], [200, '{"success":true}'])
    assert.strictEqual(await balanceVndOf(person), "100000")
    assert.strictEqual((await person.get(`/dashboard/api/top-ups/${orderId}`)).body.status, "paid")
    const [account] = await dashboard.sql`select account_id from top_up_orders where id = ${orderId}`
    const entries = await dashboard.sql`
      select source, source_id, amount_micro_vnd::text as amount from ledger_entries
      where account_id = ${account?.["account_id"]}`
    assert.deepStrictEqual(
      [...entries],
      [{ source: "top_up", source_id: `sepay:${id}`, amount: "100000000000" }]
    )
    const events = await dashboard.sql`
      select kind from node_events where subject = ${account?.["account_id"]}`
    assert.deepStrictEqual([...events], [{ kind: "wallet" }])
  })

  it("told 20 times at once, on two nodes, is credited once", async () => {
    const person = await newPerson()
    const { code } = await order(person)
    const event = { id: nextId(), content: code, transferAmount: 100_000 }
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => tellTransfer(index % 2 === 0 ? dashboard : secondNode, event))
    )
    assert.isTrue(answers.every(({ status, text }) => status === 200 && text === '{"success":true}'))
    assert.strictEqual(await balanceVndOf(person), "100000")
  })

  it("replayed later within its window changes nothing", async () => {
    const person = await newPerson()
    const { code } = await order(person)
    const event = { id: nextId(), content: code, transferAmount: 100_000 }
    await tellTransfer(dashboard, event)
    await tellTransfer(dashboard, event)
    await tellTransfer(dashboard, { ...event, transferAmount: 900_000 })
    assert.strictEqual(await balanceVndOf(person), "100000")
    assert.include(dashboard.warnings.at(-1), `sepay:${event.id} was told of again with another amount`)
  })

  it("that is forged or stale is refused and leaves no trace", async () => {
    const person = await newPerson()
    const { code } = await order(person)
    const id = nextId()
    const event = { id, content: code, transferAmount: 100_000 }
    assert.strictEqual((await tellTransfer(dashboard, event, { secret: "forged" })).status, 401)
    assert.strictEqual((await tellTransfer(dashboard, event, { when: Date.now() - 600_000 })).status, 401)
    assert.strictEqual((await new TestPerson(dashboard).post("/webhooks/sepay", event)).status, 401)
    assert.isUndefined(await transferOf(id))
    assert.strictEqual(await balanceVndOf(person), "0")
  })

  it.each([
    ["less than ordered", 30_000],
    ["more than ordered", 250_000]
  ])("of %s is credited with what arrived", async (_, amount) => {
    const person = await newPerson()
    const { code } = await order(person)
    const id = nextId()
    await tellTransfer(dashboard, { id, content: code, transferAmount: amount })
    assert.strictEqual(await balanceVndOf(person), String(amount))
    assert.deepStrictEqual((await transferOf(id))?.["flags"], ["amount_differs"])
  })

  it("that comes again for a paid order, or after its page expired, is credited and flagged", async () => {
    const person = await newPerson()
    const { code, id: orderId } = await order(person)
    await dashboard.sql`update top_up_orders set expires_at = now() - interval '1 day' where id = ${orderId}`
    assert.strictEqual((await person.get(`/dashboard/api/top-ups/${orderId}`)).body.status, "expired")
    const [late, extra] = [nextId(), nextId()]
    await tellTransfer(dashboard, { id: late, content: code, transferAmount: 100_000 })
    await tellTransfer(dashboard, { id: extra, content: code, transferAmount: 100_000 })
    assert.strictEqual(await balanceVndOf(person), "200000")
    assert.deepStrictEqual((await transferOf(late))?.["flags"], ["late_or_extra"])
    assert.deepStrictEqual((await transferOf(extra))?.["flags"], ["late_or_extra"])
  })

  it("with a mangled memo still finds its order", async () => {
    const person = await newPerson()
    const { code } = await order(person)
    const content = `ck ${code.slice(0, 5).toLowerCase()} ${code.slice(5)}.CT TU 0011`
    await tellTransfer(dashboard, { id: nextId(), content, transferAmount: 100_000 })
    assert.strictEqual(await balanceVndOf(person), "100000")
  })

  it("without a known code, or with two, waits for an operator", async () => {
    const [first, second] = [await newPerson(), await newPerson()]
    const codes = [(await order(first)).code, (await order(second)).code]
    const [none, both] = [nextId(), nextId()]
    await tellTransfer(dashboard, { id: none, content: "chuyen tien an trua" })
    await tellTransfer(dashboard, { id: both, content: codes.join(" va ") })
    assert.deepInclude(await transferOf(none), { status: "unmatched", note: "no_order" })
    assert.deepInclude(await transferOf(both), { status: "unmatched", note: "several_orders" })
    assert.deepStrictEqual([await balanceVndOf(first), await balanceVndOf(second)], ["0", "0"])
  })

  it("that leaves the account, or enters another one, is kept and credited to nobody", async () => {
    const person = await newPerson()
    const { code } = await order(person)
    const [out, elsewhere] = [nextId(), nextId()]
    await tellTransfer(dashboard, { id: out, content: code, transferType: "out" })
    await tellTransfer(dashboard, { id: elsewhere, content: "chuyen tien", accountNumber: "999" })
    assert.deepInclude(await transferOf(out), { status: "ignored", note: "outgoing" })
    assert.deepInclude(await transferOf(elsewhere), { status: "ignored", note: "other_account" })
    assert.strictEqual(await balanceVndOf(person), "0")
  })

  it("that pays an order into another account waits for an operator, who is told", async () => {
    const person = await newPerson()
    const { code, id: orderId } = await order(person)
    const id = nextId()
    await tellTransfer(dashboard, { id, content: code, accountNumber: "999", transferAmount: 100_000 })
    assert.deepInclude(await transferOf(id), { status: "unmatched", note: "other_account" })
    assert.strictEqual(await balanceVndOf(person), "0")
    assert.include(
      dashboard.warnings,
      `Transfer sepay:${id} names an order, but did not enter the account that is set: it waits for an operator`
    )
    const operator = await signUpOperator(dashboard, "khac-tk@example.com")
    const [transfer] = (await operator.get("/dashboard/api/operator/transfers?status=unmatched")).body
      .transfers
    const { email } = await personOf(person)
    const assigning = { account: email, order_code: code, reason: "our former account" }
    const path = `/dashboard/api/operator/transfers/${transfer.id}/assign`
    assert.strictEqual((await operator.post(path, assigning)).status, 200)
    assert.strictEqual(await balanceVndOf(person), "100000")
    const { body: paid } = await person.get(`/dashboard/api/top-ups/${orderId}`)
    assert.deepInclude(paid, { status: "paid", credited_vnd: "100000" })
  })

  it("is assigned by an operator once, with name and reason, even by two at the same time", async () => {
    const person = await newPerson()
    const email = (await personOf(person)).email
    const operator = await signUpOperator(dashboard, `op${nextId()}@example.com`)
    const id = nextId()
    await tellTransfer(dashboard, { id, content: "quen ghi noi dung", transferAmount: 70_000 })
    const [row] =
      await dashboard.sql`select id::text from bank_transfers where provider_transfer_id = ${String(id)}`
    const assign = () =>
      operator.post(`/dashboard/api/operator/transfers/${row?.["id"]}/assign`, {
        account: email,
        reason: "gọi điện"
      })
    const statuses = (await Promise.all([assign(), assign(), assign()])).map(({ status }) => status)
    assert.deepStrictEqual(statuses.toSorted(), [200, 409, 409])
    assert.strictEqual(await balanceVndOf(person), "70000")
    const audit =
      await dashboard.sql`select detail->>'reason' as reason from audit_log where subject = ${`sepay:${id}`}`
    assert.deepStrictEqual([...audit], [{ reason: "gọi điện" }])
  })
})

describe("orders", () => {
  it("of the same amount share one pending code, also when asked for at once", async () => {
    const person = await newPerson()
    const codes = (await Promise.all(Array.from({ length: 8 }, () => order(person)))).map(({ code }) => code)
    assert.strictEqual(new Set(codes).size, 1)
    assert.notStrictEqual((await order(person, 200_000)).code, codes[0])
  })

  it("of too little are refused", async () => {
    const person = await newPerson()
    const answer = await person.post("/dashboard/api/top-ups", { amount: 49_999 })
    assert.deepStrictEqual([answer.status, answer.body], [400, { error: { code: "amount_too_small" } }])
  })

  it("tell the page that watches them, though the news comes in on another node", async () => {
    const person = await newPerson()
    const { code, id } = await order(person)
    const response = await fetch(`${dashboard.url}/dashboard/api/top-ups/${id}/events`, {
      headers: { cookie: person.cookie }
    })
    const events = response.body!.pipeThrough(new TextDecoderStream()).getReader()
    assert.include((await events.read()).value, '"status":"pending"')
    await tellTransfer(secondNode, { id: nextId(), content: code, transferAmount: 100_000 })
    assert.include((await events.read()).value, '"status":"paid"')
    assert.isTrue((await events.read()).done)
  })

  const simulated = async (environment: Readonly<Record<string, string>>) => {
    const { databaseUrl } = dashboard
    const started = await startTestDashboard({ databaseUrl, environment })
    onTestFinished(() => started.stop())
    const person = await signUpPerson(started, `p${nextId()}@example.com`)
    const { person: me, simulates_bank: shown } = (await person.get("/dashboard/api/session")).body
    const { id } = await orderTopUp(dashboard.sql, me.account_id, fromVnd(100_000n))
    const { status } = await person.post(`/dashboard/api/top-ups/${id}/simulate`)
    return { status, shown, balance: await balanceVndOf(person) }
  }

  it("are paid by the simulated bank where providers and bank are both simulated, by the same path", async () => {
    assert.deepStrictEqual(await simulated(noBank), { status: 200, shown: true, balance: "100000" })
  })

  it.each<readonly [string, Readonly<Record<string, string>>]>([
    ["a real bank", {}],
    ["a real bank's messenger", { ...noBank, SEPAY_API_KEY: "messenger-key" }],
    ["a real provider", { ...noBank, OPENAI_API_KEY: "sk-sample" }],
    ["production", { ...noBank, NODE_ENV: "production" }]
  ])("have no simulated bank with %s", async (_, environment) => {
    const { balance, shown, status } = await simulated(environment)
    assert.deepStrictEqual({ balance, shown, status }, { balance: "0", shown: false, status: 404 })
  })
})

describe("reconciliation", () => {
  it("receives what the webhook did not deliver, and nothing twice", async () => {
    const person = await newPerson()
    const { code } = await order(person)
    const [known, missed] = [nextId(), nextId()]
    await tellTransfer(dashboard, { id: known, content: code, transferAmount: 100_000 })
    const row = { account_number: "0123456789", transaction_date: "2026-11-20 10:00:00", amount_out: "0.00" }
    const transactions = [
      { ...row, id: String(missed), amount_in: "40000.00", transaction_content: code },
      { ...row, id: String(known), amount_in: "100000.00", transaction_content: code }
    ]
    const asked: Array<string> = []
    const bank = createServer((request, response) => {
      asked.push(`${request.headers.authorization} ${new URL(request.url!, "http://bank").pathname}`)
      response.end(JSON.stringify({ status: 200, transactions }))
    })
    onTestFinished(() => void bank.close())
    const baseUrl = `http://127.0.0.1:${await listen(bank)}`
    const reconcile = () =>
      reconcileBank(dashboard.sql, {
        provider: "sepay",
        list: listSepay({ baseUrl, token: "token", bankAccount: "0123456789" }),
        ourAccount: "0123456789",
        agent: outwardAgent(noProxies),
        nowMs: Date.now(),
        signal: new AbortController().signal
      })
    assert.deepStrictEqual(await reconcile(), { seen: 2, missed: 1 })
    assert.deepStrictEqual(await reconcile(), { seen: 2, missed: 0 })
    assert.strictEqual(await balanceVndOf(person), "140000")
    assert.deepStrictEqual(new Set(asked), new Set(["Bearer token /transactions/list"]))
  })
})

describe("the books", () => {
  it("balance after all of this: every wallet is the sum of its entries", async () => {
    const wrong = await dashboard.sql`
      select w.account_id from wallet_balances w left join ledger_entries e on e.account_id = w.account_id
      group by w.account_id, w.balance_micro_vnd
      having w.balance_micro_vnd <> coalesce(sum(e.amount_micro_vnd), 0)`
    assert.deepStrictEqual([...wrong], [])
  })
})
