import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { SealKeys } from "../../src/accounts/SealKeys.ts"
import { Config } from "../../src/config.ts"

const makeFolder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "tollgate-seal-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

const open = (folder: string, sealKey?: string) =>
  Effect.scoped(
    Effect.gen(function* () {
      const config = Config.layerWith(() => ({ DATA_DIR: folder, TOLLGATE_SEAL_KEY: sealKey }), folder)
      return yield* SealKeys.pipe(Effect.provide(SealKeys.layer.pipe(Layer.provide(config))))
    })
  )

const configured = Buffer.alloc(32, 7).toString("base64")

describe("SealKeys", () => {
  it.live("makes a key file that its owner alone can read, and keeps to it", () =>
    Effect.gen(function* () {
      const folder = join(yield* makeFolder, "data")
      const first = yield* open(folder)
      const path = join(folder, "seal.key")
      assert.strictEqual(statSync(path).mode & 0o777, 0o600)
      assert.deepStrictEqual(
        Buffer.from(readFileSync(path, "utf8"), "base64"),
        Buffer.from(first.current.bytes)
      )
      assert.strictEqual((yield* open(folder)).current.id, first.current.id)
      assert.deepStrictEqual(readdirSync(folder), ["seal.key"])
    })
  )

  it.live("takes a configured key and writes none", () =>
    Effect.gen(function* () {
      const folder = yield* makeFolder
      const { current } = yield* open(folder, configured)
      assert.deepStrictEqual(
        [...current.bytes],
        Array.from({ length: 32 }, () => 7)
      )
      assert.deepStrictEqual(readdirSync(folder), [])
    })
  )

  it.live("still opens what its own file sealed after a move to a configured key", () =>
    Effect.gen(function* () {
      const folder = yield* makeFolder
      const own = yield* open(folder)
      const moved = yield* open(folder, configured)
      assert.notStrictEqual(moved.current.id, own.current.id)
      assert.deepStrictEqual(moved.find(own.current.id)?.bytes, own.current.bytes)
      assert.isUndefined(moved.find("0123456789ab"))
    })
  )

  it.live("holds a key once that the settings name twice, or name beside its own file", () =>
    Effect.gen(function* () {
      const folder = yield* makeFolder
      const { current } = yield* open(folder)
      const own = Buffer.from(current.bytes).toString("base64")
      const idsOf = (sealKey: string) =>
        Effect.map(open(folder, sealKey), ({ all }) => all.map(({ id }) => id))
      const both = yield* idsOf(`${own},${configured}`)
      assert.lengthOf(both, 2)
      assert.strictEqual(both[0], current.id)
      assert.deepStrictEqual(yield* idsOf(own), [current.id])
      assert.deepStrictEqual(yield* idsOf(`${configured},${own},${configured}`), both.toReversed())
    })
  )

  it.live("refuses a damaged key file instead of making another", () =>
    Effect.gen(function* () {
      const folder = yield* makeFolder
      writeFileSync(join(folder, "seal.key"), "c2hvcnQ=\n")
      const error = yield* Effect.flip(open(folder))
      assert.match(error.message, /seal\.key does not hold 32 bytes/)
    })
  )
})
