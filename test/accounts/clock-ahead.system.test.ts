import { assert, it } from "@effect/vitest"
import { afterAll, beforeAll, onTestFinished, vi } from "vitest"
import { makePeople } from "../../src/accounts/people.ts"
import { startTestDashboard, type TestDashboard } from "../dashboard/start-dashboard.ts"
import { personOf } from "../dashboard/own-account.ts"
import { signUpPerson } from "../dashboard/TestPerson.ts"
import { peopleOptions } from "./people-options.ts"

let dashboard: TestDashboard
beforeAll(async () => {
  dashboard = await startTestDashboard()
})
afterAll(() => dashboard.stop())

it("leaves people signed in elsewhere who come by a machine whose clock is ahead, and their sign-out what it is", async () => {
  const person = await signUpPerson(dashboard, "truoc@example.com")
  const readTokens = async () => {
    const rows = await dashboard.sql<Array<{ token: string }>>`select token from sessions`
    return rows.map(({ token }) => token)
  }
  const [token] = await readTokens()
  const people = await makePeople(peopleOptions(dashboard.databaseUrl, dashboard.url))
  onTestFinished(people.close)
  const { internalAdapter } = await people.auth.$context
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 70 * 86_400_000 })
  onTestFinished(() => void vi.useRealTimers())
  await internalAdapter.deleteSession(token!)
  vi.useRealTimers()
  assert.deepStrictEqual(await readTokens(), [token!])
  assert.isDefined(await personOf(person))
  await person.post("/dashboard/api/auth/sign-out", {})
  assert.deepStrictEqual(await readTokens(), [])
})
