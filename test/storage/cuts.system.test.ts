import { assert, describe, it } from "@effect/vitest"
import { spawn } from "node:child_process"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"
import { seeds } from "../Random.ts"
import { startTestDatabase } from "./start-database.ts"

const script = fileURLToPath(new URL("./endure-cuts.ts", import.meta.url))
const cutsMin = 150

interface Endured {
  readonly cuts: number
  /** Transactions of which one statement is there without the other. */
  readonly halves: number
  readonly done: Readonly<Record<string, number>>
  readonly failed: Readonly<Record<string, number>>
}

describe("a process whose database connections are cut in the midst of what they say", () => {
  it.each(seeds(1))("lives on, hangs nowhere and leaves no half of a transaction (seed %i)", async (seed) => {
    const database = await startTestDatabase()
    const child = spawn(process.execPath, [script, database.url, String(seed), String(cutsMin)], {
      // It ends with this process: its input does.
      stdio: ["pipe", "pipe", "pipe"]
    })
    const ended = new Promise((resolve) => child.once("exit", (code, signal) => resolve(signal ?? code)))
    const [answer, complaint, status] = await Promise.all([text(child.stdout), text(child.stderr), ended])
    await database.stop()
    assert.strictEqual(status, 0, answer + complaint)
    const endured = JSON.parse(answer) as Endured
    assert.isAtLeast(endured.cuts, cutsMin)
    assert.strictEqual(endured.halves, 0)
    for (const work of ["pair", "pipelined", "plain", "session"]) {
      assert.isAtLeast(endured.done[work] ?? 0, 1, `${work} was done between cuts`)
      assert.isAtLeast(endured.failed[work] ?? 0, 1, `${work} was cut`)
    }
    assert.isAtLeast((endured.done["journal"] ?? 0) + (endured.failed["journal"] ?? 0), 1)
  })
})
