/** Accounts take turns, however much each of them asks for. */
import { assert, describe, it } from "@effect/vitest"
import { FairQueue } from "../../src/compute/FairQueue.ts"
import type { AccountId } from "../../src/domain/ids.ts"
import { Random } from "../Random.ts"

const [a, b, c] = ["a", "b", "c"] as unknown as [AccountId, AccountId, AccountId]

const queueOf = (underwayMax: number, waitingMax = 100) => new FairQueue<string>({ underwayMax, waitingMax })

/** Takes one after another, each done before the next. */
const drain = (queue: FairQueue<string>): ReadonlyArray<string> => {
  const taken: Array<string> = []
  for (let next = queue.take(); next !== undefined; next = queue.take()) {
    taken.push(next.item)
    queue.done(next.account)
  }
  return taken
}

describe("a fair queue", () => {
  it("serves accounts in turn, and what each has asked for in its order", () => {
    const queue = queueOf(1)
    for (const item of ["a1", "a2", "a3", "a4"]) queue.add(a, item)
    for (const item of ["b1", "b2"]) queue.add(b, item)
    queue.add(c, "c1")
    assert.deepStrictEqual(drain(queue), ["a1", "b1", "c1", "a2", "b2", "a3", "a4"])
    assert.strictEqual(queue.size, 0)
  })

  it("lets an account have only so much under way, and passes it over meanwhile", () => {
    const queue = queueOf(2)
    for (const item of ["a1", "a2", "a3"]) queue.add(a, item)
    assert.strictEqual(queue.take()?.item, "a1")
    assert.strictEqual(queue.take()?.item, "a2")
    assert.strictEqual(queue.take(), undefined)
    queue.add(b, "b1")
    assert.strictEqual(queue.take()?.item, "b1")
    queue.done(a)
    assert.strictEqual(queue.take()?.item, "a3")
  })

  it("that is full gives up the last of whoever waits with most, so that others still get in", () => {
    const queue = queueOf(1, 4)
    for (const item of ["a1", "a2", "a3", "a4"]) assert.strictEqual(queue.add(a, item), undefined)
    assert.strictEqual(queue.add(a, "a5"), "a5")
    assert.strictEqual(queue.add(b, "b1"), "a4")
    assert.strictEqual(queue.add(b, "b2"), "a3")
    assert.strictEqual(queue.add(b, "b3"), "b3")
    assert.strictEqual(queue.add(c, "c1"), "b2")
    assert.strictEqual(queue.size, 4)
    assert.deepStrictEqual(drain(queue), ["a1", "b1", "c1", "a2"])
  })

  it("that is full of accounts with one each turns away who comes last", () => {
    const queue = queueOf(1, 2)
    queue.add(a, "a1")
    queue.add(b, "b1")
    assert.strictEqual(queue.add(c, "c1"), "c1")
    assert.deepStrictEqual(drain(queue), ["a1", "b1"])
  })

  it("takes what must be kept before all else of its account, and never gives it up", () => {
    const queue = queueOf(1, 1)
    queue.add(a, "a1")
    for (const item of ["A1", "A2"]) queue.addKept(a, item)
    assert.strictEqual(queue.add(b, "b1"), "b1")
    assert.strictEqual(queue.size, 3)
    assert.deepStrictEqual(drain(queue), ["A1", "A2", "a1"])
  })

  it("forgets what is taken out", () => {
    const queue = queueOf(1)
    for (const item of ["a1", "a2"]) queue.add(a, item)
    queue.remove(a, "a1")
    queue.remove(a, "a1")
    queue.remove(b, "b1")
    assert.strictEqual(queue.size, 1)
    assert.deepStrictEqual(drain(queue), ["a2"])
  })

  it("loses nothing, keeps to its limits, and leaves nobody waiting whose turn it could be", () => {
    const random = new Random(20_260)
    const accounts = [a, b, c]
    const queue = queueOf(2, 20)
    const waiting = new Set<string>()
    const underway: Array<{ readonly account: AccountId; readonly item: string }> = []
    for (let step = 0; step < 5_000; step++) {
      const act = random.below(3)
      if (act === 0) {
        const account = random.pick(accounts)
        const item = `${account}${step}`
        waiting.add(item)
        const dropped = queue.add(account, item)
        if (dropped !== undefined) assert.isTrue(waiting.delete(dropped))
      } else if (act === 1 && underway.length < 4) {
        const next = queue.take()
        const held = (account: AccountId) => underway.filter((each) => each.account === account).length
        if (next === undefined) {
          for (const item of waiting) assert.strictEqual(held(item[0] as AccountId), 2)
          continue
        }
        assert.isTrue(waiting.delete(next.item))
        underway.push(next)
        assert.isAtMost(held(next.account), 2)
      } else if (underway.length > 0)
        queue.done(underway.splice(random.below(underway.length), 1)[0]!.account)
      assert.strictEqual(queue.size, waiting.size)
      assert.isAtMost(queue.size, 20)
    }
  })
})
