/** How much of a wallet a node is given, as `claim_wallets` in SQL gives it: the simulation trusts this to be so. */
import { assert, describe, it } from "@effect/vitest"
import { type EscrowAsk, type EscrowState, grantOf } from "../../src/domain/escrow.ts"

const beside = { othersIdle: false, unheard: 0n, isAlone: false }
const grant = (wanted: bigint, minimum: bigint, state: Partial<EscrowState> & Pick<EscrowState, "free">) =>
  grantOf({ wanted, minimum } satisfies EscrowAsk, { ...beside, ...state })

describe("a node's part of a wallet", () => {
  it("is all that nobody has where no other node lives, of a scarce wallet as well", () => {
    for (const free of [10n, 6_400n])
      assert.deepInclude(grant(10n, 1n, { free, isAlone: true }), { granted: free, isExact: false })
    assert.strictEqual(grant(10n, 11n, { free: 10n, isAlone: true }).granted, 0n)
  })

  it("is an eighth of a rich wallet, or what is wanted where that is more, and of a scarce one just that", () => {
    assert.deepInclude(grant(10n, 1n, { free: 640n }), { granted: 80n, isExact: false })
    assert.deepInclude(grant(10n, 1n, { free: 639n }), { granted: 10n, isExact: true })
    assert.deepInclude(grant(10n, 10n, { free: 10n }), { granted: 10n, isExact: true })
    assert.deepInclude(grant(10n, 4n, { free: 7n }), { granted: 7n, isExact: true })
    assert.deepInclude(grant(10n, 8n, { free: 7n }), { granted: 0n, isExact: true })
    // What wants nothing is of a wallet with something in it, too.
    assert.deepInclude(grant(0n, 0n, { free: 64n }), { granted: 8n, isExact: false })
    assert.deepInclude(grant(0n, 0n, { free: 63n }), { granted: 7n, isExact: true })
  })

  it("waits for what lies idle elsewhere where there is too little, unless it takes whatever is there now", () => {
    const othersIdle = true
    assert.deepInclude(grant(10n, 1n, { free: 7n, othersIdle }), { granted: 0n, isPending: true })
    assert.deepInclude(grant(10n, -1n, { free: 7n, othersIdle }), { granted: 7n, isPending: true })
    assert.deepInclude(grant(10n, 1n, { free: 10n, othersIdle }), { granted: 10n, isPending: false })
    assert.deepInclude(grant(10n, -1n, { free: 0n, othersIdle }), { granted: 0n, isPending: true })
    assert.deepInclude(grant(10n, 1n, { free: 7n }), { granted: 7n, isPending: false })
  })

  it("says where nodes that have not been heard of may have what is missing", () => {
    const isUnheard = (minimum: bigint, free: bigint, unheard: bigint) =>
      grant(10n, minimum, { free, unheard }).isUnheard
    assert.isTrue(isUnheard(10n, 7n, 3n))
    assert.isFalse(isUnheard(10n, 7n, 2n))
    assert.isFalse(isUnheard(10n, 10n, 5n))
    assert.isTrue(isUnheard(1n, 7n, 1n))
    assert.isFalse(isUnheard(1n, 7n, 0n))
    assert.isTrue(isUnheard(0n, 0n, 1n))
  })
})
