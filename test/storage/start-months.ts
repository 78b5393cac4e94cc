/** A database with an account and a call log of some months, and what tests of its months do with it. */
import { assert } from "@effect/vitest"
import { Effect, Layer, Logger } from "effect"
import type { RetentionSettings } from "../../src/config/settings.ts"
import type { CallRecord } from "../../src/domain/call.ts"
import type { AccountId } from "../../src/domain/ids.ts"
import { audit } from "../../src/ledger/audit.ts"
import { Database } from "../../src/storage/Database.ts"
import { DatabaseUrl } from "../../src/storage/DatabaseUrl.ts"
import { tidyMonths } from "../../src/storage/months/keep-months.ts"
import { balanceOf, newCustomer } from "../ledger/start-ledger.ts"
import { makePastMonths, pastCall } from "./past-months.ts"
import { startTestDatabase, type TestDatabase } from "./start-database.ts"
import { openSql } from "./with-sql.ts"
import { commitUnclaimed } from "./write-as-node.ts"

const credit = 10n ** 12n

type Look = (retention: RetentionSettings) => ReturnType<typeof tidyMonths>

export class TestMonths {
  readonly database: TestDatabase
  readonly sql: ReturnType<typeof openSql>
  readonly accountId: AccountId
  /** Oldest first: 4, 3, 2 and 1 ago, this one and the next two. The oldest goes back for ever. */
  readonly names: ReadonlyArray<string>

  constructor(
    database: TestDatabase,
    sql: ReturnType<typeof openSql>,
    accountId: AccountId,
    names: ReadonlyArray<string>
  ) {
    this.database = database
    this.sql = sql
    this.accountId = accountId
    this.names = names
  }

  run<A, E>(effect: Effect.Effect<A, E, Database | DatabaseUrl>): Promise<A> {
    const url = DatabaseUrl.layerOf(this.database.url)
    return Effect.runPromise(Effect.provide(effect, Database.layer.pipe(Layer.provideMerge(url))))
  }

  /** Answers what the log says. */
  async tidy(retention: Partial<RetentionSettings> = {}, look: Look = tidyMonths): Promise<string> {
    const said: Array<string> = []
    const logger = Logger.layer([Logger.make(({ message }) => void said.push(String(message)))])
    const settings = { callsDays: undefined, archive: undefined, ...retention }
    await this.run(look(settings).pipe(Effect.provide(logger)))
    return said.join("\n")
  }

  /** Calls of so many months ago, a fifth of them failed. */
  callsIn(monthsAgo: number, count = 20): ReadonlyArray<CallRecord> {
    return Array.from({ length: count }, (_, index) =>
      pastCall(this.accountId, monthsAgo, index, index % 5 === 4 ? { status: 502, cost: 0n } : {})
    )
  }

  async write(calls: ReadonlyArray<CallRecord>): Promise<ReadonlyArray<CallRecord>> {
    await commitUnclaimed(this.sql, calls)
    return calls
  }

  async monthsWhere(condition: string): Promise<ReadonlyArray<string>> {
    const rows = await this.sql.unsafe<Array<{ name: string }>>(
      `select name from call_months where ${condition} order by starts_at`
    )
    return rows.map(({ name }) => name)
  }

  /** Whole days since a month ended: months after it have not ended for as long. */
  async daysSince(month: string): Promise<number> {
    const [row] = await this.sql<[{ days: number }]>`
      select floor(extract(epoch from now() - ends_at) / 86400)::int4 as days from call_months where name = ${month}`
    return row.days
  }

  /** The promises that an audit finds broken. */
  async broken(scope: "open" | "all"): Promise<ReadonlyArray<string>> {
    const { violations } = await this.run(audit(scope))
    return [...new Set(violations.map(({ check }) => check))]
  }

  /** What must hold whatever was closed or dropped: every one of these calls is charged once. */
  async verify(charged: ReadonlyArray<CallRecord>): Promise<void> {
    const expected = { ok: true, wallets: 1, entries: 1, calls: charged.length, violations: [] }
    for (const scope of ["open", "all"] as const)
      assert.deepStrictEqual(await this.run(audit(scope)), expected)
    const cost = charged.reduce((sum, call) => sum + call.cost, 0n)
    assert.strictEqual(await balanceOf(this.database.url, this.accountId), credit - cost)
  }

  async stop(): Promise<void> {
    await this.sql.end()
    await this.database.stop()
  }
}

export const startMonths = async (database?: TestDatabase): Promise<TestMonths> => {
  database ??= await startTestDatabase()
  const sql = openSql(database.url)
  const { accountId } = await newCustomer(database.url, credit)
  return new TestMonths(database, sql, accountId, await makePastMonths(sql, 3))
}
