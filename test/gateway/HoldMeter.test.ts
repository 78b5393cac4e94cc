/** A stream's hold: extended before it is used up, waited for where it was not, and spent to its last token. */
import { assert, describe, it } from "@effect/vitest"
import type { AccountId, CallId, KeyId } from "../../src/domain/ids.ts"
import { tokenRate } from "../../src/domain/price.ts"
import type { IdentifiedCall } from "../../src/gateway/Call.ts"
import { plainHold } from "../../src/gateway/hold-terms.ts"
import { HoldMeter, type HoldOptions } from "../../src/gateway/HoldMeter.ts"
import type { LedgerClient } from "../../src/ledger/bridge/LedgerClient.ts"
import type { Admission, Demand } from "../../src/ledger/bridge/protocol.ts"

const perMtokVnd = 1_000
const vndFor = (tokens: number) => BigInt(tokens * perMtokVnd)

/** A hold for 10 tokens of input and 20 of output, at most 60 to come, which grows by 20. */
const begin = (more: Partial<HoldOptions> = {}) => {
  const asked: Array<bigint> = []
  const answers: Array<(answer: Admission) => void> = []
  const demands: Array<Demand> = []
  const extend: LedgerClient["extend"] = (_accountId, _call, demand, answer) => {
    demands.push(demand)
    asked.push(demand.wanted)
    answers.push(answer)
  }
  const identity = { accountId: "acc_1" as AccountId, keyId: "key_1" as KeyId }
  const call = { id: "call" as CallId, identity } as IdentifiedCall
  const meter = new HoldMeter({
    ledger: { extend } as LedgerClient,
    call,
    terms: { ...plainHold, rate: tokenRate(perMtokVnd) },
    inputTokens: 10,
    granted: vndFor(30),
    quantum: 20,
    outputMax: 60,
    ...more
  })
  let changes = 0
  return {
    meter,
    call,
    asked,
    demands,
    changes: () => changes,
    check: (bound: number, guess = bound, least = 0) =>
      meter.check({ bound, guess, least, isWhole: false }, () => changes++),
    end: (tokens: number) =>
      meter.check({ bound: tokens, guess: tokens, least: tokens, isWhole: true }, () => changes++),
    answer: (answer: Admission) => answers.shift()!(answer)
  }
}
const granted = (tokens: number): Admission => ({ _tag: "Admitted", granted: vndFor(tokens) })
const refused: Admission = { _tag: "Insufficient" }

describe("a stream's hold", () => {
  it("is extended while half of a quantum is left, by one ask at a time", () => {
    const { answer, asked, check, meter } = begin()
    assert.strictEqual(check(10), "covered")
    assert.deepStrictEqual(asked, [])
    assert.strictEqual(check(11), "covered")
    assert.strictEqual(check(15), "covered")
    assert.deepStrictEqual(asked, [vndFor(20)])
    answer(granted(20))
    assert.strictEqual(meter.covered, 40)
  })

  it("is waited for where more has come than it covers", () => {
    const { answer, changes, check } = begin()
    assert.strictEqual(check(21), "waiting")
    assert.strictEqual(changes(), 0)
    answer(granted(20))
    assert.strictEqual(changes(), 1)
    assert.strictEqual(check(21), "covered")
  })

  it("that can not grow is spent to the last token by the count that is charged, and not beyond", () => {
    const { answer, asked, check } = begin()
    assert.strictEqual(check(25, 18), "waiting")
    answer(refused)
    assert.strictEqual(check(25, 18), "covered")
    assert.strictEqual(check(28, 20), "covered")
    assert.strictEqual(check(29, 21), "exhausted")
    assert.lengthOf(asked, 1)
  })

  it.each<Admission>([refused, { _tag: "OverBudget", of: "key", resetsAtMs: 5 }])(
    "is not asked for again once it was refused, and says why: %j",
    (refusal) => {
      const { answer, asked, call, changes, check } = begin()
      assert.strictEqual(check(21), "waiting")
      answer(refusal)
      assert.strictEqual(changes(), 1)
      assert.strictEqual(check(21), "exhausted")
      assert.lengthOf(asked, 1)
      assert.deepStrictEqual(call.refusedHold, refusal)
    }
  )

  it("takes what is there, if it is for one token", () => {
    const { check, demands } = begin()
    check(21)
    assert.deepStrictEqual(demands, [{ minimum: vndFor(1), wanted: vndFor(20) }])
  })

  it("is asked for again where the ledger could not say", () => {
    const { answer, asked, changes, check } = begin()
    assert.strictEqual(check(21), "waiting")
    answer({ _tag: "Unavailable" })
    assert.strictEqual(changes(), 0)
    assert.strictEqual(check(21), "waiting")
    assert.lengthOf(asked, 2)
  })

  it("never grows beyond what can come", () => {
    const { answer, asked, check } = begin({ outputMax: 25 })
    check(15)
    assert.deepStrictEqual(asked, [vndFor(5)])
    answer(granted(5))
    assert.strictEqual(check(25), "covered")
    // The safe count may say more than the cap lets come.
    assert.strictEqual(check(40), "covered")
    assert.lengthOf(asked, 1)
  })

  it("grows by what comes where surely more has come than the cap allows", () => {
    const { answer, asked, check, meter } = begin({ outputMax: 20 })
    assert.strictEqual(check(60, 40, 20), "covered")
    assert.deepStrictEqual(asked, [])
    assert.strictEqual(check(70, 50, 21), "waiting")
    assert.deepStrictEqual(asked, [vndFor(50)])
    answer(granted(50))
    assert.strictEqual(meter.covered, 70)
    assert.strictEqual(check(75, 55, 30), "waiting")
    answer(refused)
    assert.strictEqual(check(75, 55, 30), "covered")
    assert.strictEqual(check(100, 71, 50), "exhausted")
  })

  it("covers the count of a whole stream to the token, beyond the cap as well, and no more than that", () => {
    const within = begin()
    assert.strictEqual(within.end(20), "covered")
    assert.deepStrictEqual(within.asked, [])
    const beyond = begin({ outputMax: 20 })
    assert.strictEqual(beyond.end(9_000), "waiting")
    assert.deepStrictEqual(beyond.asked, [vndFor(8_980)])
    beyond.answer(granted(8_980))
    assert.strictEqual(beyond.end(9_000), "covered")
    assert.lengthOf(beyond.asked, 1)
  })

  it("that covers a whole stream in part ends it, once nothing is left", () => {
    const { answer, asked, end } = begin({ outputMax: 20 })
    assert.strictEqual(end(9_000), "waiting")
    answer(granted(100))
    assert.strictEqual(end(9_000), "waiting")
    assert.deepStrictEqual(asked, [vndFor(8_980), vndFor(8_880)])
    answer(refused)
    assert.strictEqual(end(9_000), "exhausted")
  })
})
