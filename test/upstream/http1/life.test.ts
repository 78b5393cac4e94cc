/** Short forms of what `test/chaos` does at length: providers that close connections as they like, and connections without end. */
import { assert, describe, it } from "vitest"
import { callClosingProvider } from "../../chaos/closing-provider.ts"
import { openAndClose } from "../../chaos/many-connections.ts"
import { seeds } from "../../Random.ts"

describe("calls to a provider that closes idle connections unannounced", () => {
  it.each(seeds(1).flatMap((seed) => [[seed, "plain"] as const, [seed, "TLS"] as const]))(
    "never fail of it (seed %i, %s)",
    async (seed, kind) => {
      const { counts, failed } = await callClosingProvider(1_000, seed, kind === "TLS")
      assert.strictEqual(failed, 0)
      assert.isAbove(counts.sentAgain, 0)
    },
    20_000
  )
})

describe("connections that are over", () => {
  it("leave nothing behind", async () => {
    const found = await openAndClose(2_000, 4)
    // Some KB for each of 1,500 would be several MB.
    assert.isBelow(found[3]!.heapBytes - found[0]!.heapBytes, 1_000_000)
  }, 20_000)
})
