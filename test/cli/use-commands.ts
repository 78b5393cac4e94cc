/** The command line beside a database of the test file's own. */
import { afterAll, assert, beforeAll } from "@effect/vitest"
import { execFile } from "node:child_process"
import { startTestDatabase, type TestDatabase } from "../storage/start-database.ts"

interface Ended {
  readonly status: number
  readonly stdout: string
  readonly stderr: string
}

export const useCommands = () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await startTestDatabase()
  })
  afterAll(() => database.stop())
  const run = (...args: ReadonlyArray<string>) =>
    new Promise<Ended>((resolve) => {
      const env = { PATH: process.env["PATH"] ?? "", DATABASE_URL: database.url }
      execFile(process.execPath, ["src/main.ts", ...args], { env }, (error, stdout, stderr) =>
        resolve({ status: error === null ? 0 : Number(error.code), stdout, stderr })
      )
    })
  return {
    get databaseUrl() {
      return database.url
    },
    run,
    /** What it prints with `--json`; it must succeed and complain of nothing. */
    json: async (...args: ReadonlyArray<string>) => {
      const { status, stderr, stdout } = await run(...args, "--json")
      assert.deepStrictEqual([status, stderr], [0, ""])
      return JSON.parse(stdout)
    }
  }
}
