/** Accounts take turns, however much each of them asks for. */
import { assert, describe, it } from "@effect/vitest"
import { FairQueue } from "../../src/compute/FairQueue.ts"
import type { AccountId } from "../../src/domain/ids.ts"
import { Random, seeds } from "../Random.ts"

const [a, b, c] = ["a", "b", "c"] as unknown as [AccountId, AccountId, AccountId]

const queueOf = (underwayMax: number, waitingMax = 100) => new FairQueue<string>({ underwayMax, waitingMax })

interface Expected {
  readonly account: AccountId
  readonly kept: ReadonlyArray<string>
  readonly waiting: ReadonlyArray<string>
  readonly underway: number
}

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

  it("loses nothing, keeps to its limits and to everybody's turn, whatever comes, goes and is taken out", () => {
    for (const seed of seeds(100)) {
      const random = new Random(seed)
      const [underwayMax, waitingMax] = [2, 8]
      const queue = queueOf(underwayMax, waitingMax)
      /** What waits of each account, kept ones first, and how much is under way; in the order of turns. */
      let lines: ReadonlyArray<Expected> = [a, b, c].map((account) => ({
        account,
        kept: [],
        waiting: [],
        underway: 0
      }))
      const isThere = ({ kept, underway, waiting }: Expected) => kept.length + waiting.length + underway > 0
      /** Who has nothing loses their turn. */
      const change = (account: AccountId, to: (line: Expected) => Partial<Expected>, isLast = false) => {
        const line = lines.find((each) => each.account === account)!
        const next = { ...line, ...to(line) }
        const others = lines.filter((each) => each !== line)
        if (isLast || !isThere(line)) lines = [...others, next]
        else lines = lines.map((each) => (each === line ? next : each))
      }
      const without = (items: ReadonlyArray<string>, item: string) => items.filter((each) => each !== item)
      const waitingOf = () => lines.flatMap(({ waiting }) => waiting)
      for (let step = 0; step < 200; step++) {
        const [account, item] = [random.pick([a, a, b, c]), `item ${step}`]
        const act = random.below(10)
        if (act < 4) {
          const dropped = queue.add(account, item)
          change(account, ({ waiting }) => ({ waiting: [...waiting, item] }))
          assert.strictEqual(dropped !== undefined, waitingOf().length > waitingMax)
          if (dropped === undefined) continue
          const longest = Math.max(...lines.map(({ waiting }) => waiting.length))
          const loser = lines.findLast(({ waiting }) => waiting.length === longest)
          assert.strictEqual(dropped, loser!.waiting.at(-1))
          change(loser!.account, ({ waiting }) => ({ waiting: without(waiting, dropped) }))
        } else if (act === 4) {
          queue.addKept(account, item)
          change(account, ({ kept }) => ({ kept: [...kept, item] }))
        } else if (act === 5) {
          const gone = random.pick(["none", ...lines.flatMap(({ kept, waiting }) => [...kept, ...waiting])])
          queue.remove(account, gone)
          change(account, ({ waiting }) => ({ waiting: without(waiting, gone) }))
        } else if (act < 8) {
          const expected = lines.find(
            ({ kept, underway, waiting }) => kept.length + waiting.length > 0 && underway < underwayMax
          )
          const [first] = expected === undefined ? [] : [...expected.kept, ...expected.waiting]
          const taken = first === undefined ? undefined : { account: expected!.account, item: first }
          assert.deepStrictEqual(queue.take(), taken)
          if (taken === undefined) continue
          change(
            taken.account,
            ({ kept, underway, waiting }) => ({
              kept: without(kept, taken.item),
              waiting: without(waiting, taken.item),
              underway: underway + 1
            }),
            true
          )
        } else {
          if (lines.find((each) => each.account === account)!.underway === 0) continue
          queue.done(account)
          change(account, ({ underway }) => ({ underway: underway - 1 }))
        }
        const kept = lines.flatMap((line) => line.kept)
        assert.strictEqual(queue.size, kept.length + waitingOf().length, `run ${seed}`)
      }
    }
  })
})
