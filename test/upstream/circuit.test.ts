import { assert } from "@effect/vitest"
import { describe, it } from "vitest"
import { Circuit } from "../../src/upstream/Circuit.ts"

const start = 1_000_000

/** What each account has had, all at one moment. */
const after = (
  outcomes: Readonly<Record<string, readonly [failures: number, successes: number]>>,
  circuit = new Circuit()
) => {
  for (const [account, [failures, successes]] of Object.entries(outcomes)) {
    for (let time = 0; time < successes; time++) circuit.succeeded(account, start)
    for (let time = 0; time < failures; time++) circuit.failed(account, start)
  }
  return circuit
}

describe("a circuit", () => {
  it("opens for nobody else, however often one account's calls fail", () => {
    const circuit = after({ bad: [1_000, 0] })
    assert.isFalse(circuit.admits("bad", start))
    assert.isTrue(circuit.admits("good", start))
    assert.strictEqual(circuit.state(start), "closed")
    assert.strictEqual(circuit.retryAfterSeconds("bad", start + 2_000), 3)
    assert.strictEqual(circuit.retryAfterSeconds("good", start + 2_000), 0)
  })

  it("opens for nobody else when another account's call fails once beside", () => {
    const circuit = after({ bad: [1_000, 0], unlucky: [1, 0] })
    assert.strictEqual(circuit.state(start), "closed")
    for (const account of ["unlucky", "new"]) assert.isTrue(circuit.admits(account, start))
  })

  it("opens for nobody else for two of them, while more fare well", () => {
    const circuit = after({ good: [0, 1], fine: [3, 4], well: [0, 1], bad: [50, 0], worse: [50, 0] })
    assert.strictEqual(circuit.state(start), "closed")
    assert.isTrue(circuit.admits("good", start))
  })

  it("that is open for others stays closed for an account that fares well", () => {
    const circuit = after({ good: [1, 3], bad: [9, 0], worse: [9, 0], worst: [9, 0] })
    assert.strictEqual(circuit.state(start), "open")
    assert.isTrue(circuit.admits("good", start))
    assert.isFalse(circuit.admits("new", start))
    for (let time = 0; time < 4; time++) circuit.failed("good", start)
    assert.isFalse(circuit.admits("good", start))
  })

  it("opens for all once several accounts fail, five times together", () => {
    const circuit = after({ one: [2, 0], other: [2, 0] })
    assert.strictEqual(circuit.state(start), "closed")
    circuit.failed("one", start)
    assert.strictEqual(circuit.state(start), "open")
    for (const account of ["one", "other", "third"]) assert.isFalse(circuit.admits(account, start + 4_999))
    assert.strictEqual(circuit.state(start + 5_000), "half_open")
  })

  it("opens when every answer begins well and then breaks off", () => {
    assert.strictEqual(after({ one: [3, 3], other: [3, 3] }).state(start), "open")
  })

  it("stays closed while failures are few among many answers", () => {
    const circuit = new Circuit()
    for (let call = 0; call < 1_000; call++) {
      const account = `acc_${call % 7}`
      circuit.succeeded(account, start + call)
      if (call % 20 === 0) circuit.failed(account, start + call)
      assert.strictEqual(circuit.state(start + call), "closed")
    }
  })

  it("forgets failures of long ago", () => {
    const circuit = after({ one: [4, 0], other: [0, 0] })
    circuit.failed("other", start + 31_000)
    assert.strictEqual(circuit.state(start + 31_000), "closed")
    assert.isTrue(circuit.admits("one", start + 31_000))
  })

  const triesOf = (circuit: Circuit) => (nowMs: number, accounts: ReadonlyArray<string>, fails: boolean) =>
    accounts.filter((account) => {
      const admitted = circuit.admits(account, nowMs)
      if (admitted) circuit.begin(account, nowMs)
      if (admitted && fails) circuit.failed(account, nowMs)
      return admitted
    })
  const thirty = Array.from({ length: 30 }, (_, index) => `acc_${index}`)

  it("that is open for all lets each account try once in five seconds, and ten of them, one after another", () => {
    const circuit = after({ one: [3, 0], other: [3, 0] })
    const tries = triesOf(circuit)
    assert.deepStrictEqual(tries(start + 4_999, thirty, true), [])
    assert.deepStrictEqual(tries(start + 5_000, ["one", "one", "one", "good"], true), ["one", "good"])
    assert.lengthOf(tries(start + 5_001, thirty, true), 8)
    assert.strictEqual(circuit.retryAfterSeconds("acc_29", start + 6_000), 4)
    assert.lengthOf(tries(start + 10_000, thirty, true), 10)
  })

  it("that is open for all lets one call through at a time, the next once it failed or took five seconds", () => {
    const circuit = after({ one: [3, 0], other: [3, 0] })
    const tries = triesOf(circuit)
    assert.deepStrictEqual(tries(start + 6_000, thirty, false), ["acc_0"])
    assert.deepStrictEqual(tries(start + 10_999, thirty, false), [])
    assert.strictEqual(circuit.retryAfterSeconds("acc_7", start + 7_000), 4)
    assert.deepStrictEqual(tries(start + 11_000, thirty, false), ["acc_0"])
    circuit.failed("acc_0", start + 11_100)
    assert.deepStrictEqual(tries(start + 11_100, thirty, false), ["acc_1"])
  })

  it("that is open for all keeps those that fare well from nothing while one tries", () => {
    const circuit = after({ good: [1, 3], bad: [9, 0], worse: [9, 0], worst: [9, 0] })
    assert.deepStrictEqual(triesOf(circuit)(start + 6_000, ["good", "new", "newer", "good"], false), [
      "good",
      "new",
      "good"
    ])
  })

  it("closes for all with the first answer", () => {
    const circuit = after({ one: [3, 0], other: [3, 0] })
    circuit.begin("one", start + 5_000)
    circuit.failed("one", start + 5_100)
    assert.notStrictEqual(circuit.state(start + 5_100), "closed")
    circuit.begin("good", start + 5_200)
    circuit.succeeded("good", start + 5_300)
    assert.strictEqual(circuit.state(start + 5_300), "closed")
    for (const account of ["one", "other", "good"]) assert.isTrue(circuit.admits(account, start + 5_300))
  })

  it("is told of until nobody has tried for ten minutes", () => {
    const circuit = after({ one: [3, 0], other: [3, 0] })
    circuit.begin("one", start + 300_000)
    assert.strictEqual(circuit.state(start + 899_999), "half_open")
    assert.strictEqual(circuit.state(start + 900_000), "closed")
    circuit.begin("one", start + 900_000)
    assert.strictEqual(circuit.state(start + 900_000), "half_open")
  })

  it("of one account lets that one through every few seconds, and closes when it is answered", () => {
    const circuit = after({ bad: [5, 0] })
    assert.isFalse(circuit.admits("bad", start + 4_999))
    assert.isTrue(circuit.admits("bad", start + 5_000))
    circuit.begin("bad", start + 5_000)
    assert.isFalse(circuit.admits("bad", start + 5_001))
    circuit.failed("bad", start + 5_100)
    assert.isFalse(circuit.admits("bad", start + 10_000))
    circuit.begin("bad", start + 10_100)
    circuit.succeeded("bad", start + 10_200)
    assert.isTrue(circuit.admits("bad", start + 10_200))
    circuit.failed("bad", start + 10_300)
    assert.isTrue(circuit.admits("bad", start + 10_300))
  })

  it("counts no more accounts than it has room for, and still opens", () => {
    const circuit = new Circuit()
    for (let account = 0; account < 20_000; account++) circuit.failed(`acc_${account}`, start + account / 10)
    assert.notStrictEqual(circuit.state(start + 2_000), "closed")
  })
})
