/** What a disk has left, told without waiting for it. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { statfsSync } from "node:fs"
import { FreeDisk } from "../../src/telemetry/FreeDisk.ts"
import { until } from "../until.ts"

describe("the room on a disk", () => {
  it.live("is told in bytes", () =>
    Effect.gen(function* () {
      const disk = yield* FreeDisk.watch(".")
      const told = yield* Effect.promise(() => until(() => disk.bytes))
      const { bavail, bsize } = statfsSync(".")
      // Others write there meanwhile.
      assert.closeTo(told, bavail * bsize, 1e9)
    })
  )

  it.live("is not told of a folder that is none", () =>
    Effect.gen(function* () {
      const disk = yield* FreeDisk.watch("no-such-folder")
      yield* Effect.sleep("20 millis")
      assert.isUndefined(disk.bytes)
    })
  )
})
