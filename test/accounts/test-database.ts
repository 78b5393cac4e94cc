/** A database of its own for a test file, with the keys that seal secrets. */
import { Effect, Layer, Redacted } from "effect"
import { randomBytes, randomUUID } from "node:crypto"
import { SealKeys } from "../../src/accounts/SealKeys.ts"
import { Database } from "../../src/storage/Database.ts"
import { DatabaseUrl } from "../../src/storage/DatabaseUrl.ts"
import { startTestDatabase } from "../storage/start-database.ts"

const OwnUrl = Layer.effect(
  DatabaseUrl,
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(() => startTestDatabase()),
      ({ stop }) => Effect.promise(stop)
    ),
    ({ url }) => DatabaseUrl.of({ url: Redacted.make(url) })
  )
)

export const TestDatabase = Layer.mergeAll(
  SealKeys.layerOf([randomBytes(32)]),
  Database.layer.pipe(Layer.provideMerge(OwnUrl))
)

export const freshEmail = (): string => `${randomUUID()}@example.vn`
