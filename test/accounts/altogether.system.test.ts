/** What changes how somebody comes in is done altogether or not at all, wherever the process or the database ends. */
import { assert, describe, it } from "@effect/vitest"
import { afterAll, beforeAll } from "vitest"
import { makePasswordLink, setPassword } from "../../src/accounts/set-password.ts"
import { startTestDashboard, type TestDashboard } from "../dashboard/start-dashboard.ts"
import { accountOf, personOf } from "../dashboard/own-account.ts"
import { signUpPerson, TestPerson, testPassword } from "../dashboard/TestPerson.ts"
import { onDatabase } from "../storage/on-database.ts"
import { refusing } from "../storage/refuse-change.ts"
import { until } from "../until.ts"
import { codeOf, secretOf } from "./totp.ts"

const api = "/dashboard/api"

let dashboard: TestDashboard
beforeAll(async () => {
  dashboard = await startTestDashboard()
})
afterAll(() => dashboard.stop())
const codeIn = ({ body, status }: Awaited<ReturnType<TestPerson["get"]>>) => [status, body.error?.code]

/** Somebody who has signed up, and the token of a link for a new password. */
const withLink = async () => {
  const email = `${crypto.randomUUID()}@example.com`
  const here = await signUpPerson(dashboard, email)
  const accountId = await accountOf(here)
  const link = await onDatabase(dashboard.databaseUrl, makePasswordLink({ accountId, email }, dashboard.url))
  return { email, here, token: new URL(link).searchParams.get("token") }
}

const resetBy = (token: string | null, newPassword: string) =>
  new TestPerson(dashboard).post(`${api}/auth/reset-password`, { newPassword, token })

describe("a new password", () => {
  it.each([
    ["change", "delete on sessions"],
    ["change", "delete on verifications"],
    ["reset", "delete on sessions"],
    ["reset", "insert on credentials"]
  ])(
    "by a %s ends what the former one let in as it begins, where the database takes no %s, too",
    async (how, change) => {
      const { email, here, token } = await withLink()
      const there = new TestPerson(dashboard)
      await there.signIn(email)
      const newPassword = "fresh password 2"
      const replace = () =>
        how === "change"
          ? here.post(`${api}/auth/change-password`, { currentPassword: testPassword, newPassword })
          : resetBy(token, newPassword)
      assert.isAtLeast((await refusing(dashboard.sql, change, replace)).status, 500)
      assert.strictEqual((await new TestPerson(dashboard).signIn(email, newPassword)).status, 401)
      assert.strictEqual((await replace()).status, 200)
      assert.isUndefined(await personOf(there))
      assert.strictEqual((await there.signIn(email, newPassword)).status, 200)
    }
  )

  it("is one, where two are set at once", async () => {
    const { email, here } = await withLink()
    const accountId = await accountOf(here)
    const passwords = ["at once 1", "at once 2"]
    const both = await dashboard.sql.begin(async (transaction) => {
      await transaction`select from credentials where person_id = ${accountId} for update`
      const sets = passwords.map((password) =>
        onDatabase(dashboard.databaseUrl, setPassword({ accountId, email }, password, "cli"))
      )
      await until(async () => {
        const [row] = await dashboard.sql`
          select count(*)::int as count from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`
        return row!["count"] === 2
      })
      return { sets }
    })
    await Promise.all(both.sets)
    const tries = passwords.map((password) => new TestPerson(dashboard).signIn(email, password))
    const statuses = (await Promise.all(tries)).map(({ status }) => status)
    assert.deepStrictEqual(statuses.toSorted(), [200, 401])
  })

  it("that can not be one leaves the link good, for one of two who use it at once", async () => {
    const { token } = await withLink()
    assert.deepStrictEqual(codeIn(await resetBy(token, "short")), [400, "PASSWORD_TOO_SHORT"])
    assert.deepStrictEqual(codeIn(await resetBy(token, "x".repeat(129))), [400, "PASSWORD_TOO_LONG"])
    const both = await Promise.all([resetBy(token, "fresh password 3"), resetBy(token, "fresh password 4")])
    assert.sameDeepMembers(both.map(codeIn), [
      [200, undefined],
      [400, "INVALID_TOKEN"]
    ])
  })
})

describe("an account", () => {
  it.each(["insert on credentials", "insert on sessions"])(
    "is there with what its owner signs in by, where the database takes no %s, too",
    async (change) => {
      const email = `${crypto.randomUUID()}@example.com`
      const signUp = () => new TestPerson(dashboard).signUp(email)
      assert.isAtLeast((await refusing(dashboard.sql, change, signUp)).status, 500)
      assert.strictEqual((await signUp()).status, 200)
      assert.strictEqual((await new TestPerson(dashboard).signIn(email)).status, 200)
    }
  )

  it("comes to be for each of many who sign up at once", async () => {
    const emails = Array.from({ length: 12 }, () => `${crypto.randomUUID()}@example.com`)
    const answers = await Promise.all(emails.map((email) => new TestPerson(dashboard).signUp(email)))
    assert.deepStrictEqual([...new Set(answers.map(({ status }) => status))], [200])
  })
})

describe("an authenticator app", () => {
  const begin = (person: TestPerson) =>
    person.post(`${api}/auth/two-factor/enable`, { password: testPassword })
  const show = (person: TestPerson, code: string) =>
    person.post(`${api}/auth/two-factor/verify-totp`, { code })

  it.each([
    ["update of verified on two_factors"],
    ["update of two_factor_enabled on people"],
    ["update of confirmed_at on sessions"],
    ["insert on audit_log"]
  ])("is asked for once it counts, where the database takes no %s, too", async (change) => {
    const { here: person } = await withLink()
    const code = codeOf(secretOf((await begin(person)).body.totpURI))
    const lost = await refusing(dashboard.sql, change, () => show(person, code))
    assert.isAtLeast(lost.status, 500)
    assert.deepInclude(await personOf(person), { has_totp: false, awaits_confirmation: false })
    assert.strictEqual((await show(person, code)).status, 200)
    assert.deepInclude(await personOf(person), { has_totp: true, awaits_confirmation: false })
  })

  it("counts once, and not where it was set up anew before its code was shown", async () => {
    const { here: person } = await withLink()
    const [first, second] = [await begin(person), await begin(person)]
    const former = await show(person, codeOf(secretOf(first.body.totpURI)))
    assert.deepStrictEqual(codeIn(former), [401, "INVALID_CODE"])
    const code = codeOf(secretOf(second.body.totpURI))
    const shown = await Promise.all(Array.from({ length: 4 }, () => show(person, code)))
    assert.lengthOf(
      shown.filter(({ status }) => status === 200),
      1
    )
    const id = await accountOf(person)
    const said =
      await dashboard.sql`select from audit_log where action = 'person.totp_on' and subject = ${id}`
    assert.lengthOf(said, 1)
  })
})
