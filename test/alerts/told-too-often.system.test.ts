/** Somebody changes their keys in a loop: whoever is told is told so often, and of all else as ever. */
import { assert, describe, it } from "@effect/vitest"
import { afterAll, beforeAll } from "vitest"
import { toldPerHourMax } from "../../src/domain/alert-kinds.ts"
import { type AlertTests, startAlertTests } from "./start-alert-tests.ts"

let tests: AlertTests
beforeAll(async () => {
  tests = await startAlertTests()
})
afterAll(() => tests.stop())

describe("what an account causes in a loop", () => {
  it("is told a hundred times an hour of each kind, and hides nothing else", async () => {
    const { sql } = tests.dashboard
    // Its webhook is told of none of it: what is sent has tests of its own.
    const [{ accountId }, other] = [
      await tests.openCustomer("vong@example.vn", []),
      await tests.openCustomer("khac@example.vn", [])
    ]
    const note = (kind: string, times: number, account = accountId) =>
      sql`insert into alert_events (account_id, kind, detail) select ${account}, ${kind}, '{}' from generate_series(1, ${times})`
    const told = async () => {
      const rows = await sql<Array<{ account_id: string; kind: string; count: number }>>`
        select account_id, kind, count(*)::int from alerts where account_id in (${accountId}, ${other.accountId}) group by 1, 2`
      return new Map(
        rows.map(({ account_id, count, kind }) => [
          `${account_id === accountId ? "" : "other "}${kind}`,
          count
        ])
      )
    }
    await note("key.rotated", toldPerHourMax - 1)
    await tests.look()
    await note("key.rotated", 20)
    await note("sign_in.new", 1)
    await note("security.changed", toldPerHourMax + 1)
    await note("key.rotated", 1, other.accountId)
    await tests.look()
    const whole = new Map([
      ["key.rotated", toldPerHourMax],
      ["sign_in.new", 1],
      ["security.changed", toldPerHourMax + 1],
      ["other key.rotated", 1]
    ])
    assert.deepStrictEqual(await told(), whole)
    await sql`update alerts set at = at - interval '61 minutes' where kind = 'key.rotated'`
    await note("key.rotated", 1)
    await tests.look()
    assert.deepStrictEqual(await told(), whole.set("key.rotated", toldPerHourMax + 1))
  })
})
