/** Two nodes look keys up in one database. */
import { assert } from "@effect/vitest"
import { Effect, Exit, Layer, Logger, Scope } from "effect"
import { randomBytes } from "node:crypto"
import { afterAll, beforeAll, describe, it } from "vitest"
import { createAccount } from "../../src/accounts/accounts.ts"
import { hashSecret } from "../../src/accounts/hash-secret.ts"
import { createKey, revokeKey } from "../../src/accounts/keys.ts"
import { KeyDirectory } from "../../src/ledger/bridge/KeyDirectory.ts"
import type { Found } from "../../src/ledger/bridge/KeyLookups.ts"
import { Database } from "../../src/storage/Database.ts"
import { DatabaseUrl } from "../../src/storage/DatabaseUrl.ts"
import { startTestDatabase, type TestDatabase } from "../storage/start-database.ts"
import { DatabaseProxy } from "./DatabaseProxy.ts"
import { operate } from "./start-ledger.ts"

let database: TestDatabase
let proxy: DatabaseProxy
let nodes: ReadonlyArray<KeyDirectory["Service"]>
let second: Database["Service"]
const scope = Scope.makeUnsafe()
const startNode = (url: string) =>
  Effect.runPromise(
    Effect.map(
      Layer.buildWithScope(
        KeyDirectory.layer.pipe(
          Layer.provideMerge(Database.layer),
          Layer.provide(DatabaseUrl.layerOf(url)),
          Layer.provide(Logger.layer([]))
        ),
        scope
      ),
      (context) =>
        Effect.runSync(Effect.provide(Effect.all({ keys: KeyDirectory, database: Database }), context))
    )
  )
beforeAll(async () => {
  database = await startTestDatabase()
  proxy = new DatabaseProxy(database.url)
  const started = await Promise.all([startNode(database.url), startNode(await proxy.start())])
  nodes = started.map(({ keys }) => keys)
  second = started[1]!.database
})
afterAll(async () => {
  await Effect.runPromise(Scope.close(scope, Exit.void))
  await proxy.stop()
  await database.stop()
})

const identify = (node: KeyDirectory["Service"], secretHash: Uint8Array) =>
  new Promise<Found>((resolve) => node.identify(secretHash, resolve))
const newKey = () =>
  operate(
    database.url,
    Effect.gen(function* () {
      const { accountId } = yield* createAccount({
        email: `${crypto.randomUUID()}@example.com`,
        credit: 0n,
        actor: "test"
      })
      const { keyId, secret } = yield* createKey({ accountId, name: "test", actor: "test" })
      return { accountId, keyId, secretHash: hashSecret(secret) }
    })
  )

describe("keys", () => {
  it("work on every node as soon as they were made, in a flood of others, and are known when they are revoked", async () => {
    const strangers = Array.from({ length: 2_000 }, () => identify(nodes[0]!, randomBytes(32)))
    const key = await newKey()
    for (const node of nodes) {
      const found = await identify(node, key.secretHash)
      assert.deepInclude(found, { keyId: key.keyId, accountId: key.accountId })
    }
    assert.isTrue((await Promise.all(strangers)).every((found) => found === undefined))
    assert.strictEqual(nodes[0]!.waiting, 0)
    await operate(database.url, revokeKey(key.keyId, "test"))
    assert.deepInclude(await identify(nodes[0]!, key.secretHash), { keyId: key.keyId })
  })

  it("can not be told while the database is away, and can again when it is back", async () => {
    const key = await newKey()
    proxy.refuses = true
    proxy.cut()
    assert.isNull(await identify(nodes[1]!, key.secretHash))
    proxy.refuses = false
    assert.deepInclude(await identify(nodes[1]!, key.secretHash), { keyId: key.keyId })
  })

  it("can be told again once one look-up was swallowed, however many connections would swallow the next", async () => {
    const key = await newKey()
    const rest = second.run("rest", (sql) => sql`select pg_sleep(0.1)`)
    await Effect.runPromise(Effect.all([rest, rest, rest], { concurrency: "unbounded" }))
    proxy.dropsAnswers = true
    proxy.onConnection = () => {
      proxy.dropsAnswers = false
    }
    assert.isNull(await identify(nodes[1]!, key.secretHash))
    assert.deepInclude(await identify(nodes[1]!, key.secretHash), { keyId: key.keyId })
  })
})
