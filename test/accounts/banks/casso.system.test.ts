/** Casso's webhook and list, up to the wallet. */
import { assert, describe, it } from "@effect/vitest"
import { createServer } from "node:http"
import { afterAll, beforeAll, onTestFinished } from "vitest"
import { listCasso } from "../../../src/accounts/banks/list-casso.ts"
import { reconcileBank } from "../../../src/accounts/banks/reconcile-bank.ts"
import { noProxies } from "../../../src/config/choose-proxy.ts"
import { outwardAgent } from "../../../src/outgoing/connect-outward.ts"
import { type CassoEvent, cassoBody, cassoRow, cassoSignature } from "../../dashboard/casso-event.ts"
import { startTestDashboard, type TestDashboard } from "../../dashboard/start-dashboard.ts"
import { balanceVndOf } from "../../dashboard/own-account.ts"
import { signUpPerson, TestPerson } from "../../dashboard/TestPerson.ts"
import { listen } from "../../listen.ts"

const secret = "casso-secret-of-the-tests"

let dashboard: TestDashboard
beforeAll(async () => {
  dashboard = await startTestDashboard({
    environment: { SEPAY_WEBHOOK_SECRET: "", CASSO_WEBHOOK_SECRET: secret }
  })
})
afterAll(() => dashboard.stop())

let lastId = 5_000
const nextId = () => ++lastId

const newPerson = () => signUpPerson(dashboard, `c${nextId()}@example.com`)
const order = async (person: TestPerson): Promise<{ readonly code: string; readonly id: string }> =>
  (await person.post("/dashboard/api/top-ups", { amount: 100_000 })).body
const transferOf = async (id: number) =>
  (
    await dashboard.sql`
    select status, note, direction, amount_micro_vnd::text as amount, sender_name, sender_account, bank_reference
    from bank_transfers where provider = 'casso' and provider_transfer_id = ${String(id)}`
  )[0]
const tell = (event: CassoEvent, key = secret) => {
  const body = cassoBody(event)
  return new TestPerson(dashboard).post("/webhooks/casso", body, {
    "x-casso-signature": cassoSignature(body, key)
  })
}

describe("a transfer that Casso tells of", () => {
  it("pays its order once, however often and at once it is told, and keeps who sent it", async () => {
    const person = await newPerson()
    const { code, id: orderId } = await order(person)
    const id = nextId()
    const event = {
      id,
      amount: 100_000,
      description: `NAP ${code}`,
      reference: `FT${id}`,
      counterAccountName: "NGUYEN VAN A",
      counterAccountNumber: "19001"
    }
    const answers = await Promise.all(Array.from({ length: 10 }, () => tell(event)))
    assert.isTrue(answers.every(({ status, text }) => status === 200 && text === '{"success":true}'))
    assert.strictEqual(await balanceVndOf(person), "100000")
    assert.strictEqual((await person.get(`/dashboard/api/top-ups/${orderId}`)).body.status, "paid")
    assert.deepStrictEqual(await transferOf(id), {
      status: "credited",
      note: "",
      direction: "in",
      amount: "100000000000",
      sender_name: "NGUYEN VAN A",
      sender_account: "19001",
      bank_reference: `FT${id}`
    })
  })

  it("is refused with another signature, leaves no trace, and SePay's path is not there", async () => {
    const id = nextId()
    assert.strictEqual((await tell({ id }, "forged")).status, 401)
    assert.isUndefined(await transferOf(id))
    assert.strictEqual((await new TestPerson(dashboard).post("/webhooks/sepay", "{}")).status, 404)
  })

  it("that leaves, or enters another account, credits nobody", async () => {
    const person = await newPerson()
    const { code } = await order(person)
    const [out, elsewhere] = [nextId(), nextId()]
    await tell({ id: out, description: code, amount: -100_000 })
    await tell({ id: elsewhere, description: "chuyen tien", accountNumber: "88888888" })
    assert.deepInclude(await transferOf(out), { note: "outgoing", direction: "out", amount: "100000000000" })
    assert.deepInclude(await transferOf(elsewhere), { status: "ignored", note: "other_account" })
    assert.strictEqual(await balanceVndOf(person), "0")
  })

  it("with the reference of another one, or told of by another provider, waits for an operator", async () => {
    const person = await newPerson()
    const [first, again, elsewhere] = [nextId(), nextId(), nextId()]
    const event = { amount: 100_000, description: (await order(person)).code, reference: `FT${first}` }
    await tell({ ...event, id: first })
    await tell({ ...event, id: again })
    assert.deepInclude(await transferOf(again), { status: "unmatched", note: "told_otherwise" })
    const warning = `Transfer casso:${again} may have been reported before: it waits for an operator`
    assert.strictEqual(dashboard.warnings.at(-1), warning)
    await dashboard.sql`
      update bank_transfers set provider = 'sepay' where provider_transfer_id = ${String(first)}`
    await tell({ ...event, id: elsewhere, reference: "" })
    assert.deepInclude(await transferOf(elsewhere), { status: "unmatched", note: "told_otherwise" })
    assert.strictEqual(await balanceVndOf(person), "100000")
  })
})

/** Casso's list: oldest first, ten on a page whatever is asked for. */
const startCasso = async (rows: ReadonlyArray<unknown>) => {
  const asked: Array<string> = []
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url!, "http://casso")
    asked.push(`${request.headers.authorization} ${pathname} ${searchParams.get("fromDate")}`)
    const page = Number(searchParams.get("page"))
    const records = rows.slice((page - 1) * 10, page * 10)
    const totalPages = Math.ceil(rows.length / 10)
    response.statusCode = rows.length === 0 ? 500 : 200
    response.end(JSON.stringify({ error: 0, data: { page, totalPages, records } }))
  })
  onTestFinished(() => void server.close())
  return { asked, baseUrl: `http://127.0.0.1:${await listen(server)}` }
}

const reconcile = (baseUrl: string, nowMs: number) =>
  reconcileBank(dashboard.sql, {
    provider: "casso",
    list: listCasso({ baseUrl, apiKey: "key" }),
    ourAccount: "0123456789",
    agent: outwardAgent(noProxies),
    nowMs,
    signal: new AbortController().signal
  })

describe("reconciliation with Casso", () => {
  it("receives every page of what the webhook did not tell, once, and asks from where it last had all", async () => {
    const person = await newPerson()
    const { code } = await order(person)
    const known = nextId()
    await tell({ id: known, amount: 100_000, description: code })
    const missed = Array.from({ length: 24 }, () =>
      cassoRow({ id: nextId(), amount: 10_000, description: code })
    )
    const { asked, baseUrl } = await startCasso([
      cassoRow({ id: known, amount: 100_000, description: code }),
      ...missed
    ])
    const nowMs = Date.UTC(2026, 10, 20, 12)
    assert.deepStrictEqual(await reconcile(baseUrl, nowMs), { seen: 25, missed: 24 })
    assert.strictEqual(await balanceVndOf(person), "340000")
    assert.deepStrictEqual(asked, Array(3).fill("Apikey key /transactions 2026-11-17"))

    const silent = await startCasso([])
    const failure = await reconcile(silent.baseUrl, nowMs + 86_400_000).then(
      () => "done",
      (error: Error) => error.message
    )
    assert.strictEqual(failure, "Casso answered 500 without a list of transactions")

    // Ten days later: a day before what was last received whole.
    assert.deepStrictEqual(await reconcile(baseUrl, nowMs + 10 * 86_400_000), { seen: 25, missed: 0 })
    assert.strictEqual(asked.at(-1), "Apikey key /transactions 2026-11-19")
    assert.strictEqual(await balanceVndOf(person), "340000")
  })
})
