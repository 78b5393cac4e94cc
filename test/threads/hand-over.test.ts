import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { handOver } from "../../src/threads/hand-over.ts"
import type { ToThread } from "../../src/threads/messages.ts"
import type { ThreadNumbers } from "../../src/threads/told-of-threads.ts"

/** Two threads, the second of which has what is told of each look, and then what was told last. */
const groupWith = (connections: ReadonlyArray<number>) => {
  const told: Array<ToThread["kind"]> = []
  let looks = 0
  return {
    told,
    looks: () => looks,
    tellAll: ({ kind }: ToThread) => void told.push(kind),
    numbers: () =>
      Effect.sync(() => {
        const clientConnections = connections[Math.min(looks++, connections.length - 1)]!
        return { threads: [{ clientConnections: 0 }, { clientConnections }] } as unknown as ThreadNumbers
      })
  }
}

const lasts = (connections: ReadonlyArray<number>, secondsMax: number) =>
  Effect.gen(function* () {
    const group = groupWith(connections)
    const fiber = yield* Effect.forkChild(handOver(group, secondsMax))
    let quarters = 0
    for (yield* Effect.yieldNow; fiber.pollUnsafe() === undefined; quarters++)
      yield* TestClock.adjust("250 millis")
    yield* Fiber.join(fiber)
    assert.deepStrictEqual(group.told, ["hand over"])
    return quarters / 4
  })

describe("a node that stops beside others hands over", () => {
  it.effect("until no client has been connected for a second", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* lasts([0], 12), 0.75)
      assert.strictEqual(yield* lasts([3, 2, 0, 0, 0, 1, 0, 0, 0, 0], 12), 2.25)
    })
  )

  it.effect("for so long at most where clients still come", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* lasts([1], 12), 12)
      assert.strictEqual(yield* lasts([1], 0), 0)
    })
  )
})
