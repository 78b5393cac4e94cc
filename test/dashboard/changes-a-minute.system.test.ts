/** Each change leaves a row behind: one person causes so many a minute, by however many sessions and tokens. */
import { assert, describe, it } from "@effect/vitest"
import { afterAll, beforeAll } from "vitest"
import { changesPerMinute, tokenChangesPerMinute } from "../../src/domain/per-minute.ts"
import { startTestDashboard, type TestDashboard } from "./start-dashboard.ts"
import { signUpPerson, TestPerson, testPassword } from "./TestPerson.ts"

const api = "/dashboard/api"

let dashboard: TestDashboard
let lan: TestPerson
beforeAll(async () => {
  dashboard = await startTestDashboard({ limited: true })
  lan = await signUpPerson(dashboard, "lan@example.com")
})
afterAll(() => dashboard.stop())

const times = <A>(count: number, ask: (index: number) => Promise<A>) =>
  Promise.all(Array.from({ length: count }, (_, index) => ask(index)))

const makeToken = async (): Promise<string> => {
  const asked = { name: "CI", scopes: ["keys:write"], expires_at: Date.now() + 86_400_000 }
  const { body, status } = await lan.post(`${api}/tokens`, { ...asked, password: testPassword })
  assert.strictEqual(status, 201)
  return body.token
}

const tooMany = { error: { code: "too_many_tries" } }

describe("beyond what a minute is for", () => {
  it("a person's change is refused in whichever of their sessions, and theirs alone", async () => {
    const tokens = [await makeToken(), await makeToken()]
    const elsewhere = new TestPerson(dashboard)
    await elsewhere.signIn("lan@example.com")
    const left = changesPerMinute - tokens.length
    const answers = await times(left, (index) =>
      (index % 2 === 0 ? lan : elsewhere).post(`${api}/keys/none`, { name: "CI" })
    )
    assert.deepStrictEqual([...new Set(answers.map(({ status }) => status))], [404])
    for (const session of [lan, elsewhere]) {
      const { body, headers, status } = await session.post(`${api}/person/name`, { name: "Lan" })
      assert.deepStrictEqual([status, body], [429, tooMany])
      assert.include(
        Array.from({ length: 60 }, (_, index) => `${index + 1}`),
        headers.get("retry-after")
      )
      assert.strictEqual((await session.get(`${api}/keys`)).status, 200)
    }
    const mai = await signUpPerson(dashboard, "mai@example.com")
    assert.strictEqual((await mai.post(`${api}/person/name`, { name: "Mai" })).status, 200)

    // Their programs are counted beside them, all tokens together.
    const statusOf = async (index: number) => {
      const headers = { authorization: `Bearer ${tokens[index % 2]}`, "content-type": "application/json" }
      const answer = await fetch(`${dashboard.url}/api/keys/none`, { method: "POST", headers, body: "{}" })
      return answer.status
    }
    const statuses = await times(tokenChangesPerMinute + 10, statusOf)
    assert.strictEqual(statuses.filter((status) => status === 429).length, 10)
  })
})
