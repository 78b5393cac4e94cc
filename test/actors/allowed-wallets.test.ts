/** Wallets in memory of which gateway threads have parts: what is charged, given back and put away in spite of them. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { AccountId } from "../../src/domain/ids.ts"
import { Purse } from "./Purse.ts"
import { accountId, call, setUp } from "./set-up-wallets.ts"

describe("wallets of which threads have a part", () => {
  it.effect("count what was charged beyond them, and leave threads nothing of what is not there", () =>
    Effect.gen(function* () {
      const { ask, begin, wallets } = setUp()
      yield* begin(10n, 170n)
      const purse = wallets.allow(accountId, { thread: 1, wanted: 10n, open: () => new Purse() })!
      assert.strictEqual(purse.free, 10n)
      assert.strictEqual(wallets.settle(accountId, call("a"), 165n), "charged")
      assert.deepStrictEqual([purse.free, wallets.overdraft], [0n, 0n])
      ask("Hold", "b", 5n)
      assert.strictEqual(wallets.settle(accountId, call("b"), 12n), "charged")
      assert.strictEqual(wallets.overdraft, 7n)
      assert.strictEqual(wallets.settle(accountId, call("b"), 12n), "not held")
      assert.strictEqual(wallets.settle("acc_2" as AccountId, call("b"), 12n), "not held")
    })
  )

  it.effect("allow threads a part while that is enough for another call, and fill it up", () =>
    Effect.gen(function* () {
      const { begin, wallets } = setUp()
      const opened: Array<Purse> = []
      const open = () => {
        opened.push(new Purse())
        return opened.at(-1)
      }
      const allow = (wanted: bigint) => wallets.allow(accountId, { thread: 1, wanted, open })
      assert.isUndefined(allow(1n))
      yield* begin(10n, 170n)
      assert.isUndefined(allow(11n))
      assert.isUndefined(wallets.allow(accountId, { thread: 1, wanted: 1n, open: () => undefined }))
      assert.lengthOf(opened, 0)
      const purse = allow(10n)!
      assert.strictEqual(purse.free, 10n)
      purse.free = 1n
      // It has one already, whatever is wanted.
      assert.strictEqual(allow(11n), purse)
      assert.strictEqual(purse.free, 9n)
      purse.free = 1n
      wallets.fillUp(accountId, 1)
      wallets.fillUp(accountId, 2)
      assert.strictEqual(purse.free, 8n)
      assert.lengthOf(opened, 1)
      wallets.takeBackAll()
      assert.strictEqual(purse.free, 0n)
      // Its calls hold the rest.
      assert.strictEqual(wallets.heldBy(accountId), 27n)
      wallets.adopt(accountId, { thread: 1, callId: call("b"), amount: 10n }, 50)
      wallets.endThread(2)
      wallets.endThread(1)
      assert.deepStrictEqual(wallets.holds(), { count: 2, amount: 20n })
      assert.strictEqual(wallets.settle(accountId, call("b"), 3n), "charged")
    })
  )

  it.effect("are put away once nothing is held nor owed, and nobody has used them for a while", () =>
    Effect.gen(function* () {
      const { begin, wallets } = setUp()
      yield* begin(10n, 1_700n)
      const purse = wallets.allow(accountId, { thread: 1, wanted: 1n, open: () => new Purse() })!
      purse.free -= 5n
      wallets.adopt(accountId, { thread: 1, callId: call("b"), amount: 5n }, 50)
      assert.deepStrictEqual(wallets.putAwayIdle(50), [])
      wallets.settle(accountId, call("a"), 4n)
      wallets.release(accountId, call("b"))
      // It was used, though nobody asked.
      assert.deepStrictEqual(wallets.putAwayIdle(50), [])
      assert.deepStrictEqual(wallets.putAwayIdle(51), [])
      wallets.committed(accountId, 4n)
      assert.deepStrictEqual(wallets.putAwayIdle(51), [accountId])
      assert.strictEqual(purse.free, 0n)
      assert.isFalse(wallets.has(accountId))
    })
  )
})
