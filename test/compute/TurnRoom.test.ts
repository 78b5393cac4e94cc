import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { setImmediate as nextTurn } from "node:timers/promises"
import type { AccountId } from "../../src/domain/ids.ts"
import { TurnRoom } from "../../src/compute/TurnRoom.ts"
import { Random, seeds } from "../Random.ts"

describe("the room of a turn", () => {
  it("is taken until there is none, and is whole again in the next", async () => {
    const room = new TurnRoom(1_000_000)
    assert.isTrue(room.take(600_000))
    assert.isFalse(room.take(600_000))
    assert.isTrue(room.take(300_000))
    assert.isFalse(room.take(300_000))
    await nextTurn()
    assert.isTrue(room.take(600_000))
  })

  it("is never enough for what is as large as all of it", () => {
    assert.isFalse(new TurnRoom(1_000_000).take(1_000_000))
  })

  it("is not asked for what is small", () => {
    const room = new TurnRoom(1_000_000)
    assert.isTrue(room.take(999_999))
    assert.isTrue(room.take(100_000))
  })

  it("is waited for in turn, and nobody comes in between", async () => {
    const room = new TurnRoom(1_000_000)
    const begun: Array<string> = []
    const wait = (name: string) =>
      Effect.runFork(
        Effect.andThen(
          room.wait(name as AccountId, 600_000),
          Effect.sync(() => begun.push(name))
        )
      )
    assert.isTrue(room.take(600_000))
    wait("one")
    const other = wait("other")
    wait("third")
    assert.isFalse(room.take(300_000))
    assert.deepStrictEqual(begun, [])
    await Effect.runPromise(Fiber.interrupt(other))
    for (let turn = 0; turn < 4; turn++) await nextTurn()
    assert.deepStrictEqual(begun, ["one", "third"])
    assert.isTrue(room.take(600_000))
  })

  it("is not waited for by many, twice by one, nor by what is as large as all of it", () => {
    const room = new TurnRoom(1_000_000)
    const [mine, other] = ["acc_mine", "acc_other"] as [AccountId, AccountId]
    assert.isTrue(room.mayWait(mine, 999_999))
    assert.isFalse(room.mayWait(mine, 1_000_000))
    Effect.runFork(room.wait(mine, 600_000))
    assert.isFalse(room.mayWait(mine, 600_000))
    assert.isTrue(room.mayWait(other, 600_000))
    for (let count = 0; count < 11; count++) Effect.runFork(room.wait(`acc_${count}` as AccountId, 600_000))
    assert.isFalse(room.mayWait(other, 600_000))
  })

  it("comes to all who wait for it, whoever leaves meanwhile, also at the word of one who begins", async () => {
    for (const seed of seeds(300)) {
      const random = new Random(seed)
      const room = new TurnRoom(1_000_000)
      const waiting = new Map<number, Fiber.Fiber<void>>()
      const leave = () => {
        if (waiting.size === 0) return
        const [name, fiber] = random.pick([...waiting])
        waiting.delete(name)
        fiber.interruptUnsafe()
      }
      for (let step = 0; step < 20; step++) {
        if (random.chance(0.3)) await nextTurn()
        if (random.chance(0.2)) leave()
        const begin = Effect.sync(() => {
          waiting.delete(step)
          if (random.chance(0.3)) leave()
        })
        const waited = room.wait(`acc_${step}` as AccountId, 1 + random.below(999_999))
        waiting.set(step, Effect.runFork(Effect.andThen(waited, begin)))
      }
      for (let turn = 0; turn < 21; turn++) await nextTurn()
      assert.deepStrictEqual([...waiting.keys()], [], `run ${seed}`)
    }
  })
})
