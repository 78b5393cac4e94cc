/** What a node says and hears of wallets that it shares with others, without any of them. */
import { assert } from "@effect/vitest"
import { afterEach, beforeEach, describe, it, vi } from "vitest"
import { Wallets } from "../../src/actors/Wallets.ts"
import type { AccountId, CallId } from "../../src/domain/ids.ts"
import type { Journal } from "../../src/ledger/Journal.ts"
import { type RoundOutcome, Shares } from "../../src/ledger/Shares.ts"

const accountId = "acc_1" as AccountId
const nodeId = 5

/** A node that has claimed 100 of the wallet and holds 40, among three; `said` counts what goes to the database. */
const setUp = () => {
  const said = { count: 0 }
  const journal = { state: { nodeId }, read: () => said.count++ } as unknown as Journal["Service"]
  const wallets = new Wallets({ claim: () => {}, mailboxCapacity: 4 })
  const hold = { _tag: "Hold" as const, callId: "a" as CallId, minimum: 40n, wanted: 40n }
  wallets.ask(accountId, hold, 0, () => {})
  wallets.claimed(accountId, { accountId, share: 100n, elsewhere: 10n, active: true })
  const shares = new Shares(journal, wallets)
  shares.liveNodes = 3
  const outcomes: Array<RoundOutcome> = []
  const want = () => shares.want(accountId, { wanted: 80n, again: (outcome) => outcomes.push(outcome) })
  const hear = (kind: "wanted" | "freed", node: number, amount: number) =>
    shares.heard(`${kind} ${node} ${accountId} ${amount}`)
  return { hear, outcomes, said, wallets, want }
}

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }))
afterEach(() => void vi.useRealTimers())

describe("a node that lacks funds", () => {
  it("asks once for all its calls, and lets them try again as soon as somebody has given some", () => {
    const { hear, outcomes, said, want } = setUp()
    want()
    want()
    assert.strictEqual(said.count, 1)
    hear("freed", 6, 30)
    assert.deepStrictEqual(outcomes, ["gained", "gained"])
    vi.advanceTimersByTime(1_000)
    assert.lengthOf(outcomes, 2)
  })

  it("knows that there is nothing once all others have said so, and not before", () => {
    const { hear, outcomes, want } = setUp()
    want()
    hear("freed", 6, 0)
    assert.deepStrictEqual(outcomes, [])
    hear("freed", 7, 0)
    assert.deepStrictEqual(outcomes, ["nothing"])
  })

  it("waits for those that keep silent no longer than 300 ms", () => {
    const { outcomes, want } = setUp()
    want()
    vi.advanceTimersByTime(299)
    assert.deepStrictEqual(outcomes, [])
    vi.advanceTimersByTime(1)
    assert.deepStrictEqual(outcomes, ["silence"])
  })
})

describe("a node that hears what others lack", () => {
  it("gives what it has, but nothing that is held", () => {
    const { hear, said, wallets } = setUp()
    hear("wanted", 6, 1_000)
    assert.strictEqual(wallets.availableOf(accountId), 0n)
    assert.strictEqual(wallets.heldBy(accountId), 40n)
    assert.strictEqual(said.count, 1)
  })

  it("does not hear itself", () => {
    const { hear, said, wallets } = setUp()
    hear("wanted", nodeId, 1_000)
    assert.strictEqual(wallets.availableOf(accountId), 60n)
    assert.strictEqual(said.count, 0)
  })

  it("keeps what it has where it lacks funds too and is the first of the two, lest they swap the last for ever", () => {
    const first = setUp()
    first.want()
    first.hear("wanted", nodeId + 1, 1_000)
    assert.strictEqual(first.wallets.availableOf(accountId), 60n)
    const second = setUp()
    second.want()
    second.hear("wanted", nodeId - 1, 1_000)
    assert.strictEqual(second.wallets.availableOf(accountId), 0n)
  })
})
