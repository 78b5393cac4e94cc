/** Settings that differ between nodes are told once they have done so for longer than a change of all nodes takes. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Logger } from "effect"
import { TestClock } from "effect/testing"
import { watchSettings } from "../../../src/cli/serve/compare-settings.ts"

describe("a node that compares its settings with the others'", () => {
  it.effect("tells at once what is apart, and warns once of what stays so", () => {
    const told: Array<string> = []
    const logger = Logger.make(({ message }) => void told.push(String(message)))
    return Effect.gen(function* () {
      let found: ReadonlyArray<string> = ["limits"]
      const apart = yield* watchSettings(Effect.sync(() => found))
      yield* TestClock.adjust("8 minutes")
      assert.deepStrictEqual([apart(), told], [["limits"], []])
      yield* TestClock.adjust("30 minutes")
      assert.lengthOf(told, 1)
      assert.include(told[0], "limits")
      found = []
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(apart(), [])
      // One node after the other is given another price list.
      found = ["models"]
      yield* TestClock.adjust("5 minutes")
      found = []
      yield* TestClock.adjust("30 minutes")
      assert.lengthOf(told, 1)
      found = ["limits", "models"]
      yield* TestClock.adjust("20 minutes")
      assert.lengthOf(told, 2)
    }).pipe(Effect.scoped, Effect.provide(Logger.layer([logger])))
  })
})
