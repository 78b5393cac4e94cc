/** Alerts from what happens to what arrives, over the dashboard's routes, a mail server and a customer's own program. */
import { assert, describe, it } from "@effect/vitest"
import { createHmac } from "node:crypto"
import { afterAll, beforeAll } from "vitest"
import { makeCallId } from "../../src/domain/ids.ts"
import { findDue } from "../../src/storage/alerts/DeliveryStore.ts"
import { TestPerson, testPassword } from "../dashboard/TestPerson.ts"
import type { Received } from "./receive-webhooks.ts"
import { until } from "../until.ts"
import { type AlertTests, type Customer, startAlertTests } from "./start-alert-tests.ts"

const api = "/dashboard/api"

let tests: AlertTests
beforeAll(async () => {
  tests = await startAlertTests()
})
afterAll(() => tests.stop())

const sendTest = async (customer: Customer) => {
  const path = `${api}/alerts/webhooks/${customer.webhook.id}/test`
  assert.strictEqual((await customer.person.post(path)).status, 200)
  await tests.settle(customer)
}

const signatureOf = ({ body, headers }: Received, secret: string) =>
  `v1,${createHmac("sha256", Buffer.from(secret.replace("whsec_", ""), "base64"))
    .update(`${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`)
    .digest("base64")}`

describe("alerts", () => {
  it("tell of a balance once when it gets low, and again after a top-up", async () => {
    const customer = await tests.openCustomer("thap@example.vn")
    const { accountId, person } = customer
    await tests.look()
    await tests.settle(customer)
    assert.deepStrictEqual(tests.of(customer, "balance.low"), [])
    await tests.topUp(person, 100_000)
    await tests.look()
    await tests.spend(accountId, 85_000)
    for (let turn = 0; turn < 3; turn++) await tests.look()
    const [low] = await tests.receiver.next(1, "balance.low")
    assert.deepStrictEqual(low!.json.data, { balance_vnd: "15000", below_vnd: "20000" })
    // The first one asks to verify the address.
    const letter = (await tests.mail.next(2, "thap@example.vn")).at(-1)
    assert.include(letter!.text, "From: Tollgate <tollgate@example.vn>")
    assert.include(letter!.text, "Auto-Submitted: auto-generated")
    assert.include(letter!.text, `Message-ID: <${low!.headers["webhook-id"]}@127.0.0.1>`)
    await tests.spend(accountId, 1_000)
    await tests.look()
    await tests.settle(customer)
    assert.strictEqual(tests.of(customer, "balance.low").length, 1)
    await tests.topUp(person, 100_000)
    await tests.look()
    await tests.spend(accountId, 100_000)
    await tests.look()
    await tests.settle(customer)
    assert.strictEqual(tests.of(customer, "balance.low").length, 2)
    assert.strictEqual(tests.of(customer, "top_up.credited").length, 2)
    assert.strictEqual(tests.of(customer, "top_up.credited")[0]!.json.data.amount_vnd, "100000")
  })

  it("tell of what a call has taken that lasted as long as calls may", async () => {
    const customer = await tests.openCustomer("lau@example.vn")
    const { accountId, person } = customer
    await tests.topUp(person, 100_000)
    const hour = 3_600
    await tests.look(hour)
    await tests.spend(accountId, 85_000, "key_x", { atMs: Date.now() - 50 * 60_000 })
    // Those that took long are looked for every five minutes.
    await tests.dashboard.sql`
      update alert_looks set until = until - interval '5 minutes' where pass = 'long_calls'`
    await tests.look(hour)
    await tests.settle(customer)
    assert.strictEqual(tests.of(customer, "balance.low").length, 1)
  })

  it("tell of what calls have taken that were kept elsewhere for hours, as those of a node that had ended", async () => {
    const customer = await tests.openCustomer("muon@example.vn")
    const { accountId, person } = customer
    await tests.topUp(person, 100_000)
    await tests.look()
    await tests.spend(accountId, 85_000, "key_x", { atMs: Date.now() - 2 * 3_600_000 })
    await tests.look()
    await tests.settle(customer)
    assert.strictEqual(tests.of(customer, "balance.low").length, 1)
  })

  it("tell of what is spent where the database's clock had gone a year ahead and is set right", async () => {
    const customer = await tests.openCustomer("truoc@example.vn")
    const { accountId, person } = customer
    await tests.topUp(person, 100_000)
    await tests.look()
    await tests.dashboard.sql`update alert_looks set until = until + interval '1 year'`
    await tests.look()
    await tests.spend(accountId, 85_000)
    await tests.look()
    await tests.settle(customer)
    assert.strictEqual(tests.of(customer, "balance.low").length, 1)
  })

  it("are signed so that receivers can tell who sent them, by both secrets while one replaces the other", async () => {
    const customer = await tests.openCustomer("ky@example.vn", [])
    await sendTest(customer)
    const first = tests.of(customer, "test")[0]!
    assert.strictEqual(first.headers["webhook-signature"], signatureOf(first, customer.webhook.secret))
    assert.match(String(first.headers["webhook-id"]), /^msg_[0-9a-f]{32}$/)
    assert.closeTo(Number(first.headers["webhook-timestamp"]), Date.now() / 1_000, 120)
    const path = `${api}/alerts/webhooks/${customer.webhook.id}/rotate`
    const { secret } = (await customer.person.post(path, { overlap_hours: 24 })).body
    assert.match(secret, /^whsec_[\w+/]{43}=$/)
    await sendTest(customer)
    const second = tests.of(customer, "test")[1]!
    assert.deepStrictEqual(String(second.headers["webhook-signature"]).split(" "), [
      signatureOf(second, secret),
      signatureOf(second, customer.webhook.secret)
    ])
    const rows = await tests.dashboard.sql`select sealed_secret from webhook_endpoints`
    assert.notInclude(rows.map((row) => Buffer.from(row["sealed_secret"]).toString("latin1")).join(), secret)
  })

  it("tell of a budget at four fifths and at its end, once in each period", async () => {
    const customer = await tests.openCustomer("ngan-sach@example.vn")
    const { accountId, person } = customer
    await tests.topUp(person, 1_000_000)
    const settings = { name: "bot", rate_limit_per_minute: 0, budget_vnd: "10000", budget_period: "month" }
    const key = (await person.post(`${api}/keys`, settings)).body
    await tests.look()
    await tests.spend(accountId, 8_100, key.id)
    await tests.look()
    await tests.settle(customer)
    const [nearly] = tests.of(customer, "budget.nearly_spent")
    assert.deepStrictEqual(
      [nearly!.json.data.key, nearly!.json.data.spent_vnd],
      [{ id: key.id, name: "bot" }, "8100"]
    )
    assert.deepStrictEqual(tests.of(customer, "budget.spent"), [])
    // What is left does not cover a call: it is refused, which is how a strict budget ends.
    await tests.spend(accountId, 0, key.id, { status: 402, errorType: "insufficient_balance" })
    for (let turn = 0; turn < 2; turn++) await tests.look()
    await tests.settle(customer)
    assert.strictEqual(tests.of(customer, "budget.spent").length, 1)
    assert.deepStrictEqual(tests.of(customer, "balance.empty"), [])
    await person.post(`${api}/keys/${key.id}`, { budget_vnd: "100000", budget_period: "month" })
    await tests.look()
    // The refused call is a thing of the past.
    await tests.spend(accountId, 1, key.id)
    await tests.look()
    await tests.settle(customer)
    assert.deepStrictEqual(tests.of(customer, "balance.empty"), [])
    await tests.spend(accountId, 95_000, key.id)
    await tests.look()
    await tests.settle(customer)
    assert.strictEqual(tests.of(customer, "budget.spent").length, 2)
    assert.strictEqual(tests.of(customer, "budget.nearly_spent").length, 1)
  })

  it("tell that nothing is left when calls are refused for it, and how long the rest lasts", async () => {
    const customer = await tests.openCustomer("het@example.vn")
    await tests.topUp(customer.person, 100_000)
    await tests.spend(customer.accountId, 60_000)
    await tests.look()
    await tests.settle(customer)
    const [left] = tests.of(customer, "balance.days_left")
    assert.deepStrictEqual(left!.json.data, { balance_vnd: "40000", days_left: 0.6, vnd_per_day: "60000" })
    await tests.spend(customer.accountId, 0, "key_x", { status: 402, errorType: "insufficient_balance" })
    for (let turn = 0; turn < 2; turn++) await tests.look()
    await tests.settle(customer)
    assert.strictEqual(tests.of(customer, "balance.empty").length, 1)
    await tests.topUp(customer.person, 200_000)
    await tests.look()
    await tests.settle(customer)
    assert.strictEqual(tests.of(customer, "balance.empty").length, 1)
  })

  it("tell how long the rest lasts at the pace of the whole week, as the overview does", async () => {
    const customer = await tests.openCustomer("theo-tuan@example.vn")
    await tests.topUp(customer.person, 100_000)
    const atMs = Date.now() - 30 * 86_400_000
    await tests.spend(customer.accountId, 1_000, "key_x", { callId: makeCallId(atMs), atMs })
    // All of the week's in one hour.
    await tests.spend(customer.accountId, 70_000)
    await tests.look()
    await tests.settle(customer)
    const [left] = tests.of(customer, "balance.days_left")
    assert.strictEqual(left!.json.data.days_left, 2.9)
    const { days_left: shown } = (await customer.person.get(`${api}/overview/outlook`)).body
    assert.strictEqual(shown, 2)
  })

  it("tell of no balance any more once its owner has closed the account", async () => {
    const customer = await tests.openCustomer("dong@example.vn")
    await tests.topUp(customer.person, 100_000)
    await tests.look()
    const closed = await customer.person.post(`${api}/person/close`, { password: testPassword })
    assert.strictEqual(closed.status, 200)
    await tests.spend(customer.accountId, 100_000)
    for (let turn = 0; turn < 2; turn++) await tests.look()
    await tests.settle(customer)
    for (const kind of ["balance.empty", "balance.low", "balance.days_left"])
      assert.deepStrictEqual(tests.of(customer, kind), [])
  })

  it("tell of keys and sign-ins as they happen", async () => {
    const customer = await tests.openCustomer("khoa@example.vn")
    const { person } = customer
    const expires = Date.now() + 2 * 86_400_000
    const key = (
      await person.post(`${api}/keys`, { name: "a", rate_limit_per_minute: 0, expires_at: expires })
    ).body
    await person.post(`${api}/keys/${key.id}/revoke`)
    const again = await person.post(`${api}/keys`, {
      name: "b",
      rate_limit_per_minute: 0,
      expires_at: expires
    })
    assert.strictEqual(again.status, 201)
    await tests.dashboard
      .sql`update people set created_at = now() - interval '1 day' where email = 'khoa@example.vn'`
    await new TestPerson(tests.dashboard).signIn("khoa@example.vn")
    await new TestPerson(tests.dashboard).post(
      `${api}/auth/sign-in/email`,
      { email: "khoa@example.vn", password: "correct horse battery" },
      { "user-agent": "Unknown/1.0" }
    )
    for (let turn = 0; turn < 2; turn++) await tests.look()
    await tests.settle(customer)
    const counts = ["key.created", "key.revoked", "key.expiring", "sign_in.new"].map(
      (kind) => tests.of(customer, kind).length
    )
    assert.deepStrictEqual(counts, [2, 1, 1, 1])
    assert.deepStrictEqual(tests.of(customer, "sign_in.new")[0]!.json.data, {
      address: "203.0.113.7",
      user_agent: "Unknown/1.0"
    })
    assert.notInclude(tests.receiver.received.map(({ body }) => body).join(), "sk-")
  })

  it("tell of what somebody comes in by as it changes, but not in the first minute", async () => {
    const customer = await tests.openCustomer("doi@example.vn")
    const change = (currentPassword: string, newPassword: string) =>
      customer.person.post(`${api}/auth/change-password`, { currentPassword, newPassword })
    await change(testPassword, "the first minute's")
    await tests.dashboard
      .sql`update people set created_at = now() - interval '1 day' where email = 'doi@example.vn'`
    await change("wrong password", "not taken at all")
    await change("the first minute's", "another password")
    await tests.look()
    await tests.settle(customer)
    const told = tests.of(customer, "security.changed").map(({ json }) => json.data)
    assert.deepStrictEqual(told, [{ change: "password" }])
  })

  it("by mail are thirty an hour at most, of one account; the next waits", async () => {
    const { accountId, person } = await tests.openCustomer("nhieu@example.vn")
    const { sql } = tests.dashboard
    await sql`insert into alerts (id, account_id, kind, detail) values ('msg_many', ${accountId}, 'key.created', '{}')`
    await sql`insert into alert_deliveries (alert_id, account_id, channel, address, status, attempted_at)
      select 'msg_many', ${accountId}, 'mail', 'la@example.vn', 'delivered', now() from generate_series(1, 30)`
    await person.post(`${api}/alerts`, { mail: ["key.created"] })
    await person.post(`${api}/keys`, { name: "a" })
    await tests.look()
    const waiting = await until(async () => {
      const [row] = await sql`select id::text from alert_deliveries
        where account_id = ${accountId} and channel = 'mail' and status = 'pending'`
      return row && String(row["id"])
    })
    assert.strictEqual((await findDue(sql, waiting))?.isTooMany, true)
    await sql`update alert_deliveries set attempted_at = now() - interval '61 minutes' where alert_id = 'msg_many'`
    assert.strictEqual((await findDue(sql, waiting))?.isTooMany, false)
  })
})
