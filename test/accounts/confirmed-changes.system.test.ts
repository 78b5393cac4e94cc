/** A change of a key is made when every living node has confirmed it. */
import { assert, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { listKeys, revokeKey, updateKey } from "../../src/accounts/keys.ts"
import { startFakeNode } from "./fake-node.ts"
import { actor, makeKey, messageOf, openAccount } from "./open-account.ts"
import { TestDatabase } from "./test-database.ts"

layer(TestDatabase, { excludeTestServices: true, timeout: "60 seconds" })("a change of a key", (it) => {
  it.effect("revoking returns only after every living node has confirmed", () =>
    Effect.gen(function* () {
      const { accountId } = yield* openAccount
      const { keyId } = yield* makeKey(accountId)
      const [first, second] = [yield* startFakeNode, yield* startFakeNode]
      const revoking = yield* Effect.forkChild(revokeKey(keyId, actor))
      const [event] = yield* first.hear
      assert.deepStrictEqual([event!.kind, event!.subject], ["key", keyId])
      yield* first.confirm(event!.id)
      assert.isUndefined(revoking.pollUnsafe())
      yield* second.hear
      assert.isUndefined(revoking.pollUnsafe())
      yield* second.confirm(event!.id)
      yield* Fiber.join(revoking)
    })
  )

  it.effect("a node that dies is not waited for", () =>
    Effect.gen(function* () {
      const { accountId } = yield* openAccount
      const { keyId } = yield* makeKey(accountId)
      const changing = yield* Effect.scoped(
        Effect.gen(function* () {
          const node = yield* startFakeNode
          const changing = yield* Effect.forkChild(updateKey(keyId, { rateLimitPerMinute: 5 }, actor))
          yield* node.hear
          return changing
        })
      )
      yield* Fiber.join(changing)
      assert.strictEqual((yield* listKeys(accountId))[0]!.rateLimitPerMinute, 5)
    })
  )

  it.effect("a node that keeps silent is named after 10 seconds, and the change stands", () =>
    Effect.gen(function* () {
      const { accountId } = yield* openAccount
      const { keyId } = yield* makeKey(accountId)
      const node = yield* startFakeNode
      const revoking = yield* Effect.forkChild(messageOf(revokeKey(keyId, actor)))
      yield* node.hear
      while (revoking.pollUnsafe() === undefined) {
        yield* TestClock.adjust("1 second")
        yield* Effect.promise(() => new Promise(setImmediate))
      }
      assert.strictEqual(
        yield* Fiber.join(revoking),
        `The change is stored, but node ${node.nodeId} did not confirm it within 10 s`
      )
      assert.strictEqual((yield* listKeys(accountId))[0]!.status, "revoked")
    }).pipe(Effect.provide(TestClock.layer()))
  )
})
