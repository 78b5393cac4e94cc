/** Nobody reads what the start says, or its disk is full: calls are served all the same. */
import { assert } from "@effect/vitest"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { closeSync, mkdtempSync, openSync, rmSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { describe, it, onTestFinished } from "vitest"
import { withSql } from "../storage/with-sql.ts"
import { temporaryFolder } from "../temporary-folder.ts"
import { until } from "../until.ts"
import { serverEnvironment } from "./server-environment.ts"
import { startDatabase } from "./start-for-test.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))

describe("a server goes on", () => {
  it.each([
    ["has left", "pipe"],
    ["is a disk that is full", "/dev/full"]
  ])("where the reader of its errors %s", async (_, reader) => {
    const database = await startDatabase()
    const folder = mkdtempSync(join(temporaryFolder(), "tollgate-unread-"))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const errors = reader === "pipe" ? "pipe" : openSync(reader, "w")
    const child = spawn(join(root, "node_modules", ".bin", "node"), ["src/main.ts", "serve"], {
      cwd: root,
      stdio: ["ignore", "pipe", errors],
      env: {
        ...serverEnvironment({ dataDir: folder, databaseUrl: database.url }),
        OPERATIONS_PORT: "0"
      }
    })
    onTestFinished(() => void child.kill("SIGKILL"))
    child.stderr?.destroy()
    if (typeof errors === "number") closeSync(errors)
    const ended = once(child, "exit")
    let url: string | undefined
    createInterface({ input: child.stdout! }).on(
      "line",
      (line) => (url ??= /told of on ([^"]+)/.exec(line)?.[1])
    )
    await until(() => url, 60)
    // Of the demo account the start tells last.
    await withSql(database.url, (sql) => until(async () => (await sql`select from keys`).length === 1))
    for (let time = 0; time < 50; time++) assert.isTrue((await fetch(`${url}/readyz`)).ok)
    child.kill("SIGTERM")
    assert.deepStrictEqual(await ended, [0, null])
  })
})
