/** Somebody signs in again and again, with whatever their program calls itself. */
import { assert, describe, it } from "@effect/vitest"
import { afterAll, beforeAll } from "vitest"
import { accountOf } from "../dashboard/own-account.ts"
import { startTestDashboard, type TestDashboard } from "../dashboard/start-dashboard.ts"
import { signUpPerson, TestPerson, testPassword } from "../dashboard/TestPerson.ts"

const api = "/dashboard/api"

let dashboard: TestDashboard
beforeAll(async () => {
  dashboard = await startTestDashboard()
})
afterAll(() => dashboard.stop())

describe("sessions", () => {
  it("of one person are a hundred, of which the new one ends those prolonged longest ago", async () => {
    const { sql } = dashboard
    const lan = await signUpPerson(dashboard, "lan@example.com")
    const mai = await signUpPerson(dashboard, "mai@example.com")
    await sql`insert into sessions (id, expires_at, token, updated_at, person_id)
      select 's' || n, now() + interval '1 day', 's' || n, now() - n * interval '1 minute', ${await accountOf(lan)}
      from generate_series(1, 99) as n`
    const count = async () =>
      (await sql`select from sessions where person_id = ${await accountOf(lan)}`).length
    assert.strictEqual(await count(), 100)
    const signIn = async () => {
      const person = new TestPerson(dashboard)
      await person.signIn("lan@example.com")
      return person
    }
    const signedIn = [await signIn(), await signIn()]
    signedIn.push(...(await Promise.all(Array.from({ length: 4 }, signIn))), await signIn())
    assert.strictEqual(await count(), 100)
    for (const person of [lan, ...signedIn, mai])
      assert.strictEqual((await person.get(`${api}/keys`)).status, 200)
    const [{ oldest }] = await sql<[{ oldest: number }]>`
      select max(substr(id, 2)::int) as oldest from sessions where id ~ '^s[0-9]+$'`
    assert.strictEqual(oldest, 92)
  })

  it("keep the beginning of what a browser calls itself", async () => {
    const person = await signUpPerson(dashboard, "dai@example.com")
    const body = { email: "dai@example.com", password: testPassword }
    const agent = `Mozilla/5.0 ${"x".repeat(3_000)}`
    assert.strictEqual(
      (await person.post(`${api}/auth/sign-in/email`, body, { "user-agent": agent })).status,
      200
    )
    const { sessions } = (await person.get(`${api}/sessions`)).body
    assert.include(
      sessions.map((session: { user_agent: string }) => session.user_agent),
      agent.slice(0, 300)
    )
  })
})
