/** What is answered for long ends where whoever asked for it may no longer have it. */
import { assert, describe, it } from "@effect/vitest"
import { afterAll, beforeAll } from "vitest"
import { sampleCall, writeCalls } from "../browser/sample-data.ts"
import { actingFor, joinAccount } from "./join-account.ts"
import { startTestDashboard, type TestDashboard } from "./start-dashboard.ts"
import { accountOf } from "./own-account.ts"
import { signUpOperator, signUpPerson, type TestPerson, testPassword } from "./TestPerson.ts"

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

/** More than connections and buffers hold of what nobody reads. */
const callsMany = 60_000

describe("an export", () => {
  it("that ends before its end does not look whole", async () => {
    const account = await accountOf(owner)
    const member = await joinAccount(dashboard, owner, "xuat@example.com", "admin")
    const key = (await owner.post(`${api}/keys`, { name: "k", rate_limit_per_minute: 0 })).body
    const call = sampleCall(account, key.id, 1, Date.now() - 3_600_000)
    await writeCalls(dashboard.databaseUrl, [{ ...call, modelRequested: "m".repeat(200) }])
    const names =
      await dashboard.sql`select string_agg(quote_ident(column_name), ', ') as all from information_schema.columns
      where table_name = 'calls' and column_name <> 'id'`
    const columns = String(names[0]!["all"])
    await dashboard.sql.unsafe(`insert into calls (id, ${columns})
      select id || n, ${columns} from calls, generate_series(1, ${callsMany}) n where account_id = '${account}'`)
    const headers = { cookie: member.cookie, ...actingFor(account) }
    const reader = (await fetch(`${dashboard.url}${api}/usage.csv`, { headers })).body!.getReader()
    await reader.read()
    const id = await accountOf(member)
    assert.strictEqual((await owner.post(`${api}/members/${id}/remove`, { revoke_keys: false })).status, 200)
    const readOn = async () => {
      while (!(await reader.read()).done);
    }
    const outcome = await readOn().then(
      () => "looks whole",
      () => "broken off"
    )
    assert.strictEqual(outcome, "broken off")
  })

  it("of the margin comes once the database is well, however often it was not", async () => {
    const operator = await signUpOperator(dashboard, "op@example.com")
    const path = `${api}/operator/margin.csv?from=0&to=1`
    await dashboard.sql`alter table settings rename to settings_away`
    const refused = [await operator.get(path), await operator.get(path)]
    await dashboard.sql`alter table settings_away rename to settings`
    assert.deepStrictEqual(
      refused.map(({ status }) => status),
      [503, 503]
    )
    assert.strictEqual((await operator.get(path)).status, 200)
  })
})
