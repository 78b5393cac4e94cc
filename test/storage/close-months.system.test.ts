/** Months of calls that are over are closed into sums, which the books are proven by from then on. */
import { assert, describe, it } from "@effect/vitest"
import { afterEach, beforeEach } from "vitest"
import { Random, seeds } from "../Random.ts"
import { startMonths, type TestMonths } from "./start-months.ts"
import { withSql } from "./with-sql.ts"
import { commitUnclaimed } from "./write-as-node.ts"

let months: TestMonths
beforeEach(async () => {
  months = await startMonths()
})
afterEach(() => months.stop())

/** Two that write the same calls may wait for each other: then PostgreSQL ends one, which writes again, as the journal does. */
const untilCommitted = async (commit: () => Promise<unknown>): Promise<void> => {
  try {
    await commit()
  } catch (error) {
    if ((error as { readonly code?: unknown }).code !== deadlock) throw error
    await untilCommitted(commit)
  }
}
const deadlock = "40P01"

describe("months that are over", () => {
  it("are closed, all but those that are too young, and the books are proven as before", async () => {
    const calls = await months.write([4, 3, 2, 0].flatMap((ago) => months.callsIn(ago)))
    await months.verify(calls)
    assert.include(await months.tidy(), `Closed the calls of ${months.names[2]}: 20`)
    const closed = await months.monthsWhere("closed_at is not null")
    assert.includeMembers([...closed], months.names.slice(0, 3))
    assert.notIncludeMembers([...closed], months.names.slice(4))
    await months.verify(calls)
    assert.strictEqual(await months.tidy(), "")
  })

  it("count by their sums, which no audit takes on trust", async () => {
    await months.write([3, 2].flatMap((ago) => months.callsIn(ago)))
    await months.tidy()
    const undo = async (change: string, back: string, expected: Record<"open" | "all", Array<string>>) => {
      assert.isAbove((await months.sql.unsafe(change)).count, 0)
      for (const scope of ["open", "all"] as const)
        assert.deepStrictEqual(await months.broken(scope), expected[scope])
      await months.sql.unsafe(back)
      assert.deepStrictEqual(await months.broken("all"), [])
    }
    const one = `calls_${months.names[1]}`
    // Nobody reads the calls themselves again unless told to.
    await undo(
      `update ${one} set cost_micro_vnd = cost_micro_vnd + 1 where status = 200`,
      `update ${one} set cost_micro_vnd = cost_micro_vnd - 1 where status = 200`,
      { open: [], all: ["cost", "usage_hours", "purchase_days"] }
    )
    for (const [table, open] of [
      ["usage_months", ["balance", "month"]],
      ["call_months", ["month"]]
    ] as const) {
      const all = table === "usage_months" ? [...open, "usage_months"] : [...open]
      await undo(
        `update ${table} set cost_micro_vnd = cost_micro_vnd + 5 where calls > 0`,
        `update ${table} set cost_micro_vnd = cost_micro_vnd - 5 where calls > 0`,
        { open: [...open], all }
      )
    }
    await undo(
      `update usage_hours set failed_calls = failed_calls + 1 where hour < '${new Date(Date.now() - 40 * 86_400_000).toISOString()}'`,
      `update usage_hours set failed_calls = failed_calls - 1 where hour < '${new Date(Date.now() - 40 * 86_400_000).toISOString()}'`,
      { open: [], all: ["usage_hours", "usage_months", "usage_days"] }
    )
    for (const column of ["calls", "latency_ms", "cost_micro_vnd"])
      await undo(
        `update usage_days set ${column} = ${column} + 1`,
        `update usage_days set ${column} = ${column} - 1`,
        { open: [], all: column === "cost_micro_vnd" ? ["usage_days", "purchase_days"] : ["usage_days"] }
      )
    await undo(
      "update purchase_days set output_tokens = output_tokens + 1",
      "update purchase_days set output_tokens = output_tokens - 1",
      { open: [], all: ["purchase_days", "purchase_totals"] }
    )
  })

  it("take up calls that come late, each once, however often they come", async () => {
    const [first, late] = [months.callsIn(3), months.callsIn(3, 9).concat(months.callsIn(4, 3))]
    await months.write(first)
    await months.tidy()
    await months.write([...first.slice(0, 5), ...late.slice(0, 6)])
    await months.verify([...first, ...late.slice(0, 6)])
    await months.write([...late, ...first])
    await months.verify([...first, ...late])
  })

  it("stay open where the books disagree, and so do all after them", async () => {
    const calls = await months.write([3, 2].flatMap((ago) => months.callsIn(ago)))
    await months.sql.unsafe(
      `update calls_${months.names[1]} set input_tokens = 11 where id = '${calls[0]!.callId}'`
    )
    assert.match(await months.tidy(), /can not be closed, since the books disagree \(cost, req_/)
    assert.deepStrictEqual(await months.monthsWhere("closed_at is not null"), months.names.slice(0, 1))
    assert.deepStrictEqual(await months.broken("open"), ["cost", "usage_hours", "purchase_days"])
    await months.sql.unsafe(
      `update calls_${months.names[1]} set input_tokens = 10 where id = '${calls[0]!.callId}'`
    )
    await months.tidy()
    await months.verify(calls)
  })

  it("stay open while others hold their calls for longer than commits may wait, as months that are disturbed do", async () => {
    const calls = await months.write(months.callsIn(3))
    const name = months.names[1]!
    const tidied = await withSql(months.database.url, (other) =>
      other.begin(async (transaction) => {
        await transaction.unsafe(`lock table calls_${name} in row exclusive mode`)
        return months.tidy()
      })
    )
    assert.notInclude(tidied, name)
    assert.notInclude(await months.monthsWhere("closed_at is not null"), name)
    assert.include(await months.tidy(), `Closed the calls of ${name}: 20`)
    await months.verify(calls)
  })

  it.each(seeds(2))("are closed exactly while calls of theirs come, seed %i", async (seed) => {
    const random = new Random(seed)
    const calls = [...months.callsIn(3, 60), ...months.callsIn(2, 60), ...months.callsIn(0, 20)]
    const writer = async () => {
      await withSql(months.database.url, async (own) => {
        for (let turn = 0; turn < 12; turn++) {
          const batch = Array.from({ length: 1 + random.below(10) }, () => random.pick(calls))
          await untilCommitted(() => commitUnclaimed(own, batch))
        }
        await untilCommitted(() => commitUnclaimed(own, calls))
      })
    }
    const tidier = async () => {
      for (let turn = 0; turn < 4; turn++) await months.tidy()
    }
    await Promise.all([writer(), writer(), tidier(), tidier()])
    await months.tidy()
    assert.includeMembers([...(await months.monthsWhere("closed_at is not null"))], months.names.slice(0, 3))
    await months.verify(calls)
  })
})
