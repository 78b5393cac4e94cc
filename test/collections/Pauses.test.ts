import { assert, describe, it } from "@effect/vitest"
import { Pauses } from "../../src/collections/Pauses.ts"

const livesOf = (...lives: ReadonlyArray<number>) => {
  const pauses = new Pauses({ delaysMs: [1, 5, 20], steadyMs: 1_000 })
  return lives.map((livedMs) => pauses.after(livedMs))
}

describe("Pauses", () => {
  it("grow with each death in a row, up to the last", () => {
    assert.deepStrictEqual(livesOf(0, 10, 999, 0, 0), [1, 5, 20, 20, 20])
  })

  it("begin anew after a life that was long enough", () => {
    assert.deepStrictEqual(livesOf(0, 0, 1_000, 0), [1, 5, 1, 5])
  })

  it("are none where none are named", () => {
    assert.strictEqual(new Pauses({ delaysMs: [], steadyMs: 1 }).after(0), 0)
  })
})
