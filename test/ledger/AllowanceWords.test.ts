/** Words that threads take from while the ledger grants and takes back. */
import { assert, describe, it } from "@effect/vitest"
import { once } from "node:events"
import { Worker } from "node:worker_threads"
import { allowanceMax, AllowanceWords } from "../../src/ledger/bridge/AllowanceWords.ts"
import { ThreadAllowances } from "../../src/ledger/bridge/ThreadAllowances.ts"
import type { TakerData } from "./allowance-taker.ts"

describe("the word of an allowance", () => {
  it("gives all of an amount or nothing", () => {
    const words = AllowanceWords.make(2)
    words.grant(1, 10n)
    assert.strictEqual(words.take(1, 0, 7n), "taken")
    assert.strictEqual(words.take(1, 0, 4n), "short")
    assert.strictEqual(words.free(1), 3n)
    assert.strictEqual(words.take(1, 0, 3n), "taken")
    assert.strictEqual(words.take(1, 0, 1n), "short")
    assert.strictEqual(words.free(0), 0n)
  })

  it("gives nothing of what was taken back, whoever it serves by then", () => {
    const words = AllowanceWords.make(1)
    words.grant(0, 10n)
    assert.strictEqual(words.takeBack(0), 10n)
    words.grant(0, 10n)
    assert.strictEqual(words.take(0, 0, 1n), "ended")
    assert.strictEqual(words.take(0, words.generation(0), 1n), "taken")
    assert.strictEqual(words.takeBack(0), 9n)
    assert.strictEqual(words.takeBack(0), 0n)
  })

  it("holds up to its maximum without a bit running over", () => {
    const words = AllowanceWords.make(2)
    words.grant(0, allowanceMax)
    assert.strictEqual(words.generation(0), 0)
    assert.strictEqual(words.free(0), allowanceMax)
    assert.strictEqual(words.take(0, 0, allowanceMax + 1n), "short")
    assert.strictEqual(words.takeBack(0), allowanceMax)
    assert.deepStrictEqual([words.generation(0), words.free(0), words.free(1)], [1, 0n, 0n])
  })

  it("is never given out again once its generations are used up", () => {
    const memory = new SharedArrayBuffer(8)
    const words = new AllowanceWords(memory)
    // The last but one of 2^24.
    new BigUint64Array(memory)[0] = (2n ** 24n - 2n) << 40n
    assert.isFalse(words.isSpent(0))
    words.grant(0, 5n)
    assert.strictEqual(words.takeBack(0), 5n)
    assert.isTrue(words.isSpent(0))
    assert.strictEqual(words.take(0, 0, 1n), "ended")
  })

  it("serves one wallet after another, each of another generation", () => {
    const allowances = new ThreadAllowances()
    const first = allowances.open()!
    first.grant(5n)
    assert.strictEqual(first.takeBack(), 5n)
    const second = allowances.open()!
    assert.strictEqual(second.index, first.index)
    assert.notStrictEqual(second.generation, first.generation)
    second.grant(3n)
    assert.strictEqual(allowances.words.take(first.index, first.generation, 1n), "ended")
    assert.notStrictEqual(allowances.open()!.index, second.index)
  })

  it("serves nobody any more once its generations are used up", () => {
    const allowances = new ThreadAllowances()
    new BigUint64Array(allowances.words.memory)[0] = (2n ** 24n - 2n) << 40n
    const last = allowances.open()!
    assert.strictEqual(last.index, 0)
    assert.strictEqual(last.takeBack(), 0n)
    assert.notStrictEqual(allowances.open()!.index, 0)
  })

  it("is there for as many wallets as there are words", () => {
    const allowances = new ThreadAllowances()
    let last = allowances.open()
    for (let count = 1; count < allowances.words.count; count++) last = allowances.open()
    assert.strictEqual(last?.index, allowances.words.count - 1)
    assert.isUndefined(allowances.open())
    last!.takeBack()
    assert.strictEqual(allowances.open()?.index, last!.index)
  })

  it("loses and makes nothing while threads take from it and it is granted and taken back", async () => {
    const words = AllowanceWords.make(1)
    const workerData: TakerData = {
      memory: words.memory,
      told: new SharedArrayBuffer(8),
      answered: new SharedArrayBuffer(12)
    }
    const workers = [1, 2].map(
      () => new Worker(new URL("allowance-taker.ts", import.meta.url), { workerData })
    )
    const taken = workers.map((worker) => once(worker, "message") as Promise<[ReadonlyMap<number, bigint>]>)
    const orders = new Int32Array(workerData.told)
    const counts = new Int32Array(workerData.answered)
    /** What each generation was granted, less what was taken back of it. */
    const gone = new Map<number, bigint>()
    const enough = () => counts.every((_, outcome) => Atomics.load(counts, outcome) > 1_000)
    for (let round = 0; round < 1_000 || (round < 300_000 && !enough()); round++) {
      const generation = words.generation(0)
      const granted = BigInt(round % 50) * 100n
      words.grant(0, granted / 2n)
      words.grant(0, granted - granted / 2n)
      for (let spin = 0; spin < 2_000 && words.free(0) > 0n; spin++);
      // Takers are told only afterwards that the generation has ended.
      gone.set(generation, granted - words.takeBack(0))
      Atomics.store(orders, 0, words.generation(0))
    }
    Atomics.store(orders, 1, 1)
    assert.isTrue(enough(), `takers were answered ${[...counts].join(", ")} times`)
    const sums = (await Promise.all(taken)).map(([sum]) => sum)
    await Promise.all(workers.map((worker) => worker.terminate()))
    for (const [generation, expected] of gone) {
      const sum = sums.reduce((total, each) => total + (each.get(generation) ?? 0n), 0n)
      assert.strictEqual(sum, expected, `generation ${generation}`)
    }
  })
})
