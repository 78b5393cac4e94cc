import { assert, describe, it } from "@effect/vitest"
import { watchTerminal } from "../../src/config/watch-terminal.ts"

describe("watchTerminal", () => {
  /** `before` and `after`: which of the three streams are terminals. */
  const isGone = (before: ReadonlyArray<number>, after: ReadonlyArray<number>) => {
    let terminals = before
    const check = watchTerminal((fd) => terminals.includes(fd))
    terminals = after
    return check()
  }

  it("tells of a terminal that was closed, which all its streams notice", () => {
    assert.isTrue(isGone([0, 1, 2], []))
    assert.isTrue(isGone([0], []))
  })

  it("tells of none that is there, and of none where there was none", () => {
    assert.isFalse(isGone([0, 1, 2], [0, 1, 2]))
    assert.isFalse(isGone([0], [0]))
    assert.isFalse(isGone([], []))
  })
})
