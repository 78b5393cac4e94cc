/** What was begun before something changed, and must not live on behind it. */
import { assert, describe, it } from "@effect/vitest"
import { afterAll, beforeAll, onTestFinished } from "vitest"
import { type MailServer, startMailServer } from "../alerts/start-mail-server.ts"
import { startTestDashboard, type TestDashboard } from "../dashboard/start-dashboard.ts"
import { accountOf } from "../dashboard/own-account.ts"
import { signUpOperator, signUpPerson, TestPerson, testPassword } from "../dashboard/TestPerson.ts"
import { until } from "../until.ts"
import { enrol } from "./totp.ts"

const api = "/dashboard/api"
const newPassword = "of the owner alone"

let dashboard: TestDashboard
let mails: MailServer
beforeAll(async () => {
  mails = await startMailServer()
  const environment = { SMTP_URL: mails.url, SMTP_FROM: "tollgate@example.com" }
  dashboard = await startTestDashboard({ environment })
})
afterAll(async () => {
  await dashboard.stop()
  mails.stop()
})

const isIn = async (person: TestPerson) => (await person.get(`${api}/overview`)).status === 200

/** Somebody signs in by the former password, and only once it is another one, and all sessions are ended, their own begins. */
const signInMeanwhile = async (email: string, secret = testPassword): Promise<[TestPerson, number]> => {
  const id = (await dashboard.sql`select id from people where email = ${email}`)[0]!["id"] as string
  const late = new TestPerson(dashboard)
  const answer = await dashboard.sql.begin(async (transaction) => {
    await transaction`lock table sessions in share row exclusive mode`
    const signingIn = late.signIn(email, secret)
    await until(async () => {
      const [row] = await dashboard.sql`
        select count(*)::int as count from pg_locks where relation = 'sessions'::regclass and not granted`
      return row!["count"] > 0
    })
    await transaction`update credentials set password = password || '0' where person_id = ${id}`
    await transaction`delete from sessions where person_id = ${id}`
    await transaction`delete from verifications where value = ${id}`
    return { signingIn }
  })
  return [late, (await answer.signingIn).status]
}

describe("a sign-in that is under way while the password is replaced", () => {
  it("leaves nobody signed in by the former one", async () => {
    await signUpPerson(dashboard, "dang-vao@example.com")
    const [late, status] = await signInMeanwhile("dang-vao@example.com")
    assert.strictEqual(status, 401)
    assert.isFalse(await isIn(late))
    const rows = await dashboard.sql`
      select from sessions where person_id = (select id from people where email = 'dang-vao@example.com')`
    assert.lengthOf(rows, 0)
  })

  it("does not get to its second step", async () => {
    const { codes } = await enrol(await signUpPerson(dashboard, "dang-vao-2@example.com"))
    const [late, status] = await signInMeanwhile("dang-vao-2@example.com")
    assert.strictEqual(status, 401)
    const done = await late.post(`${api}/auth/two-factor/verify-backup-code`, { code: codes[0] })
    assert.strictEqual(done.status, 401)
  })
})

describe("a sign-in that waits for its second step", () => {
  it.each([
    [
      "a new password",
      (owner: TestPerson) =>
        owner.post(`${api}/auth/change-password`, { currentPassword: testPassword, newPassword })
    ],
    ["signing out everywhere else", (owner: TestPerson) => owner.post(`${api}/sessions/end-others`)]
  ])("ends with %s", async (_, change) => {
    const email = `nua-chung-${crypto.randomUUID()}@example.com`
    const owner = await signUpPerson(dashboard, email)
    const { codes } = await enrol(owner)
    const thief = new TestPerson(dashboard)
    assert.isTrue((await thief.signIn(email)).body.twoFactorRedirect)
    assert.strictEqual((await change(owner)).status, 200)
    const done = await thief.post(`${api}/auth/two-factor/verify-backup-code`, { code: codes[0] })
    assert.strictEqual(done.status, 401)
    assert.isFalse(await isIn(thief))
  })
})

describe("a change of address that waits for its link", () => {
  const sessionsOf = async (person: TestPerson) => (await person.get(`${api}/sessions`)).body.sessions
  it.each([
    ["signing out everywhere else", (owner: TestPerson) => owner.post(`${api}/sessions/end-others`)],
    [
      "ending a session",
      async (owner: TestPerson) => {
        const other = (await sessionsOf(owner)).find((each: { is_current: boolean }) => !each.is_current)
        return owner.post(`${api}/sessions/${other.id}/end`)
      }
    ],
    [
      "closing the account",
      (owner: TestPerson) => owner.post(`${api}/person/close`, { password: testPassword })
    ],
    [
      "an operator disabling the account",
      async (owner: TestPerson) => {
        const operator = await signUpOperator(dashboard, `${crypto.randomUUID()}@example.com`)
        const path = `${api}/operator/accounts/${await accountOf(owner)}/status`
        return operator.post(path, { status: "disabled" })
      }
    ]
  ])("ends with %s", async (_, change) => {
    const name = crypto.randomUUID()
    const [email, another] = [`cu-${name}@example.com`, `ke-trom-${name}@example.com`]
    const owner = await signUpPerson(dashboard, email)
    const thief = new TestPerson(dashboard)
    await thief.signIn(email)
    await thief.post(`${api}/person/email`, { email: another, password: testPassword })
    const text = (await mails.next(1, another)).at(-1)!.text.replaceAll("=\r\n", "")
    const token = /\/dashboard\/verify\?token=(?:3D)?([0-9a-f]{32})/.exec(text)![1]
    assert.strictEqual((await change(owner)).status, 200)
    const followed = await new TestPerson(dashboard).post(`${api}/auth/verify-email`, { token })
    assert.strictEqual(followed.status, 400)
    assert.lengthOf(await dashboard.sql`select from accounts where email = ${email}`, 1)
  })
})

describe("a link for a new password that an operator made", () => {
  it.each([
    ["is taken their role", { role: null }, 400],
    ["may no longer help", { role: "finance" }, 400],
    ["may do more", { role: "owner" }, 200]
  ])("where the operator %s", async (_, change, status) => {
    const name = crypto.randomUUID()
    const owner = await signUpOperator(dashboard, `chu-${name}@example.com`)
    const operator = await signUpOperator(dashboard, `ho-tro-${name}@example.com`, "Hỗ trợ", "support")
    const customer = await accountOf(await signUpPerson(dashboard, `khach-${name}@example.com`))
    const { link } = (await operator.post(`${api}/operator/accounts/${customer}/reset-link`)).body
    await owner.post(`${api}/operator/accounts/${await accountOf(operator)}/role`, change)
    const token = new URL(link).searchParams.get("token")
    const used = await new TestPerson(dashboard).post(`${api}/auth/reset-password`, { token, newPassword })
    assert.strictEqual(used.status, status)
  })

  it("where the operator is disabled", async () => {
    const owner = await signUpOperator(dashboard, "chu-2@example.com")
    const operator = await signUpOperator(dashboard, "ho-tro-2@example.com", "Hỗ trợ", "support")
    const customer = await accountOf(await signUpPerson(dashboard, "khach-2@example.com"))
    const { link } = (await operator.post(`${api}/operator/accounts/${customer}/reset-link`)).body
    await owner.post(`${api}/operator/accounts/${await accountOf(operator)}/status`, { status: "disabled" })
    const token = new URL(link).searchParams.get("token")
    const used = await new TestPerson(dashboard).post(`${api}/auth/reset-password`, { token, newPassword })
    assert.strictEqual(used.status, 400)
  })
})

describe("a token of an operator", () => {
  it("opens nothing of theirs once they have no second factor any more", async () => {
    const { databaseUrl } = dashboard
    const strict = await startTestDashboard({ databaseUrl, environment: { OPERATORS_SECOND_FACTOR: "" } })
    onTestFinished(() => strict.stop())
    const operator = await signUpOperator(strict, "op-token@example.com")
    await enrol(operator)
    const body = { name: "t", scopes: ["operator:read", "usage:read"], expires_at: Date.now() + 86_400_000 }
    const { token } = (await operator.post(`${api}/tokens`, body)).body
    const ask = async (path: string) => {
      const answer = await new TestPerson(strict).get(`/api${path}`, { authorization: `Bearer ${token}` })
      return answer.body.error?.code ?? answer.status
    }
    assert.strictEqual(await ask("/operator/accounts"), 200)
    assert.strictEqual((await operator.post(`${api}/person/totp/remove`)).status, 200)
    assert.strictEqual(await ask("/operator/accounts"), "second_factor_needed")
    assert.strictEqual(await ask("/usage"), 200)
    await enrol(operator, Date.now() + 30_000)
    assert.strictEqual(await ask("/operator/accounts"), 200)
  })
})
