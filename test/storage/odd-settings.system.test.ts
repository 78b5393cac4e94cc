/** A database whose owner has set it up otherwise than ours: nothing that it holds is taken for something else. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Logger } from "effect"
import { afterAll, beforeAll } from "vitest"
import { openConnection } from "../../src/storage/postgres/Connection.ts"
import { warnOfLoss } from "../../src/storage/warn-of-loss.ts"
import { delay } from "../delay.ts"
import { onDatabase } from "./on-database.ts"
import { startTestDatabase, type TestDatabase } from "./start-database.ts"
import { withSql } from "./with-sql.ts"

const oddSettings = {
  timezone: "America/St_Johns",
  datestyle: "SQL, DMY",
  intervalstyle: "iso_8601",
  bytea_output: "escape",
  extra_float_digits: "-3",
  standard_conforming_strings: "off",
  default_transaction_isolation: "repeatable read",
  statement_timeout: "300ms",
  lock_timeout: "100ms",
  idle_in_transaction_session_timeout: "200ms",
  idle_session_timeout: "400ms",
  jit: "on"
}

let database: TestDatabase
beforeAll(async () => {
  database = await startTestDatabase()
  await set(oddSettings)
})
afterAll(() => database.stop())

const set = (settings: Readonly<Record<string, string>>) =>
  withSql(database.url, async (sql) => {
    const [{ name }] = await sql<[{ name: string }]>`select current_database() as name`
    for (const [setting, value] of Object.entries(settings))
      await sql.unsafe(`alter database ${name} set ${setting} to '${value}'`)
  })

const open = () => openConnection(database.url, { name: "test" })

describe("a database with settings of its own", () => {
  it("is read as it was written", async () => {
    const connection = open()
    const at = new Date("2026-03-04T05:06:07.089Z")
    const bytes = Buffer.from([0, 92, 39, 200, 255])
    const [row] = await connection.sql`
      select ${at}::timestamptz as at, ${bytes}::bytea as bytes, '2026-03-04'::timestamptz as midnight,
        0.1::float8 + 0.2::float8 as number, '\\' as text, '90 minutes'::interval as lasts,
        current_setting('jit') as jit
    `
    assert.deepStrictEqual(
      { ...row },
      {
        at,
        bytes,
        midnight: new Date("2026-03-04T00:00:00Z"),
        number: 0.1 + 0.2,
        text: "\\",
        lasts: "01:30:00",
        jit: "off"
      }
    )
    await connection.close()
  })

  it("lets transactions wait for each other, and for as long as it takes", async () => {
    const [one, other] = [open(), open()]
    await one.sql`create table counters (n integer)`
    await one.sql`insert into counters values (0)`
    const count = (connection: typeof one, restMs: number) =>
      connection.sql.begin(async (transaction) => {
        await transaction`select n from counters`
        await transaction`update counters set n = n + 1`
        await delay(restMs)
      })
    const first = count(one, 600)
    await delay(50)
    await Promise.all([first, count(other, 0)])
    await delay(600)
    assert.deepStrictEqual([...(await other.sql`select n from counters`)], [{ n: 2 }])
    await Promise.all([one.close(), other.close()])
  })

  it("is warned of where it says that is committed which it may lose", async () => {
    const lines: Array<string> = []
    const logger = Logger.layer([Logger.make(({ message }) => void lines.push(String(message)))])
    const warn = () => onDatabase(database.url, Effect.provide(warnOfLoss, logger))
    await warn()
    assert.deepStrictEqual(lines, [])
    await set({ synchronous_commit: "off" })
    await warn()
    assert.lengthOf(lines, 1)
    assert.include(lines[0], "PostgreSQL has synchronous_commit off")
  })
})
