/** Lines reach the log whole and in order; where some are missing, it says so. */
import { assert, describe, it } from "@effect/vitest"
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach } from "vitest"
import { LineWriter } from "../../src/telemetry/LineWriter.ts"

let folder: string
let descriptor: number
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tollgate-lines-"))
  descriptor = openSync(join(folder, "log"), "w")
})
afterEach(() => {
  closeSync(descriptor)
  rmSync(folder, { recursive: true, force: true })
})

const written = () => readFileSync(join(folder, "log"), "utf8").split("\n").slice(0, -1)

describe("log lines", () => {
  it("are written in order when the process ends", () => {
    const lines = new LineWriter(descriptor, String)
    lines.write("first")
    lines.write("second")
    lines.flushSync()
    assert.deepStrictEqual(written(), ["first", "second"])
  })

  it("that nobody reads are dropped beyond a few megabytes, and the log tells how many", () => {
    const lines = new LineWriter(descriptor, (dropped) => `${dropped} dropped`)
    const long = "x".repeat(1_048_576)
    for (let index = 0; index < 7; index++) lines.write(long)
    lines.flushSync()
    assert.deepStrictEqual(written(), [long, long, long, long, "3 dropped"])
    lines.write("later")
    lines.write("last")
    lines.flushSync()
    assert.deepStrictEqual(written(), [long, long, long, long, "3 dropped", "later", "last"])
  })
})
