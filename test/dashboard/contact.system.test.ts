/** What an operator sees of how a customer is reached and comes in, and what of it stays the customer's alone. */
import { assert, describe, it } from "@effect/vitest"
import { afterAll, beforeAll } from "vitest"
import { accountOf } from "./own-account.ts"
import { startTestDashboard, type TestDashboard } from "./start-dashboard.ts"
import { signUpOperator, signUpPerson, type TestPerson } from "./TestPerson.ts"

const api = "/dashboard/api"
const hook = "https://hooks.example:8443/services/T0/secret-of-the-chat?token=secret-too"

let dashboard: TestDashboard
let operator: TestPerson
let customer: TestPerson
let accountId: string
let place: string

beforeAll(async () => {
  dashboard = await startTestDashboard()
  operator = await signUpOperator(dashboard, "op@example.com", "Op", "support")
  customer = await signUpPerson(dashboard, "lan@example.com")
  accountId = await accountOf(customer)
  place = `${api}/operator/accounts/${accountId}`
  const settings = { email: "ke-toan@example.com", mail: ["balance.low"] }
  assert.strictEqual((await customer.post(`${api}/alerts`, settings)).status, 200)
})
afterAll(() => dashboard.stop())

describe("what a customer was sent", () => {
  it("is told with its outcome, as the customer sees it, of a webhook by its host alone", async () => {
    const { sql } = dashboard
    await sql`insert into alerts (id, account_id, kind, detail) values ('msg_1', ${accountId}, 'balance.low', '{}')`
    await sql`
      insert into alert_deliveries (alert_id, account_id, channel, address, status, attempts, outcome, created_at, ended_at)
      values ('msg_1', ${accountId}, 'mail', 'ke-toan@example.com', 'given_up', 3, 'SMTP 550', now(), now()),
        ('msg_1', ${accountId}, 'webhook', ${hook}, 'delivered', 1, '204', now() - interval '1 minute', now())`
    const own = (await customer.get(`${api}/alerts/deliveries`)).body
    const { deliveries, next } = (await operator.get(`${place}/deliveries`)).body
    const [mail, webhook] = own.deliveries
    assert.deepStrictEqual(
      { deliveries, next },
      {
        deliveries: [mail, { ...webhook, address: "hooks.example:8443" }],
        next: null
      }
    )
    assert.deepInclude(mail, { channel: "mail", status: "given_up", outcome: "SMTP 550", attempts: 3 })
  })

  it("goes on page by page, and is none of another account's", async () => {
    await dashboard.sql`
      insert into alert_deliveries (alert_id, account_id, channel, address, created_at)
      select 'msg_1', ${accountId}, 'mail', 'a' || n, now() - n * interval '1 hour' from generate_series(1, 60) as n`
    const first = (await operator.get(`${place}/deliveries`)).body
    const after = encodeURIComponent(first.next)
    const second = (await operator.get(`${place}/deliveries?after=${after}`)).body
    assert.deepStrictEqual([first.deliveries.length, second.deliveries.length, second.next], [50, 12, null])
    assert.strictEqual((await operator.get(`${place}/deliveries?after=x`)).status, 400)
    const other = await accountOf(operator)
    assert.deepStrictEqual((await operator.get(`${api}/operator/accounts/${other}/deliveries`)).body, {
      deliveries: [],
      next: null
    })
  })

  it("is told beside what they want to be told of, and where", async () => {
    await dashboard.sql`
      insert into webhook_endpoints (id, account_id, url, kinds, paused, sealed_secret, seal_key_id)
      values ('wh_1', ${accountId}, ${hook}, '{budget.spent,of.later.version}', true, 'sealed', 'none')`
    const { body, text } = await operator.get(`${place}/alerts`)
    const [{ created_at: at, ...webhook }] = body.webhooks
    assert.isNumber(at)
    assert.deepStrictEqual(
      { ...body, webhooks: webhook },
      {
        email: "ke-toan@example.com",
        mail: ["balance.low"],
        webhooks: { id: "wh_1", host: "hooks.example:8443", kinds: ["budget.spent"], paused: true }
      }
    )
    assert.notInclude(text, "secret")
    const { email } = (await operator.get(`${api}/operator/accounts/${await accountOf(operator)}/alerts`))
      .body
    assert.strictEqual(email, "op@example.com")
  })
})

describe("how a customer comes in", () => {
  const person = async () => (await operator.get(`${place}/ways-in`)).body.person

  it("is told without where from", async () => {
    await dashboard.sql`
      insert into credentials (id, provider, subject, person_id, created_at, updated_at)
      values ('c', 'google', 'subject-there', ${accountId}, '2026-01-02T00:00:00Z', now())`
    const { sessions, ...told } = await person()
    assert.deepStrictEqual(told, {
      is_verified: false,
      has_password: true,
      has_totp: false,
      passkeys: 0,
      elsewhere: [{ provider: "google", since: Date.parse("2026-01-02T00:00:00Z") }],
      links: []
    })
    assert.strictEqual(sessions.length, 1)
    assert.hasAllKeys(sessions[0], ["created_at", "last_seen_at"])
  })

  it("tells of links that wait to be followed, and not the links", async () => {
    const { link } = (await operator.post(`${place}/reset-link`)).body
    const value = JSON.stringify({ accountId, email: "moi@example.com" })
    const other = JSON.stringify({ accountId: "acc_other", email: "khac@example.com" })
    await dashboard.sql`
      insert into verifications (id, identifier, value, expires_at) values
        ('1', 'address:hash-1', ${value}, now() + interval '1 hour'), ('2', 'address:hash-2', ${value}, now() - interval '1 hour'),
        ('3', 'address:hash-3', ${other}, now() + interval '1 hour'), ('4', 'another', ${accountId}, now() + interval '1 hour'),
        ('5', 'another', 'no JSON', now() + interval '1 hour')`
    const { text } = await operator.get(`${place}/ways-in`)
    const { links } = await person()
    assert.deepStrictEqual(
      links.map(({ email, kind, mail_outcome }: Record<string, unknown>) => [kind, email, mail_outcome]),
      [
        ["address", "moi@example.com", null],
        ["password", "", null]
      ]
    )
    assert.notInclude(text, "hash")
    assert.notInclude(text, new URL(link).searchParams.get("token")!)
  })

  it("is nothing of an account that nobody signs in to", async () => {
    await dashboard.sql`insert into accounts (id, email) values ('acc_bare', 'bare@example.com')`
    assert.deepStrictEqual((await operator.get(`${api}/operator/accounts/acc_bare/ways-in`)).body, {
      person: null
    })
  })

  it("is told of no account that there is none of, and to nobody but operators", async () => {
    for (const path of ["deliveries", "alerts", "ways-in"]) {
      assert.strictEqual((await operator.get(`${api}/operator/accounts/acc_none/${path}`)).status, 404, path)
      assert.strictEqual((await customer.get(`${place}/${path}`)).status, 404, path)
    }
  })
})
