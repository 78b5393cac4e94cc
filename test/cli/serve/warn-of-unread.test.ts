import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Logger } from "effect"
import { warnOfUnread } from "../../../src/cli/serve/warn-of-unread.ts"
import { Config } from "../../../src/config.ts"
import type { Settings } from "../../../src/config/settings.ts"
import records from "../../../src/domain/catalogue.json" with { type: "json" }

const settingsOf = (catalogue: unknown) => ({ catalogue, port: 0 }) as unknown as Settings

const mistyped = records.map((record) => ({
  ...record,
  tool_price_vnd: { web_search: 250 },
  upstream: { ...record.upstream, refuse: ["stop"] }
}))

describe("a catalogue at the start of a server", () => {
  it.effect("is told of with what nothing reads in it, once until it changes", () => {
    const said: Array<string> = []
    const logger = Logger.layer([Logger.make(({ message }) => void said.push(String(message)))])
    return Effect.gen(function* () {
      const { adjust } = yield* Config
      const watching = yield* Effect.forkChild(warnOfUnread)
      yield* Effect.yieldNow
      assert.deepStrictEqual(said, [], "what ships is read whole")
      yield* adjust(() => settingsOf(mistyped.slice(0, 1)))
      yield* Effect.yieldNow
      yield* adjust((settings) => ({ ...settings, port: 8787 }))
      yield* adjust(() => settingsOf(mistyped))
      yield* Effect.yieldNow
      yield* Fiber.interrupt(watching)
      const [first] = records
      assert.deepStrictEqual(said, [
        `Of the catalogue nothing reads these, which may be mistyped: ${first!.id}: upstream.refuse, ${first!.id}: tool_price_vnd`,
        said[1]
      ])
      assert.match(said[1]!, / and 193 more$/)
    }).pipe(Effect.provide(Layer.mergeAll(Config.layerOf(settingsOf(records)), logger)))
  })
})
