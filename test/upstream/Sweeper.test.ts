import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { Sweeper } from "../../src/upstream/Sweeper.ts"

describe("the clock of everything that waits", () => {
  it.effect("asks all of them once a second, also when one of them fails each time", () =>
    Effect.gen(function* () {
      const sweeper = yield* Sweeper
      const asked: Array<string> = []
      sweeper.watch({
        tick: () => {
          asked.push("fails")
          throw new Error("a fault of ours")
        }
      })
      const leave = sweeper.watch({ tick: () => asked.push("waits") })
      yield* TestClock.adjust("2 seconds")
      assert.deepStrictEqual(asked, ["fails", "waits", "fails", "waits"])
      leave()
      leave()
      assert.strictEqual(sweeper.size(), 1)
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(asked.slice(4), ["fails"])
    }).pipe(Effect.provide(Sweeper.layer))
  )

  it.effect("cuts what still waits when the process stops, and what begins to wait only then", () =>
    Effect.gen(function* () {
      const sweeper = yield* Sweeper
      const cut: Array<string> = []
      const watch = (name: string) => {
        const leave = sweeper.watch({
          tick: () => {},
          cut: () => {
            cut.push(name)
            leave()
          }
        })
      }
      watch("early")
      sweeper.cutAll()
      watch("late")
      yield* Effect.yieldNow
      assert.deepStrictEqual(cut, ["early", "late"])
      assert.strictEqual(sweeper.size(), 0)
    }).pipe(Effect.provide(Sweeper.layer))
  )
})
