/** Alerts from what happens to what arrives, over the dashboard's routes, a mail server and a customer's own program. */
import { assert, describe, it } from "@effect/vitest"
import { createHmac } from "node:crypto"
import { afterAll, beforeAll } from "vitest"
import { lookAtAccounts } from "../../src/alerts/look-at-accounts.ts"
import { JobQueue } from "../../src/storage/JobQueue.ts"
import { sampleCall, writeCalls } from "../browser/sample-data.ts"
import { startTestDashboard, type TestDashboard } from "../dashboard/start-dashboard.ts"
import { signUpPerson, tellTransfer, TestPerson } from "../dashboard/TestPerson.ts"
import { type Received, type Receiver, startReceiver } from "./receive-webhooks.ts"
import { type MailServer, startMailServer } from "./start-mail-server.ts"
import { until } from "../until.ts"

const api = "/dashboard/api"

let mail: MailServer
let receiver: Receiver
let dashboard: TestDashboard
let queue: JobQueue

beforeAll(async () => {
  mail = await startMailServer()
  receiver = await startReceiver()
  dashboard = await startTestDashboard({
    environment: { SMTP_URL: mail.url, SMTP_FROM: "Tollgate <tollgate@example.vn>" },
    change: (settings) => ({ ...settings, webhooks: { privateRanges: ["127.0.0.1"] } })
  })
  queue = await JobQueue.open({ databaseUrl: dashboard.databaseUrl, warn: () => {} })
})
afterAll(async () => {
  await queue.close()
  await dashboard.stop()
  receiver.stop()
  mail.stop()
})

const look = () => lookAtAccounts(queue, true)

interface Customer {
  readonly person: TestPerson
  readonly accountId: string
  readonly webhook: { readonly id: string; readonly secret: string }
}

const everything = [
  "balance.low",
  "balance.empty",
  "balance.days_left",
  "top_up.credited",
  "budget.nearly_spent",
  "budget.spent",
  "key.expiring",
  "key.created",
  "key.rotated",
  "key.revoked",
  "sign_in.new"
]

const openCustomer = async (email: string, kinds: ReadonlyArray<string> = everything): Promise<Customer> => {
  const person = await signUpPerson(dashboard, email)
  const accountId = (await person.get(`${api}/session`)).body.person.account_id
  const webhook = (await person.post(`${api}/alerts/webhooks`, { url: receiver.url, kinds })).body
  return { person, accountId, webhook }
}

let transfers = 0
const topUp = async (person: TestPerson, amount: number) => {
  const { code } = (await person.post(`${api}/top-ups`, { amount })).body
  await tellTransfer(dashboard, { id: `t${++transfers}`, content: code, transferAmount: amount })
}

const spend = (accountId: string, vnd: number, keyId = "key_x", more: object = {}) =>
  writeCalls(dashboard.databaseUrl, [
    { ...sampleCall(accountId, keyId, 1, Date.now()), cost: BigInt(vnd) * 1_000_000n, ...more }
  ])

/** Of this customer, by kind. */
const of = (customer: Customer, kind: string) =>
  receiver.received.filter(({ json }) => json.account_id === customer.accountId && json.type === kind)

/** Waits until all that was raised for them has been delivered. */
const settle = ({ accountId }: Customer) =>
  until(async () => {
    const pending = await dashboard.sql`
      select from alert_deliveries where account_id = ${accountId} and status = 'pending'`
    return pending.length === 0
  }, 60)

const sendTest = async (customer: Customer) => {
  const path = `${api}/alerts/webhooks/${customer.webhook.id}/test`
  assert.strictEqual((await customer.person.post(path)).status, 200)
  await settle(customer)
}

const signatureOf = ({ body, headers }: Received, secret: string) =>
  `v1,${createHmac("sha256", Buffer.from(secret.replace("whsec_", ""), "base64"))
    .update(`${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`)
    .digest("base64")}`

describe("alerts", () => {
  it("tell of a balance once when it gets low, and again after a top-up", async () => {
    const customer = await openCustomer("thap@example.vn")
    const { accountId, person } = customer
    await look()
    await settle(customer)
    assert.deepStrictEqual(of(customer, "balance.low"), [])
    await topUp(person, 100_000)
    await look()
    await spend(accountId, 85_000)
    for (let turn = 0; turn < 3; turn++) await look()
    const [low] = await receiver.next(1, "balance.low")
    assert.deepStrictEqual(low!.json.data, { balance_vnd: "15000", below_vnd: "20000" })
    // The first one asks to verify the address.
    const letter = (await mail.next(2, "thap@example.vn")).at(-1)
    assert.include(letter!.text, "From: Tollgate <tollgate@example.vn>")
    assert.include(letter!.text, `Message-ID: <${low!.headers["webhook-id"]}@127.0.0.1>`)
    await spend(accountId, 1_000)
    await look()
    await settle(customer)
    assert.strictEqual(of(customer, "balance.low").length, 1)
    await topUp(person, 100_000)
    await look()
    await spend(accountId, 100_000)
    await look()
    await settle(customer)
    assert.strictEqual(of(customer, "balance.low").length, 2)
    assert.strictEqual(of(customer, "top_up.credited").length, 2)
    assert.strictEqual(of(customer, "top_up.credited")[0]!.json.data.amount_vnd, "100000")
  })

  it("are signed so that receivers can tell who sent them, by both secrets while one replaces the other", async () => {
    const customer = await openCustomer("ky@example.vn", [])
    await sendTest(customer)
    const first = of(customer, "test")[0]!
    assert.strictEqual(first.headers["webhook-signature"], signatureOf(first, customer.webhook.secret))
    assert.match(String(first.headers["webhook-id"]), /^msg_[0-9a-f]{32}$/)
    assert.closeTo(Number(first.headers["webhook-timestamp"]), Date.now() / 1_000, 120)
    const path = `${api}/alerts/webhooks/${customer.webhook.id}/rotate`
    const { secret } = (await customer.person.post(path, { overlap_hours: 24 })).body
    assert.match(secret, /^whsec_[\w+/]{43}=$/)
    await sendTest(customer)
    const second = of(customer, "test")[1]!
    assert.deepStrictEqual(String(second.headers["webhook-signature"]).split(" "), [
      signatureOf(second, secret),
      signatureOf(second, customer.webhook.secret)
    ])
    const rows = await dashboard.sql`select sealed_secret from webhook_endpoints`
    assert.notInclude(rows.map((row) => Buffer.from(row["sealed_secret"]).toString("latin1")).join(), secret)
  })

  it("tell of a budget at four fifths and at its end, once in each period", async () => {
    const customer = await openCustomer("ngan-sach@example.vn")
    const { accountId, person } = customer
    await topUp(person, 1_000_000)
    const settings = { name: "bot", rate_limit: 0, budget_vnd: "10000", budget_period: "month" }
    const key = (await person.post(`${api}/keys`, settings)).body
    await look()
    await spend(accountId, 8_100, key.id)
    await look()
    await settle(customer)
    const [nearly] = of(customer, "budget.nearly_spent")
    assert.deepStrictEqual(
      [nearly!.json.data.key, nearly!.json.data.spent_vnd],
      [{ id: key.id, name: "bot" }, "8100"]
    )
    assert.deepStrictEqual(of(customer, "budget.spent"), [])
    // What is left does not cover a call: it is refused, which is how a strict budget ends.
    await spend(accountId, 0, key.id, { status: 402, errorType: "insufficient_balance" })
    for (let turn = 0; turn < 2; turn++) await look()
    await settle(customer)
    assert.strictEqual(of(customer, "budget.spent").length, 1)
    assert.deepStrictEqual(of(customer, "balance.empty"), [])
    await person.post(`${api}/keys/${key.id}`, { budget_vnd: "100000", budget_period: "month" })
    await look()
    await spend(accountId, 95_000, key.id)
    await look()
    await settle(customer)
    assert.strictEqual(of(customer, "budget.spent").length, 2)
    assert.strictEqual(of(customer, "budget.nearly_spent").length, 1)
  })

  it("tell that nothing is left when calls are refused for it, and how long the rest lasts", async () => {
    const customer = await openCustomer("het@example.vn")
    await topUp(customer.person, 100_000)
    await spend(customer.accountId, 60_000)
    await look()
    await settle(customer)
    const [left] = of(customer, "balance.days_left")
    assert.deepStrictEqual(left!.json.data, { balance_vnd: "40000", days_left: 0.7, vnd_per_day: "60000" })
    await spend(customer.accountId, 0, "key_x", { status: 402, errorType: "insufficient_balance" })
    for (let turn = 0; turn < 2; turn++) await look()
    await settle(customer)
    assert.strictEqual(of(customer, "balance.empty").length, 1)
    await topUp(customer.person, 200_000)
    await look()
    await settle(customer)
    assert.strictEqual(of(customer, "balance.empty").length, 1)
  })

  it("tell of keys and sign-ins as they happen", async () => {
    const customer = await openCustomer("khoa@example.vn")
    const { person } = customer
    const expires = Date.now() + 2 * 86_400_000
    const key = (await person.post(`${api}/keys`, { name: "a", rate_limit: 0, expires_at: expires })).body
    await person.post(`${api}/keys/${key.id}/revoke`)
    const again = await person.post(`${api}/keys`, { name: "b", rate_limit: 0, expires_at: expires })
    assert.strictEqual(again.status, 201)
    await dashboard.sql`update people set created_at = now() - interval '1 day' where email = 'khoa@example.vn'`
    await new TestPerson(dashboard).signIn("khoa@example.vn")
    await new TestPerson(dashboard).post(
      `${api}/auth/sign-in/email`,
      { email: "khoa@example.vn", password: "correct horse battery" },
      { "user-agent": "Unknown/1.0" }
    )
    for (let turn = 0; turn < 2; turn++) await look()
    await settle(customer)
    const counts = ["key.created", "key.revoked", "key.expiring", "sign_in.new"].map(
      (kind) => of(customer, kind).length
    )
    assert.deepStrictEqual(counts, [2, 1, 1, 1])
    assert.deepStrictEqual(of(customer, "sign_in.new")[0]!.json.data, {
      address: "203.0.113.7",
      user_agent: "Unknown/1.0"
    })
    assert.notInclude(receiver.received.map(({ body }) => body).join(), "sk-")
  })
})
