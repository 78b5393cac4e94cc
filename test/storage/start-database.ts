/**
 * Databases for tests. One PostgreSQL serves a whole test run: it starts with the first database that is asked for and
 * ends with the run, however that ends. Each database is a copy of a migrated one, made in some tens of milliseconds.
 */
import { spawn } from "node:child_process"
import { closeSync, openSync, readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { isMainThread } from "node:worker_threads"
import { identifyProcess } from "../../src/storage/embedded/identify-process.ts"
import type { Sql } from "../../src/storage/Database.ts"
import { migrateDatabase } from "./migrate-database.ts"
import { withSql } from "./with-sql.ts"
import { delay } from "../delay.ts"

export interface TestDatabase {
  readonly url: string
  /** Drops the database; its last clients are cut off. */
  readonly stop: () => Promise<void>
}

export interface TestDatabaseOptions {
  /** `false`: without a schema. */
  readonly migrated?: boolean
  /** Sorts as this language does, such as `en-US`; then it has no schema either. */
  readonly language?: string
}

/** A new database with the program's schema and nothing in it. */
export const startTestDatabase = async (options: TestDatabaseOptions = {}): Promise<TestDatabase> => {
  const serverUrl = await findServer()
  const name = `test_${crypto.randomUUID().replaceAll("-", "")}`
  await withSql(serverUrl, async (sql) => {
    const { language } = options
    if (language !== undefined)
      return void (await sql.unsafe(
        `create database ${name} template template0 locale_provider icu icu_locale '${language}'`
      ))
    if (options.migrated === false) return void (await sql.unsafe(`create database ${name}`))
    await makeTemplate(sql, serverUrl)
    await sql.unsafe(`create database ${name} template ${templateName}`)
  })
  const stop = () =>
    withSql(serverUrl, async (sql) => void (await sql.unsafe(`drop database if exists ${name} with (force)`)))
  return { url: databaseIn(serverUrl, name), stop }
}

const templateName = "migrated"

const databaseIn = (serverUrl: string, name: string) => serverUrl.replace(/\/postgres$/, `/${name}`)

/** Under an advisory lock, since several test files may want it first; under another name until it is whole. */
const makeTemplate = async (sql: Sql, serverUrl: string) => {
  await sql`select pg_advisory_lock(1, 1)`
  const [found] = await sql`select 1 from pg_database where datname = ${templateName}`
  if (found === undefined) {
    const unfinished = `${templateName}_unfinished`
    await sql.unsafe(`drop database if exists ${unfinished}`)
    await sql.unsafe(`create database ${unfinished}`)
    await migrateDatabase(databaseIn(serverUrl, unfinished))
    await sql.unsafe(`alter database ${unfinished} rename to ${templateName}`)
  }
  await sql`select pg_advisory_unlock(1, 1)`
}

/** The run is the process that owns all workers; a test that runs alone under plain node is its own. */
const runPid = isMainThread && process.env["VITEST"] !== undefined ? process.ppid : process.pid
const runFolder = join(
  tmpdir(),
  `tollgate-test-${runPid}-${identifyProcess(runPid)?.split(" ").at(-1) ?? ""}`
)

/** The run's PostgreSQL; whoever gets to make the marker file first starts its keeper. */
const findServer = async (): Promise<string> => {
  if (takeMarker()) {
    const keeper = fileURLToPath(new URL("./keep-database.ts", import.meta.url))
    spawn(process.execPath, [keeper, String(runPid), runFolder], { detached: true, stdio: "ignore" }).unref()
  }
  const deadline = Date.now() + 60_000
  while (Date.now() < deadline) {
    const answer = readAnswer()
    if (answer?.startsWith("postgres:")) return answer
    if (answer !== undefined) throw new Error(`the test database does not start: ${answer}`)
    await delay(20)
  }
  throw new Error("the test database does not start within a minute")
}

const takeMarker = (): boolean => {
  try {
    closeSync(openSync(`${runFolder}.starting`, "wx"))
    return true
  } catch {
    return false
  }
}

const readAnswer = (): string | undefined => {
  try {
    return readFileSync(`${runFolder}.url`, "utf8")
  } catch {
    return undefined
  }
}
