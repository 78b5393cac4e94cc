import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { WaitingLine } from "../../src/collections/WaitingLine.ts"

/** Joins, goes first, or leaves before its turn: the n-th of all that ever joined, some of whom are gone. */
const Step = Schema.Union([
  Schema.TaggedStruct("Add", {}),
  Schema.TaggedStruct("Take", {}),
  Schema.TaggedStruct("Leave", {
    nth: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 30 }))
  })
])
const Steps = Schema.Array(Step).check(Schema.isMaxLength(300))

describe("WaitingLine", () => {
  it.prop("serves whoever has not left in the order in which they came", [Steps], ([steps]) => {
    const line = new WaitingLine<string>()
    const joined: Array<{ readonly place: number; readonly name: string }> = []
    let model: Array<string> = []
    for (const [index, step] of steps.entries()) {
      if (step._tag === "Add") {
        const name = `caller ${index}`
        joined.push({ place: line.add(name), name })
        model.push(name)
      } else if (step._tag === "Take") {
        assert.strictEqual(line.take(), model.shift())
      } else {
        const leaver = joined[joined.length - 1 - step.nth]
        if (leaver !== undefined) line.leave(leaver.place)
        model = model.filter((name) => name !== leaver?.name)
      }
      assert.strictEqual(line.length, model.length)
      assert.strictEqual(line.first, model[0])
      assert.deepStrictEqual([...line], model)
    }
  })

  it("keeps no places of those who were served or have left, though it is never empty", () => {
    const line = new WaitingLine<number>()
    line.add(0)
    for (let turn = 1; turn < 10_000; turn++) {
      line.add(turn)
      line.leave(line.add(-turn))
      assert.strictEqual(line.take(), turn - 1)
    }
    assert.isBelow(line.places, 300)
  })
})
