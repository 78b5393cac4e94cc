import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Logger } from "effect"
import { SealKeys } from "../../src/accounts/SealKeys.ts"
import { warnOfForeignSeals } from "../../src/accounts/warn-of-foreign-seals.ts"
import { Database, DatabaseError } from "../../src/storage/Database.ts"

const brokenDatabase = Layer.succeed(
  Database,
  Database.of({
    run: (operation) => Effect.fail(new DatabaseError({ operation, code: "CONNECTION_CLOSED" })),
    listen: () => Effect.void
  })
)

describe("a node that can not look for keys that others sealed", () => {
  it.effect("says so in its log, and starts all the same", () =>
    Effect.gen(function* () {
      const lines: Array<string> = []
      const logger = Logger.layer([Logger.make(({ message }) => void lines.push(String(message)))])
      yield* Effect.provide(warnOfForeignSeals, [
        SealKeys.layerOf([new Uint8Array(32)]),
        brokenDatabase,
        logger
      ])
      assert.strictEqual(lines.length, 1)
      assert.include(lines[0], "CONNECTION_CLOSED")
    })
  )
})
