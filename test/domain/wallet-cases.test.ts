/** A wallet at its edges: the most, the least, and what is not there any more. */
import { assert, describe, it } from "@effect/vitest"
import type { CallId } from "../../src/domain/ids.ts"
import {
  available,
  costMax,
  decide,
  emptyWallet,
  perform,
  type WalletCommand
} from "../../src/domain/wallet.ts"

const [one, other] = ["a" as CallId, "b" as CallId]

describe("a wallet", () => {
  it("charges what a call can cost at most", () => {
    const callId = "a" as CallId
    const wallet = emptyWallet(1n)
    perform(wallet, { _tag: "Hold", callId, minimum: 1n, wanted: 1n })
    assert.strictEqual(perform(wallet, { _tag: "Settle", callId, cost: costMax })._tag, "Settled")
    assert.strictEqual(wallet.funds, 1n - costMax)
  })

  it("gives back all that is available, and nothing where costs went beyond it", () => {
    const callId = "a" as CallId
    const wallet = emptyWallet(10n)
    perform(wallet, { _tag: "Hold", callId, minimum: 4n, wanted: 4n })
    assert.deepStrictEqual(perform(wallet, { _tag: "Return" }), { _tag: "Returned", amount: 6n })
    assert.deepStrictEqual([wallet.funds, available(wallet)], [4n, 0n])
    perform(wallet, { _tag: "Settle", callId, cost: 7n })
    assert.deepStrictEqual(perform(wallet, { _tag: "Return" }), { _tag: "Returned", amount: 0n })
    assert.strictEqual(wallet.funds, -3n)
  })

  it("makes a hold of all that a thread is allowed, and none of nothing, nor of more", () => {
    const wallet = emptyWallet(10n)
    perform(wallet, { _tag: "Allow", thread: 1, amount: 4n })
    const adopt = (callId: CallId, amount: bigint) =>
      perform(wallet, { _tag: "Adopt", thread: 1, callId, amount })._tag
    assert.deepStrictEqual(
      [adopt(one, 0n), adopt(one, -1n), adopt(one, 5n)],
      ["NotHeld", "NotHeld", "NotHeld"]
    )
    assert.deepStrictEqual(
      [adopt(one, 1n), adopt(other, 3n), adopt(one, 1n)],
      ["Adopted", "Adopted", "NotHeld"]
    )
    assert.deepStrictEqual([wallet.held, wallet.holds.get(one), wallet.holds.get(other)], [4n, 1n, 3n])
    assert.strictEqual(perform(wallet, { _tag: "Settle", callId: other, cost: 3n })._tag, "Settled")
  })

  it("charges what is there, and no more, to calls whose holds are not all there any more", () => {
    const holding = (...commands: ReadonlyArray<WalletCommand>) => {
      const wallet = emptyWallet(10n)
      for (const callId of [one, other]) perform(wallet, { _tag: "Hold", callId, minimum: 4n, wanted: 4n })
      perform(wallet, { _tag: "Confine" })
      assert.deepStrictEqual([wallet.funds, available(wallet)], [8n, 0n])
      for (const command of commands) perform(wallet, command)
      return (callId: CallId, cost: bigint) => perform(wallet, { _tag: "Settle", callId, cost })._tag
    }
    const whole = holding({ _tag: "Cover", amount: 8n })
    assert.strictEqual(whole(one, 9n), "Settled")
    const filled = holding({ _tag: "Cover", amount: 5n }, { _tag: "Fund", amount: 3n })
    assert.strictEqual(filled(one, 9n), "Settled")
    const short = holding({ _tag: "Cover", amount: 5n }, { _tag: "Fund", amount: 2n })
    assert.strictEqual(short(one, 8n), "Unpaid")
    // What the other holds is there again.
    assert.strictEqual(short(other, 8n), "Settled")
    const spent = holding({ _tag: "Cover", amount: 5n })
    assert.strictEqual(spent(one, 5n), "Settled")
    assert.strictEqual(spent(other, 1n), "Unpaid")
  })

  it("holds nothing where nothing is there, not even for a call that needs nothing", () => {
    const call = { callId: "a" as CallId, minimum: 0n, wanted: 0n }
    assert.strictEqual(decide(emptyWallet(0n), { _tag: "Hold", ...call })._tag, "Insufficient")
    assert.strictEqual(decide(emptyWallet(1n), { _tag: "Hold", ...call })._tag, "Held")
  })

  it("extends a hold by all that is there, and by nothing where nothing is", () => {
    const callId = "a" as CallId
    const wallet = emptyWallet(5n)
    perform(wallet, { _tag: "Hold", callId, minimum: 2n, wanted: 2n })
    const refused = { _tag: "Insufficient", available: 3n } as const
    assert.deepStrictEqual(perform(wallet, { _tag: "Extend", callId, minimum: 4n, wanted: 4n }), refused)
    for (const [minimum, amount] of [
      [2n, 4n],
      [1n, 5n]
    ] as const) {
      const extended = perform(wallet, { _tag: "Extend", callId, minimum, wanted: minimum })
      assert.deepStrictEqual(extended, { _tag: "Held", callId, amount, granted: minimum })
    }
    assert.strictEqual(
      perform(wallet, { _tag: "Extend", callId, minimum: 0n, wanted: 0n })._tag,
      "Insufficient"
    )
  })

  it("counts what it does not have once, however many calls go beyond it", () => {
    const wallet = emptyWallet(10n)
    const overdrafts = ["a", "b", "c"]
      .map((call) => {
        const callId = call as CallId
        perform(wallet, { _tag: "Hold", callId, minimum: 1n, wanted: 3n })
        return callId
      })
      .map((callId) => {
        const decision = perform(wallet, { _tag: "Settle", callId, cost: 8n })
        return decision._tag === "Settled" ? decision.overdraft : undefined
      })
    assert.deepStrictEqual(overdrafts, [0n, 6n, 8n])
    assert.strictEqual(wallet.funds, -14n)
  })
})
