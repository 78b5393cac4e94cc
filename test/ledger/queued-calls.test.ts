/** Which calls that wait in the journal are charged to which wallets, may be left unpaid, and are refused for good. */
import { assert, describe, it } from "@effect/vitest"
import { noExtras } from "../../src/domain/call.ts"
import type { AccountId, CallId, KeyId } from "../../src/domain/ids.ts"
import {
  canBeLeft,
  costsOf,
  isRefusal,
  type QueuedCall,
  unpaidRow
} from "../../src/ledger/journal/queued-calls.ts"
import { UntoldSince } from "../../src/ledger/journal/UntoldSince.ts"
import { SessionFailed } from "../../src/ledger/session.ts"
import { callRecord } from "./call-record.ts"

const queued = (account: string, cost: bigint, more: Partial<QueuedCall> = {}): QueuedCall => ({
  record: callRecord({ accountId: account as AccountId, keyId: "key" as KeyId }, "call" as CallId, cost),
  queuedAtMs: 0,
  done: () => {},
  isOwn: true,
  spooled: false,
  attempted: false,
  ...more
})

describe("what waits in the journal", () => {
  it("is charged to this node's wallets: all of each, but what costs nothing and what others left behind", () => {
    const left = queued("a", 7n, { isOwn: false })
    const batch = [queued("a", 1n), queued("b", 2n), left, queued("a", 4n), queued("c", 0n)]
    assert.deepStrictEqual(
      [...costsOf(batch)],
      [
        ["a", 5n],
        ["b", 2n]
      ]
    )
  })

  it.each<[what: string, queued: QueuedCall, canBe: boolean]>([
    ["costs something", queued("a", 1n), true],
    ["cost nothing and went well", queued("a", 0n), true],
    ["may be in the database", queued("a", 1n, { attempted: true }), false],
    ["a former process left behind", queued("a", 1n, { isOwn: false }), false]
  ])("can be left unpaid or not where it %s", (_, each, canBe) => {
    assert.strictEqual(canBeLeft(each), canBe)
  })

  it("can be left unpaid where it failed and was charged, not where it cost nothing", () => {
    const failed = (cost: bigint, status: number) => {
      const { record, ...rest } = queued("a", cost)
      return canBeLeft({ ...rest, record: { ...record, status } })
    }
    assert.deepStrictEqual([failed(1n, 499), failed(0n, 399), failed(0n, 400)], [true, true, false])
  })

  it("costs and counts nothing once it is left unpaid, and still tells where it went", () => {
    const attempts = [{ route: "r1", outcome: 200, ms: 1 }]
    const extras = { ...noExtras, cacheReadTokens: 3, factor: "2", tier: "fast", route: "r1", attempts }
    const { record } = queued("a", 5n)
    const charged = { ...record, outputTokens: 3, units: 4, estimated: true, extras }
    assert.deepStrictEqual(unpaidRow(charged), {
      ...record,
      status: 503,
      errorType: "service_unavailable",
      inputTokens: 0,
      outputTokens: 0,
      units: 1,
      estimated: false,
      cost: 0n,
      extras: { ...noExtras, route: "r1", attempts }
    })
  })

  it.each<[cause: unknown, isRefused: boolean]>([
    [{ code: "22003" }, true],
    [{ code: "23505" }, true],
    [{ code: "24000" }, false],
    // Read only, as where a standby has not been promoted yet; cancelled; a table that is not there.
    [{ code: "25006" }, false],
    [{ code: "57014" }, false],
    [{ code: "42P01" }, false],
    [{ code: "08006" }, false],
    [{ code: "40001" }, false],
    [{ code: "CONNECTION_CLOSED" }, false],
    [{ code: 22_003 }, false],
    [{}, false],
    [null, false],
    [undefined, false]
  ])("is refused for good by its values alone: %j", (cause, isRefused) => {
    assert.strictEqual(isRefusal(new SessionFailed({ operation: "commit calls", cause })), isRefused)
  })
})

describe("what the database has not been told", () => {
  it("is as old as the first of it, until the database has answered that it knows", () => {
    const untold = new UntoldSince()
    const ages = () => untold.ageMs(100)
    assert.strictEqual(ages(), 0)
    untold.note(10)
    untold.note(20)
    assert.strictEqual(ages(), 90)
    untold.beginTelling()
    untold.note(30)
    assert.strictEqual(ages(), 90)
    // It may not have heard.
    untold.endTelling(false)
    assert.strictEqual(ages(), 90)
    untold.beginTelling()
    untold.note(40)
    untold.endTelling(true)
    assert.strictEqual(ages(), 60)
    untold.beginTelling()
    untold.endTelling(true)
    assert.strictEqual(ages(), 0)
  })

  it("is not forgotten by telling of nothing in between", () => {
    const untold = new UntoldSince()
    untold.note(10)
    untold.beginTelling()
    untold.beginTelling()
    assert.strictEqual(untold.ageMs(100), 90)
    untold.endTelling(false)
    assert.strictEqual(untold.ageMs(100), 90)
  })
})
