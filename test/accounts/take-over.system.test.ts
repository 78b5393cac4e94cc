/** An account that somebody set up under an address that is not theirs, when its owner comes. */
import { assert, describe, it } from "@effect/vitest"
import { afterAll, beforeAll } from "vitest"
import { type MailServer, startMailServer } from "../alerts/start-mail-server.ts"
import { startTestDashboard, type TestDashboard } from "../dashboard/start-dashboard.ts"
import { accountOf, personOf } from "../dashboard/own-account.ts"
import { signUpOperator, signUpPerson, TestPerson, testPassword } from "../dashboard/TestPerson.ts"
import { until } from "../until.ts"
import { SoftAuthenticator } from "./SoftAuthenticator.ts"

const api = "/dashboard/api"
const passkeys = `${api}/auth/passkey`

const details = { company: "Công ty Lạ", tax_code: "0101234567", address: "", email: "la@example.com" }

let dashboard: TestDashboard
let mails: MailServer
beforeAll(async () => {
  mails = await startMailServer()
  const environment = { SMTP_URL: mails.url, SMTP_FROM: "tollgate@example.com" }
  dashboard = await startTestDashboard({ host: "localhost", environment })
})
afterAll(async () => {
  await dashboard.stop()
  mails.stop()
})

/** With all that somebody can come in by, or spend. */
const setUp = async (email: string) => {
  const stranger = await signUpPerson(dashboard, email)
  const id = await accountOf(stranger)
  const device = new SoftAuthenticator(dashboard.url)
  const options = (await stranger.post(`${passkeys}/register-options`, { password: testPassword })).body
  await stranger.post(`${passkeys}/verify-registration`, { ...device.create(options), name: "Máy" })
  await stranger.post(`${api}/keys`, { name: "a", rate_limit_per_minute: 0 })
  const expiry = Date.now() + 86_400_000
  await stranger.post(`${api}/tokens`, { name: "a", scopes: ["usage:read"], expires_at: expiry })
  const member = await signUpPerson(dashboard, `ban-${email}`)
  await dashboard.sql`insert into members (account_id, person_id, role, invited_by)
    values (${id}, ${await accountOf(member)}, 'owner', ${id})`
  await stranger.post(`${api}/invitations`, { email: `moi-${email}`, role: "admin" })
  await stranger.post(`${api}/alerts/webhooks`, { url: "https://8.8.8.8/", kinds: ["top_up.credited"] })
  await stranger.post(`${api}/billing`, details)
  return { id, device, stranger }
}

/** Asks for a new password as whoever reads the mail of that address does, and sets it. */
const reset = async (email: string): Promise<TestPerson> => {
  const owner = new TestPerson(dashboard)
  const before = mails.taken.filter(({ to }) => to === email).length
  await owner.post(`${api}/auth/request-password-reset`, { email })
  const text = (await mails.next(before + 1, email)).at(-1)!.text.replaceAll("=\r\n", "")
  const token = /\/dashboard\/reset\?token=(?:3D)?(\w+)/.exec(text)![1]
  const newPassword = "of the owner alone"
  const { status } = await owner.post(`${api}/auth/reset-password`, { token, newPassword })
  assert.strictEqual(status, 200)
  assert.strictEqual((await owner.signIn(email, newPassword)).status, 200)
  return owner
}

const standing = async (accountId: string) => {
  const [row] = await dashboard.sql`select
    (select count(*)::int from passkeys where person_id = ${accountId}) as passkeys,
    (select count(*)::int from keys where account_id = ${accountId} and status = 'active') as keys,
    (select count(*)::int from management_tokens where account_id = ${accountId} and revoked_at is null) as tokens,
    (select count(*)::int from members where account_id = ${accountId}) as members,
    (select count(*)::int from invitations
      where account_id = ${accountId} and accepted_at is null and withdrawn_at is null) as invitations,
    (select count(*)::int from webhook_endpoints where account_id = ${accountId}) as webhooks,
    (select count(*)::int from alert_settings where account_id = ${accountId}) as alerts,
    (select count(*)::int from billing_details where account_id = ${accountId}) as payers`
  return row
}
const all = { passkeys: 1, keys: 1, tokens: 1, members: 1, invitations: 1, webhooks: 1, alerts: 0, payers: 1 }
const none = {
  passkeys: 0,
  keys: 0,
  tokens: 0,
  members: 0,
  invitations: 0,
  webhooks: 0,
  alerts: 0,
  payers: 0
}

describe("an account that somebody else set up under one's address", () => {
  it("is its owner's alone once they set a password by a link that was mailed there", async () => {
    const email = "chu-dia-chi@example.com"
    const { device, id, stranger } = await setUp(email)
    assert.deepStrictEqual(await standing(id), all)
    const owner = await reset(email)
    assert.deepStrictEqual(await standing(id), none)
    assert.strictEqual((await stranger.get(`${api}/overview`)).status, 401)
    const there = new TestPerson(dashboard)
    const challenge = (await there.post(`${passkeys}/options`)).body
    const used = await there.post(`${passkeys}/verify-authentication`, device.get(challenge))
    assert.isAtLeast(used.status, 400)
    assert.strictEqual((await owner.get(`${api}/overview`)).status, 200)
    const actions = await dashboard.sql`
      select action from audit_log where actor = ${id} and action ~ 'revoke|remove|reset|withdraw|delete' order by action`
    assert.deepStrictEqual(
      actions.map((row) => row["action"]),
      [
        "invitation.withdraw",
        "key.revoke",
        "member.remove",
        "person.reset_factors",
        "token.revoke",
        "webhook.delete"
      ]
    )
  })

  it.each([
    [
      "was paid into",
      (
        id: string
      ) => dashboard.sql`insert into ledger_entries (account_id, source, source_id, amount_micro_vnd)
        values (${id}, 'top_up', ${`x ${id}`}, 1)`
    ],
    ["was verified", (id: string) => dashboard.sql`update people set email_verified = true where id = ${id}`],
    [
      "is of the staff",
      (id: string) => dashboard.sql`update accounts set staff_role = 'support' where id = ${id}`
    ]
  ])("stays as it is where it %s", async (_, make) => {
    const email = `giu-nguyen-${crypto.randomUUID()}@example.com`
    const { id } = await setUp(email)
    await make(id)
    const owner = await reset(email)
    assert.deepStrictEqual(await standing(id), all)
    assert.isDefined(await personOf(owner))
  })

  it("is not left anything that was asked for before and is done after", async () => {
    const email = "cung-luc@example.com"
    const stranger = await signUpPerson(dashboard, email)
    const id = await accountOf(stranger)
    const whoWaits = (count: number) =>
      until(async () => {
        const [row] = await dashboard.sql`
          select count(*)::int as count from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`
        return row!["count"] >= count
      })
    await mails.next(1, email)
    const { asked, taken } = await dashboard.sql.begin(async (transaction) => {
      await transaction`select from accounts where id = ${id} for update`
      const taken = reset(email)
      await whoWaits(1)
      const asked = [
        stranger.post(`${api}/keys`, { name: "a" }),
        stranger.post(`${api}/invitations`, { email: `moi-${email}`, role: "admin" }),
        stranger.post(`${api}/alerts/webhooks`, { url: "https://8.8.8.8/", kinds: ["top_up.credited"] }),
        stranger.post(`${api}/alerts`, {
          balance_below_vnd: null,
          days_left: null,
          mail: [],
          email: "la@example.com",
          language: "vi"
        }),
        stranger.post(`${api}/billing`, details)
      ]
      await whoWaits(1 + asked.length)
      return { asked, taken }
    })
    await taken
    assert.deepStrictEqual(
      (await Promise.all(asked)).map(({ status }) => status),
      [404, 403, 404, 404, 404]
    )
    assert.deepStrictEqual(await standing(id), none)
  })

  it("keeps keys that the command line has made for it", async () => {
    const email = "lenh@example.com"
    const { id } = await setUp(email)
    await dashboard.sql`update keys set made_by = null where account_id = ${id}`
    await reset(email)
    assert.deepStrictEqual(await standing(id), { ...none, keys: 1 })
  })
})

describe("a role in the staff", () => {
  it("is given to nobody whose address may be anybody's", async () => {
    const owner = await signUpOperator(dashboard, "chu@example.com")
    const id = await accountOf(await signUpPerson(dashboard, "nhan-vien@example.com"))
    const give = async (role: string | null) => {
      const { body, status } = await owner.post(`${api}/operator/accounts/${id}/role`, { role })
      return [status, body.error?.code]
    }
    assert.deepStrictEqual(await give("support"), [409, "address_unverified"])
    await dashboard.sql`update people set email_verified = true where id = ${id}`
    assert.deepStrictEqual(await give("support"), [200, undefined])
    // Who is of the staff already may be given another role, or none.
    await dashboard.sql`update people set email_verified = false where id = ${id}`
    assert.deepStrictEqual(await give("finance"), [200, undefined])
    assert.deepStrictEqual(await give(null), [200, undefined])
  })
})
