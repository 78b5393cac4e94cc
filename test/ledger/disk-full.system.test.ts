/** A disk without room for the embedded database and the spool: calls are refused, and nothing is lost or half-written. */
import { assert } from "@effect/vitest"
import { Effect, Exit, Logger, Scope } from "effect"
import { chmodSync, closeSync, mkdirSync, openSync, rmSync, writeSync } from "node:fs"
import { join } from "node:path"
import { afterAll, describe, it } from "vitest"
import { startEmbeddedPostgres } from "../../src/storage/EmbeddedPostgres.ts"
import { migrateDatabase } from "../storage/migrate-database.ts"
import { mountDisk } from "../storage/mount-disk.ts"
import { callRecord, newCallId } from "./call-record.ts"
import { auditOf, balanceOf, newCustomer, startLedger } from "./start-ledger.ts"

const balance = 1_000_000n
const disk = mountDisk(128)
const closers: Array<() => Promise<unknown>> = []
afterAll(async () => {
  for (const close of closers.toReversed()) await close()
  disk?.unmount()
})

/** Takes all the room there is, to the last byte; answers what gives it back. */
const fillUp = (folder: string): (() => void) => {
  const path = join(folder, "filler")
  const file = openSync(path, "w")
  for (let size = 1024 * 1024; size >= 1; size = Math.floor(size / 2)) {
    try {
      while (writeSync(file, Buffer.alloc(size)) === size);
    } catch {
      // There is no room for so much any more.
    }
  }
  closeSync(file)
  return () => rmSync(path)
}

describe("a disk that is full", () => {
  it.skipIf(disk === undefined)(
    "has new calls refused, and those under way charged once, when there is room again",
    async () => {
      const scope = Scope.makeUnsafe()
      closers.push(() => Effect.runPromise(Scope.close(scope, Exit.void)))
      const quiet = Logger.layer([])
      const server = await Effect.runPromise(
        startEmbeddedPostgres({ dataDir: join(disk!.path, "database") }).pipe(
          Scope.provide(scope),
          Effect.provide(quiet)
        )
      )
      await migrateDatabase(server.url)
      const customer = await newCustomer(server.url, balance)
      const dataDir = join(disk!.path, "data")
      mkdirSync(dataDir)
      chmodSync(dataDir, 0o755)
      const ledger = await startLedger(server.url, { dataDir })
      closers.push(() => ledger.stop())
      const calls = Array.from({ length: 1_000 }, newCallId)
      for (const callId of calls) assert.strictEqual(await ledger.admit(customer, callId, 1n), 1n)

      const makeRoom = fillUp(disk!.path)
      const answered = { count: 0 }
      const settled = calls.map(async (callId) => {
        await ledger.settle(callRecord(customer, callId, 1n))
        answered.count++
      })
      await ledger.untilAvailable(false)
      const charged = async () => balance - (await balanceOf(server.url, customer.accountId))
      assert.isTrue((await charged()) >= BigInt(answered.count))
      assert.strictEqual(await ledger.admit(customer, newCallId(), 1n), "Unavailable")

      makeRoom()
      await ledger.untilAvailable()
      await Promise.all(settled)
      assert.strictEqual(await charged(), BigInt(calls.length))
      assert.strictEqual(await ledger.admit(customer, newCallId(), 1n), 1n)
      assert.deepStrictEqual((await auditOf(server.url)).violations, [])
    }
  )
})
