/** Which prices hold now, by a clock that may be set. */
import { assert, describe, it, vi } from "@effect/vitest"
import { Effect } from "effect"
import type { Settings } from "../../src/config/settings.ts"
import records from "../../src/domain/catalogue.json" with { type: "json" }
import { Models } from "../../src/gateway/Models.ts"

const id = "claude-sonnet-5"
const settings = { catalogue: records, aliases: {}, providers: {} } as unknown as Settings
const fromMs = 1_800_000_000_000
const overrides = {
  [id]: { price_vnd: 7_000, disabled: false, later: [{ from_ms: fromMs, price_vnd: 8_000 }] }
}

describe("a price for a moment", () => {
  it.effect("holds from then on, and no more where the clock had gone ahead and is set right", () =>
    Effect.gen(function* () {
      const models = yield* Models
      const now = vi.spyOn(Date, "now")
      const priceAt = (ms: number) => {
        now.mockReturnValue(ms)
        const price = models.get(id)?.price
        return price?._tag === "PerToken" ? price.perMtokVnd : undefined
      }
      assert.deepStrictEqual(
        [fromMs - 2, fromMs - 1, fromMs, fromMs + 86_400_000, fromMs - 1, fromMs + 1].map(priceAt),
        [7_000, 7_000, 8_000, 8_000, 7_000, 8_000]
      )
      now.mockRestore()
    }).pipe(Effect.provide(Models.layer(settings, overrides, () => Date.now())))
  )
})
