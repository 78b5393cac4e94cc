/** What is answered for long ends where whoever asked for it may no longer have it. */
import { assert, describe, it } from "@effect/vitest"
import { afterAll, beforeAll } from "vitest"
import { accountOf, actingFor, joinAccount } from "./join-account.ts"
import { startTestDashboard, type TestDashboard } from "./start-dashboard.ts"
import { signUpPerson, type TestPerson, testPassword } from "./TestPerson.ts"

const api = "/dashboard/api"

let dashboard: TestDashboard
let owner: TestPerson
beforeAll(async () => {
  dashboard = await startTestDashboard()
  owner = await signUpPerson(dashboard, "chu@example.com")
})
afterAll(() => dashboard.stop())

describe("a stream", () => {
  it.concurrent.each([
    ["is signed out", (person: TestPerson) => person.post(`${api}/auth/sign-out`)],
    [
      "closes their account",
      (person: TestPerson) => person.post(`${api}/person/close`, { password: testPassword })
    ],
    [
      "is disabled",
      async (person: TestPerson) => {
        const id = await accountOf(person)
        await dashboard.sql`update accounts set status = 'disabled' where id = ${id}`
      }
    ]
  ])("ends within some seconds where whoever asked for it %s", async (_, change) => {
    const account = await accountOf(owner)
    const email = `${crypto.randomUUID()}@example.com`
    const member = await joinAccount(dashboard, owner, email, "billing")
    const watch = async (acting: Record<string, string>) => {
      const order = (await member.post(`${api}/top-ups`, { amount: 100_000 }, acting)).body
      const headers = { cookie: member.cookie, ...acting }
      const stream = await fetch(`${dashboard.url}${api}/top-ups/${order.id}/events`, { headers })
      const reader = stream.body!.getReader()
      assert.include(new TextDecoder().decode((await reader.read()).value), order.code)
      return reader
    }
    const readers = [await watch({}), await watch(actingFor(account))]
    await change(member)
    for (const reader of readers) while (!(await reader.read()).done);
  })
})
