/** What a member with keys of their own sees of an account. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { afterAll, beforeAll } from "vitest"
import { answerReport } from "../../src/accounts/report-key.ts"
import type { KeyId } from "../../src/domain/ids.ts"
import { sampleCall, writeCalls } from "../browser/sample-data.ts"
import { actingFor, joinAccount } from "./join-account.ts"
import { startTestDashboard, type TestDashboard } from "./start-dashboard.ts"
import { onDatabase } from "../storage/on-database.ts"
import { accountOf } from "./own-account.ts"
import { signUpPerson, type TestPerson, testPassword } from "./TestPerson.ts"

const api = "/dashboard/api"

let dashboard: TestDashboard
beforeAll(async () => {
  dashboard = await startTestDashboard()
})
afterAll(() => dashboard.stop())

describe("a member", () => {
  it("has and sees keys of their own, and what those used, and nothing of others'", async () => {
    const owner = await signUpPerson(dashboard, "keys@example.com")
    const id = await accountOf(owner)
    const header = actingFor(id)
    const member = await joinAccount(dashboard, owner, "keys-member@example.com", "member")
    const admin = await joinAccount(dashboard, owner, "keys-admin@example.com", "admin")
    const theirs = (await owner.post(`${api}/keys`, { name: "secret name", rate_limit_per_minute: 0 })).body
    const own = (await member.post(`${api}/keys`, { name: "own", rate_limit_per_minute: 0 }, header)).body
    const calls = [theirs.id, own.id, own.id].map((key: string, index) =>
      sampleCall(id, key, index, Date.now() - index * 1_000)
    )
    await writeCalls(dashboard.databaseUrl, calls)

    const listed = (await member.get(`${api}/keys`, header)).body
    assert.deepStrictEqual([listed.keys.map((key: { id: string }) => key.id), listed.active], [[own.id], 2])
    const makers = (await admin.get(`${api}/keys`, header)).body.keys.map(
      (key: { made_by: { email: string } }) => key.made_by.email
    )
    assert.deepStrictEqual(makers, ["keys-member@example.com", "keys@example.com"])
    for (const [action, body] of [
      ["", { name: "mine" }],
      ["/reveal", { password: testPassword }],
      ["/rotate", { password: testPassword, overlap_days: 0 }],
      ["/revoke", {}]
    ] as const) {
      const answer = await member.post(`${api}/keys/${theirs.id}${action}`, body, header)
      assert.deepStrictEqual([answer.status, answer.body.error.code], [404, "not_found"], action)
    }
    const sees = async (person: TestPerson) => {
      const [usage, log, csv, overview, outlook] = await Promise.all(
        ["/usage?stack=key", "/calls", "/usage.csv", "/overview", "/overview/outlook"].map((path) =>
          person.get(`${api}${path}`, header)
        )
      )
      assert.strictEqual(
        [usage, log, csv, overview, outlook].some((answer) => answer!.text.includes(theirs.id)),
        person !== member
      )
      return [
        usage!.body.total.calls,
        log!.body.calls.length,
        csv!.text.trim().split("\n").length - 1,
        overview!.body.month.calls,
        overview!.body.active_keys,
        outlook!.body.days.reduce((sum: number, day: { calls: number }) => sum + day.calls, 0)
      ]
    }
    assert.deepStrictEqual(await sees(member), [2, 2, 2, 2, 1, 2])
    assert.deepStrictEqual(await sees(admin), [3, 3, 3, 3, 2, 3])
    assert.deepStrictEqual((await member.get(`${api}/calls?key=${theirs.id}`, header)).body.calls, [])
    const byId = `${api}/calls?request_id=${calls[0]!.callId}`
    assert.deepStrictEqual((await member.get(byId, header)).body.calls, [])
    assert.lengthOf((await admin.get(byId, header)).body.calls, 1)

    const report = (keyId: string) =>
      onDatabase(
        dashboard.databaseUrl,
        answerReport(
          {
            report: "usage",
            secret: 0,
            accountId: id,
            keyId: keyId as KeyId,
            from: "",
            to: "",
            groupBy: "key"
          },
          Effect.die("no wallet is asked for")
        )
      )
    assert.strictEqual(JSON.parse((await report(theirs.id)).text).total.calls, 3)
    assert.strictEqual(JSON.parse((await report(own.id)).text).total.calls, 2)
  })
})
