import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach } from "vitest"
import { DatabaseUrl } from "../../src/storage/DatabaseUrl.ts"
import { migrate, readMigrations } from "../../src/storage/Migrations.ts"
import { Pooler } from "./Pooler.ts"
import { migrateDatabase } from "./migrate-database.ts"
import { startTestDatabase, type TestDatabase } from "./start-database.ts"
import { openSql } from "./with-sql.ts"
import { until } from "../until.ts"

let database: TestDatabase
let sql: ReturnType<typeof openSql>
let folder: string
beforeEach(async () => {
  database = await startTestDatabase({ migrated: false })
  sql = openSql(database.url)
  folder = mkdtempSync(join(tmpdir(), "tollgate-migrations-"))
  write("0001-first.sql", "create table first (id integer);" + partitions)
})
afterEach(async () => {
  await sql.end()
  await database.stop()
  rmSync(folder, { recursive: true, force: true })
})

const partitions = "create function ensure_call_partitions(today date) returns void language sql as 'select'"
const write = (name: string, content: string) => writeFileSync(join(folder, name), content)
const run = (from?: string, url = database.url) => migrateDatabase(url, from)
const refusal = (from: string, url = database.url) =>
  Effect.runPromise(Effect.provide(Effect.flip(migrate(from)), DatabaseUrl.layerOf(url)))
const versions = async () =>
  (await sql`select version from schema_migrations order by version`).map((row) => row["version"])
const exists = async (name: string) =>
  (await sql`select to_regclass(${name}) is not null as found`)[0]!["found"]

describe("migrate", () => {
  it("brings an empty database to the program's schema, with this month's partition of the call log", async () => {
    await run()
    const [{ month }] = (await sql`select to_char(current_date, 'YYYYMM') as month`) as unknown as [
      { month: string }
    ]
    assert.isTrue(await exists(`calls_${month}`))
    assert.isTrue(await exists("wallets"))
  })

  it("does each migration once when several processes begin together", async () => {
    await Promise.all([run(), run(), run(), run()])
    const shipped = readMigrations("src/storage/migrations").map(({ version }) => version)
    assert.deepStrictEqual(await versions(), shipped)
  })

  it("makes no second schema beside the one that a session is not led to", async () => {
    await run(folder)
    const [{ name }] = (await sql`select current_database() as name`) as unknown as [{ name: string }]
    await sql.unsafe(`create schema aside; alter database ${name} set search_path = aside`)
    const error = await refusal(folder)
    assert.strictEqual(error._tag, "SchemaMismatch")
    assert.include(error.message, "its tables are in the schema public, which search_path does not lead to")
    const tables = await sql`select from pg_tables where schemaname = 'aside'`
    assert.lengthOf(tables, 0)
  })

  it("makes its own beside another program's table of the same name", async () => {
    await sql`create schema other`
    await sql`create table other.schema_migrations (version text, checksum text, applied_at timestamptz)`
    await run(folder)
    assert.deepStrictEqual(await versions(), [1])
  })

  it("does only what is new, and nothing when all is done", async () => {
    await run(folder)
    await run(folder)
    write("0002-second.sql", "create table second (id integer)")
    await run(folder)
    assert.deepStrictEqual(await versions(), [1, 2])
    assert.isTrue(await exists("second"))
  })

  it("leaves nothing of a migration that fails, keeps those before it, and goes on when it is mended", async () => {
    write("0002-second.sql", "create table second (id integer); select 1 / 0")
    assert.include((await refusal(folder)).message, "Could not apply migration 0002-second (22012")
    assert.isTrue(await exists("first"))
    assert.isFalse(await exists("second"))
    assert.deepStrictEqual(await versions(), [1])
    write("0002-second.sql", "create table second (id integer)")
    await run(folder)
    assert.deepStrictEqual(await versions(), [1, 2])
  })

  it("lets others go on while what it changes is read for long, and changes it then", async () => {
    write("0002-second.sql", "create table second (id integer)")
    await run(folder)
    write("0003-third.sql", "alter table second add name text")
    const reader = openSql(database.url)
    try {
      await reader.unsafe("begin; lock table second in access share mode")
      const migrating = run(folder)
      await until(async () => {
        const [waits] = await sql`select from pg_locks where relation = 'second'::regclass and not granted`
        return waits !== undefined
      })
      // Else it would wait for the migration, and that for who reads.
      await sql`insert into second values (1)`
      await reader.unsafe("rollback")
      await migrating
    } finally {
      await reader.end()
    }
    assert.deepStrictEqual(await versions(), [1, 2, 3])
  })

  it("refuses a database whose schema is newer than the program, and leaves it as it was", async () => {
    write("0002-second.sql", "create table second (id integer)")
    await run(folder)
    rmSync(join(folder, "0002-second.sql"))
    const error = await refusal(folder)
    assert.strictEqual(error._tag, "SchemaMismatch")
    assert.include(error.message, "its schema is newer (0002-second)")
    assert.deepStrictEqual(await versions(), [1, 2])
  })

  it("refuses a migration whose content has changed since it was applied", async () => {
    await run(folder)
    write("0001-first.sql", "create table other (id integer);" + partitions)
    const error = await refusal(folder)
    assert.strictEqual(error._tag, "SchemaMismatch")
    assert.include(error.message, "0001-first was applied with another content")
  })

  it("refuses a database that can not hold every name, and leaves it as it was", async () => {
    const name = `latin_${crypto.randomUUID().replaceAll("-", "")}`
    await sql.unsafe(
      `create database ${name} encoding 'LATIN1' locale 'C' locale_provider libc template template0`
    )
    const url = database.url.replace(/\/\w+$/, `/${name}`)
    const latin = openSql(url)
    try {
      const error = await refusal(folder, url)
      assert.strictEqual(error._tag, "SchemaMismatch")
      assert.include(error.message, "it is encoded as LATIN1; make it with encoding UTF8")
      const [found] = await latin`select to_regclass('schema_migrations') is not null as found`
      assert.isFalse(found!["found"])
    } finally {
      await latin.end()
      await sql.unsafe(`drop database ${name} with (force)`)
    }
  })

  it("refuses a pooler that lends a connection for a transaction, and leaves the database as it was", async () => {
    const pooler = new Pooler(database.url, "transaction")
    try {
      const error = await refusal(folder, await pooler.start())
      assert.strictEqual(error._tag, "PooledDatabase")
      assert.include(error.message, "DATABASE_URL leads to a connection pooler")
      assert.isFalse(await exists("schema_migrations"))
    } finally {
      await pooler.stop()
    }
  })

  it("goes by way of whoever passes sessions on, under whatever number of a process", async () => {
    const pooler = new Pooler(database.url, "session")
    try {
      await run(folder, await pooler.start())
      assert.deepStrictEqual(await versions(), [1])
    } finally {
      await pooler.stop()
    }
  })

  it("takes a migration for the same whatever line ends the checkout has", async () => {
    write("0001-first.sql", `create table first\n(id integer);\n${partitions}`)
    await run(folder)
    write("0001-first.sql", `create table first\r\n(id integer);\r\n${partitions}`)
    await run(folder)
  })

  it.each(["first.sql", "01-first.sql", "0003-Caps.sql", "0003-x.txt", "0001-again.sql"])(
    "does not overlook a file that is called %s",
    async (name) => {
      write(name, "select 1")
      assert.throws(() => readMigrations(folder))
    }
  )
})
