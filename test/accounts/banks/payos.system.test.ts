/** payOS: orders that it takes the payment of, its webhook, and what is asked of it later. */
import { assert, describe, it } from "@effect/vitest"
import { afterAll, beforeAll, beforeEach } from "vitest"
import { listPayos } from "../../../src/accounts/banks/list-payos.ts"
import { reconcileBank } from "../../../src/accounts/banks/reconcile-bank.ts"
import { noProxies } from "../../../src/config/choose-proxy.ts"
import { outwardAgent } from "../../../src/outgoing/connect-outward.ts"
import { payosBody, payosEnvironment, type PayosStub, startPayos } from "../../dashboard/payos-stub.ts"
import { startTestDashboard, type TestDashboard } from "../../dashboard/start-dashboard.ts"
import { balanceVndOf } from "../../dashboard/own-account.ts"
import { signUpPerson, TestPerson } from "../../dashboard/TestPerson.ts"

const checksumKey = "checksum-key-of-the-tests"

let payos: PayosStub
let dashboard: TestDashboard
beforeAll(async () => {
  payos = await startPayos(checksumKey)
  dashboard = await startTestDashboard({
    environment: payosEnvironment(checksumKey),
    change: (settings) => ({
      ...settings,
      topUp: { ...settings.topUp, baseUrls: { ...settings.topUp.baseUrls, payos: payos.url } }
    })
  })
})
afterAll(async () => {
  await dashboard.stop()
  payos.close()
})
beforeEach(() => void (payos.mood = "well"))

let lastId = 100
const newPerson = () => signUpPerson(dashboard, `y${++lastId}@example.com`)
const order = (person: TestPerson, amount = 100_000) => person.post("/dashboard/api/top-ups", { amount })
const paymentOf = (amount: number) => ({
  amount,
  accountNumber: "0123456789",
  description: "CS1 ABC",
  reference: `FT${++lastId}`,
  transactionDateTime: "2026-11-20 14:00:00",
  counterAccountName: "NGUYEN VAN A",
  counterAccountNumber: "19001"
})
const tell = (data: Readonly<Record<string, unknown>>) =>
  new TestPerson(dashboard).post(
    "/webhooks/payos",
    payosBody({ currency: "VND", code: "00", desc: "success", ...data }, checksumKey)
  )
const reconcile = (nowMs = Date.now(), clientId = "client") =>
  reconcileBank(dashboard.sql, {
    provider: "payos",
    list: listPayos({
      clientId,
      apiKey: "key",
      checksumKey,
      baseUrl: payos.url,
      pageUrl: "http://x"
    }),
    ourAccount: undefined,
    agent: outwardAgent(noProxies),
    nowMs,
    signal: new AbortController().signal
  })

describe("an order with payOS", () => {
  it("is taken there once, with its code in nine characters, and shown with its account, memo and QR code", async () => {
    const person = await newPerson()
    const first = await order(person)
    const again = await order(person)
    assert.strictEqual(first.status, 201)
    const asked = payos.asked.at(-1)!
    assert.strictEqual(payos.asked.length, 1)
    assert.deepInclude(asked, { amount: 100_000, description: first.body.code.slice(2) })
    assert.match(String(asked["signature"]), /^[0-9a-f]{64}$/)
    assert.deepStrictEqual(first.body.bank, {
      name: "MB Bank",
      account: "VQRQ0001",
      account_name: "CONG TY TOLLGATE",
      memo: `CS1 ${first.body.code.slice(2)}`,
      qr: `00020101021238570010A000000727${asked.orderCode}`
    })
    assert.deepStrictEqual(again.body.bank, first.body.bank)
    const listed = (await person.get("/dashboard/api/top-ups")).body
    assert.isTrue(listed.is_open)
    assert.deepStrictEqual(listed.orders[0].bank, first.body.bank)
    const shown = await person.get(`/dashboard/api/top-ups/${first.body.id}`)
    assert.deepStrictEqual(shown.body.bank, first.body.bank)
  })

  it("is paid by the number of its request, whatever the memo says, however often it is told", async () => {
    const person = await newPerson()
    const { id } = (await order(person)).body
    const { orderCode } = payos.asked.at(-1)!
    const event = { ...paymentOf(100_000), orderCode }
    const answers = await Promise.all(Array.from({ length: 8 }, () => tell(event)))
    assert.deepStrictEqual(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size, 1)
    assert.strictEqual(answers[0]?.status, 200)
    assert.strictEqual(await balanceVndOf(person), "100000")
    assert.strictEqual((await person.get(`/dashboard/api/top-ups/${id}`)).body.status, "paid")
  })

  it("that payOS refuses says so, and is taken when it is asked again", async () => {
    const person = await newPerson()
    payos.mood = "refusing"
    const refused = await order(person)
    assert.deepStrictEqual([refused.status, refused.body.error.code], [503, "top_up_unavailable"])
    assert.include(dashboard.warnings.at(-1), "payOS refused with 200, code 101")
    payos.mood = "well"
    assert.strictEqual((await order(person)).status, 201)
  })

  it("whose answer was lost is asked for under another number, and both pay it", async () => {
    const person = await newPerson()
    payos.mood = "losing"
    assert.strictEqual((await order(person)).status, 503)
    const lost = payos.asked.at(-1)!.orderCode
    payos.mood = "well"
    assert.strictEqual((await order(person)).status, 201)
    const known = payos.asked.at(-1)!.orderCode
    assert.notStrictEqual(lost, known)
    await tell({ ...paymentOf(100_000), orderCode: lost })
    await tell({ ...paymentOf(100_000), orderCode: known })
    assert.strictEqual(await balanceVndOf(person), "200000")
  })

  it("is taken anew once another account with payOS takes payments, and never shown with the former one", async () => {
    const person = await newPerson()
    const { id } = (await order(person, 60_000)).body
    const former = payos.asked.at(-1)!.orderCode
    const withAccount = (clientId: string) =>
      dashboard.apply((settings) => ({
        ...settings,
        topUp: { ...settings.topUp, payos: { ...settings.topUp.payos!, clientId } }
      }))
    payos.clientId = "another"
    withAccount("another")
    try {
      assert.isUndefined((await person.get(`/dashboard/api/top-ups/${id}`)).body.bank)
      assert.include((await order(person, 60_000)).body.bank.qr, String(payos.asked.at(-1)!.orderCode))
      assert.notStrictEqual(payos.asked.at(-1)!.orderCode, former)
      // It knows nothing of the former one's, and is not asked after them.
      await reconcile(Date.now(), "another")
    } finally {
      payos.clientId = "client"
      withAccount("client")
    }
  })

  it("is not touched by the trial of the webhook's address, nor by what names no request", async () => {
    const [{ count: before }] = await dashboard.sql<[{ count: string }]>`select count(*) from bank_transfers`
    assert.strictEqual((await tell({ ...paymentOf(3_000), orderCode: 123 })).status, 200)
    const [{ count: after }] = await dashboard.sql<[{ count: string }]>`select count(*) from bank_transfers`
    assert.strictEqual(after, before)
    const stray = paymentOf(3_000)
    assert.strictEqual((await tell({ ...stray, orderCode: 77 })).status, 200)
    const [row] = await dashboard.sql`
      select status, note from bank_transfers where provider_transfer_id = ${`77/${stray.reference}`}`
    assert.deepStrictEqual({ ...row }, { status: "unmatched", note: "no_order" })
  })
})

describe("reconciliation with payOS", () => {
  it("asks after each open request, credits what was missed once, and no more when it is paid", async () => {
    const person = await newPerson()
    await order(person, 70_000)
    const { orderCode } = payos.asked.at(-1)!
    assert.strictEqual((await reconcile()).missed, 0)
    const payment = paymentOf(70_000)
    payos.payments.set(orderCode, [
      { ...payment, transactionDateTime: "2026-11-20T14:00:00+07:00", virtualAccountNumber: null }
    ])
    assert.deepInclude(await reconcile(), { missed: 1 })
    await tell({ ...payment, orderCode })
    assert.strictEqual(await balanceVndOf(person), "70000")
    const [row] = await dashboard.sql`
      select closed_at is not null as closed from payment_requests where number = ${orderCode}`
    assert.isTrue(row?.["closed"])
  })

  it("goes on past a request that payOS does not know, which is given up after an hour where it never answered", async () => {
    const person = await newPerson()
    payos.mood = "refusing"
    await order(person, 80_000)
    const openNow = async () =>
      (await dashboard.sql`select from payment_requests where closed_at is null and qr is null`).length
    const before = await openNow()
    assert.isAbove(before, 0)
    await reconcile()
    assert.strictEqual(await openNow(), before)
    await reconcile(Date.now() + 2 * 3_600_000)
    assert.isBelow(await openNow(), before)
  })

  it("comes to each request in its turn where very many are open", async () => {
    const person = await newPerson()
    await order(person, 90_000)
    const { orderCode } = payos.asked.at(-1)!
    payos.payments.set(orderCode, [paymentOf(90_000)])
    await dashboard.sql`
      insert into payment_requests (provider, number, order_id, account, asked_at)
      select 'payos', n, order_id, account, now() + n * interval '1 millisecond'
      from payment_requests, generate_series(1, 350) n where number = ${orderCode}`
    for (let round = 0; round < 3; round++) await reconcile()
    assert.strictEqual(await balanceVndOf(person), "90000")
  })
})
