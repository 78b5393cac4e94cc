/** Lines reach the log whole and in order; where some are missing, it says so. */
import { assert, describe, it } from "@effect/vitest"
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, write } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach } from "vitest"
import { LineWriter } from "../../src/telemetry/LineWriter.ts"
import { until } from "../until.ts"

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

/** All lines, once there are so many; a disk that failed is left alone for a second. */
const written = (count: number) =>
  until(() => {
    const lines = readFileSync(join(folder, "log"), "utf8").split("\n").slice(0, -1)
    return lines.length === count && lines
  })

describe("log lines", () => {
  it("are written in order", async () => {
    const lines = new LineWriter(descriptor, String)
    lines.write("first")
    lines.write("second")
    assert.deepStrictEqual(await written(2), ["first", "second"])
  })

  it("that nobody reads are dropped beyond a few megabytes, and the log tells how many", async () => {
    const lines = new LineWriter(descriptor, (dropped) => `${dropped} dropped`)
    const long = "x".repeat(1_048_576)
    for (let index = 0; index < 7; index++) lines.write(long)
    assert.deepStrictEqual(await written(4), [long, long, long, long])
    lines.write("later")
    lines.write("last")
    assert.deepStrictEqual(await written(7), [long, long, long, long, "3 dropped", "later", "last"])
  })

  it("that a full disk does not take are written when it does, in order and once", async () => {
    let isFull = true
    const diskFull = Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" })
    const lines = new LineWriter(descriptor, String, (target, bytes, done) => {
      if (!isFull) return write(target, bytes, done)
      setImmediate(() => {
        done(diskFull, 0)
        isFull = false
      })
    })
    lines.write("first")
    await until(() => !isFull)
    lines.write("second")
    assert.deepStrictEqual(await written(2), ["first", "second"])
  })

  it("whose reader is gone are counted, and the next reader is told", async () => {
    let isGone = true
    const brokenPipe = Object.assign(new Error("EPIPE: broken pipe"), { code: "EPIPE" })
    const lines = new LineWriter(
      descriptor,
      (dropped) => `${dropped} dropped`,
      (target, bytes, done) => {
        if (!isGone) return write(target, bytes, done)
        setImmediate(() => {
          done(brokenPipe, 0)
          isGone = false
        })
      }
    )
    lines.write("first")
    lines.write("second")
    await until(() => !isGone)
    lines.write("third")
    assert.deepStrictEqual(await written(2), ["2 dropped", "third"])
  })
})
