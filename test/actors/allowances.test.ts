/** What gateway threads are allowed of a wallet: a small part, kept up, and there for every call that lacks it. */
import { assert, describe, it } from "@effect/vitest"
import {
  decideOnAll,
  fillUp,
  heldByCalls,
  heldInAll,
  keepCovered,
  type OwnedWallet,
  takeBack
} from "../../src/actors/allowances.ts"
import type { CallId } from "../../src/domain/ids.ts"
import { available, emptyWallet, perform } from "../../src/domain/wallet.ts"
import { Purse } from "./Purse.ts"

const call = (name: string) => name as CallId

/** Two threads were allowed 30 and 20 of 100, and have taken 10 and none of it. */
const setUp = (funds = 100n) => {
  const owned: OwnedWallet = {
    wallet: emptyWallet(funds),
    active: true,
    isExact: false,
    isOverheld: false,
    uncommitted: 0n,
    shortage: undefined,
    rest: undefined,
    allowances: new Map()
  }
  const allow = (thread: number, amount: bigint) => {
    const purse = new Purse()
    perform(owned.wallet, { _tag: "Allow", thread, amount })
    purse.grant(amount)
    owned.allowances.set(thread, purse)
    return purse
  }
  const [one, other] = [allow(1, 30n), allow(2, 20n)]
  one.free -= 10n
  const hold = (minimum: bigint, wanted = minimum, name = "a") =>
    decideOnAll(owned, { _tag: "Hold", callId: call(name), minimum, wanted })
  return { hold, one, other, owned, wallet: owned.wallet }
}

describe("what threads are allowed", () => {
  it("is left to them while a call finds all that it wants beside it", () => {
    const { hold, one, other } = setUp()
    assert.deepInclude(hold(50n), { _tag: "Held", granted: 50n })
    assert.deepStrictEqual([one.free, other.free], [20n, 20n])
  })

  it.each<[what: string, minimum: bigint, wanted: bigint]>([
    ["lacks", 90n, 90n],
    ["would have less of than it wants", 10n, 90n]
  ])("is taken back for a call that %s it, but for what their own calls hold", (_, minimum, wanted) => {
    const { hold, one, other, owned, wallet } = setUp()
    assert.deepInclude(hold(minimum, wanted), { _tag: "Held", granted: 90n })
    assert.deepStrictEqual([one.free, other.free, owned.allowances.size], [0n, 0n, 0])
    assert.deepStrictEqual([wallet.held, wallet.allowed.get(1), wallet.allowed.get(2)], [10n, 10n, undefined])
  })

  it("does not make enough of too little", () => {
    const { hold, wallet } = setUp()
    assert.deepStrictEqual(hold(91n), { _tag: "Insufficient", available: 90n })
    assert.strictEqual(available(wallet), 90n)
  })

  it("is left to them by a call that holds already, and by one that ends", () => {
    const { hold, one, owned, wallet } = setUp()
    perform(wallet, { _tag: "Hold", callId: call("a"), minimum: 5n, wanted: 5n })
    assert.deepInclude(hold(60n), { _tag: "Held", amount: 5n, granted: 0n })
    assert.strictEqual(decideOnAll(owned, { _tag: "Settle", callId: call("a"), cost: 70n })._tag, "Settled")
    assert.strictEqual(one.free, 20n)
  })

  it("is taken back where costs went beyond their holds, as soon as it is not all there", () => {
    const { one, other, owned, wallet } = setUp()
    perform(wallet, { _tag: "Hold", callId: call("a"), minimum: 1n, wanted: 1n })
    perform(wallet, { _tag: "Settle", callId: call("a"), cost: 50n })
    keepCovered(owned)
    assert.deepStrictEqual([available(wallet), one.free, other.free], [0n, 20n, 20n])
    perform(wallet, { _tag: "Fund", amount: 1n })
    perform(wallet, { _tag: "Hold", callId: call("b"), minimum: 1n, wanted: 1n })
    perform(wallet, { _tag: "Settle", callId: call("b"), cost: 2n })
    keepCovered(owned)
    assert.deepStrictEqual([available(wallet), one.free, other.free], [39n, 0n, 0n])
  })

  it("is told when it is taken back, and counts as held by no call", () => {
    const { owned, wallet } = setUp()
    perform(wallet, { _tag: "Hold", callId: call("a"), minimum: 5n, wanted: 5n })
    assert.strictEqual(heldByCalls(owned), 15n)
    assert.deepStrictEqual(heldInAll([["x", owned] as const, ["y", setUp().owned] as const]), {
      count: 1,
      amount: 25n
    })
    assert.strictEqual(takeBack(owned), 40n)
    assert.strictEqual(takeBack(owned), 0n)
    assert.strictEqual(heldByCalls(owned), 15n)
    assert.strictEqual(heldByCalls(undefined), 0n)
  })
})

describe("an allowance that is filled up", () => {
  const begin = (funds: bigint, max?: bigint) => {
    const { owned, wallet } = setUp()
    takeBack(owned)
    perform(wallet, { _tag: "TakeBack", thread: 1, amount: 10n })
    perform(wallet, { _tag: "Fund", amount: funds - 100n })
    const purse = new Purse(max)
    owned.allowances.set(3, purse)
    const fill = () => {
      fillUp(owned, 3, purse)
      // What is available and what is allowed is what there is.
      assert.strictEqual(available(wallet) + (wallet.allowed.get(3) ?? 0n), funds)
      return purse.free
    }
    return { fill, owned, purse }
  }

  it("is a sixteenth of what is there, its own included, once half of it is taken and not before", () => {
    const { fill, purse } = begin(1_600n)
    assert.strictEqual(fill(), 100n)
    purse.free = 49n
    // Of 1,549 that nobody has taken.
    assert.strictEqual(fill(), 49n)
    purse.free = 48n
    assert.strictEqual(fill(), 96n)
    assert.strictEqual(fill(), 96n)
  })

  it("is never more than its most", () => {
    const { fill, purse } = begin(160_000n, 500n)
    assert.strictEqual(fill(), 500n)
    purse.free = 250n
    assert.strictEqual(fill(), 500n)
  })

  it("gets nothing of a wallet of which nothing may lie idle, nor where a sixteenth is nothing", () => {
    const { fill, owned } = begin(1_600n)
    owned.isExact = true
    assert.strictEqual(fill(), 0n)
    assert.strictEqual(begin(15n).fill(), 0n)
  })
})
