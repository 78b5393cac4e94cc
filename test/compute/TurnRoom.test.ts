import { assert, describe, it } from "@effect/vitest"
import { setImmediate as nextTurn } from "node:timers/promises"
import { TurnRoom } from "../../src/compute/TurnRoom.ts"

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
})
