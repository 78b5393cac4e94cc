import { assert, describe, it } from "@effect/vitest"
import { joinInTurns } from "../../src/upstream/join-in-turns.ts"

const mebibyte = 1024 * 1024

/** Pieces of this many bytes each, and what they are together. */
const pieces = (sizes: ReadonlyArray<number>) => {
  const chunks = sizes.map((size, index) => Buffer.alloc(size, index + 1))
  return { chunks, size: sizes.reduce((sum, size) => sum + size, 0), whole: Buffer.concat(chunks) }
}

describe("an answer's pieces", () => {
  it.each([[[]], [[0]], [[5]], [[1, 2, 3]], [[mebibyte, 0, 2 * mebibyte]]])(
    "of %s bytes are whole at once",
    (sizes) => {
      const { chunks, size, whole } = pieces(sizes)
      let told: Buffer | undefined
      joinInTurns(chunks, size, (joined) => (told = joined))
      assert.isTrue(told?.equals(whole))
    }
  )

  it("of many megabytes are whole after some turns of the event loop, in which others have theirs", async () => {
    const { chunks, size, whole } = pieces([3, ...Array.from({ length: 20 }, () => mebibyte), 5])
    const joined = new Promise<Buffer>((resolve) => joinInTurns(chunks, size, resolve))
    const others = { turns: 0, goOn: true }
    const turn = () => {
      others.turns++
      if (others.goOn) setImmediate(turn)
    }
    turn()
    const told = await joined
    others.goOn = false
    assert.isAtLeast(others.turns, 4)
    assert.isTrue(told.equals(whole))
  })
})
