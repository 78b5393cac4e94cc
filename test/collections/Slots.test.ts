import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { Slots } from "../../src/collections/Slots.ts"

/** Adds a value, or removes the n-th of those that are there, sometimes twice. */
const Step = Schema.Union([
  Schema.TaggedStruct("Add", {}),
  Schema.TaggedStruct("Remove", {
    nth: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 9 }))
  })
])
const Steps = Schema.Array(Step).check(Schema.isMaxLength(80))

describe("Slots", () => {
  it.prop("holds what was added and not removed, each under a number of its own", [Steps], ([steps]) => {
    const slots = new Slots<string>()
    const model = new Map<number, string>()
    for (const [index, step] of steps.entries()) {
      if (step._tag === "Add") {
        const value = `value ${index}`
        const slot = slots.add(value)
        assert.isFalse(model.has(slot), "the number is somebody else's")
        model.set(slot, value)
      } else {
        const slot = [...model.keys()][step.nth] ?? 1_000
        assert.strictEqual(slots.remove(slot), model.get(slot))
        assert.isUndefined(slots.remove(slot))
        model.delete(slot)
      }
      assert.strictEqual(slots.size, model.size)
      assert.sameMembers([...slots], [...model.values()])
    }
  })

  it("uses numbers again, so that it never grows beyond what was there at once", () => {
    const slots = new Slots<number>()
    for (let round = 0; round < 1_000; round++) {
      const [first, second] = [slots.add(round), slots.add(-round)]
      assert.isBelow(Math.max(first, second), 2)
      slots.remove(first)
      slots.remove(second)
    }
  })

  it("can lose values while they are read", () => {
    const slots = new Slots<number>()
    const numbers = [1, 2, 3].map((value) => slots.add(value))
    const seen: Array<number> = []
    for (const value of slots) {
      seen.push(value)
      slots.remove(numbers[1]!)
    }
    assert.deepStrictEqual(seen, [1, 3])
  })
})
