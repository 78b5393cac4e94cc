/** `npm start` as others start it: a terminal, a supervisor or a script, which know npm's process alone. */
import { assert } from "@effect/vitest"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, it } from "vitest"
import { startTestDatabase, type TestDatabase } from "../storage/start-database.ts"
import { until } from "../until.ts"
import { serverEnvironment } from "./server-environment.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))

let folder: string
let database: TestDatabase
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "tollgate-npm-"))
  database = await startTestDatabase()
})
afterAll(async () => {
  await database.stop()
  rmSync(folder, { recursive: true, force: true })
})

describe("npm start", () => {
  it("ends the server in order with npm", async () => {
    const npm = spawn("npm", ["start"], {
      cwd: root,
      stdio: ["ignore", "pipe", "pipe"],
      // So that none of it outlives the test.
      detached: true,
      env: serverEnvironment({ dataDir: join(folder, "data"), databaseUrl: database.url })
    })
    let said = ""
    for (const stream of [npm.stdout, npm.stderr])
      stream.on("data", (chunk: Buffer) => {
        said += chunk.toString()
      })
    // What goes on holds the pipes.
    const closed = once(npm, "close")
    try {
      const url = await until(() => /Tollgate listens on (\S+)/.exec(said)?.[1], 60)
      assert.isTrue((await fetch(`${url}/healthz`)).ok)
      npm.kill("SIGTERM")
      await until(() => said.includes(`"message":"Stopped"`))
      await closed
    } finally {
      endGroup(npm.pid!)
    }
  })
})

const endGroup = (pid: number) => {
  try {
    process.kill(-pid, "SIGKILL")
  } catch {
    // Nobody is left.
  }
}
