/** An operator enters purchase prices and rates, one after the other. */
import { assert } from "@effect/vitest"
import type { Book } from "./bought-calls.ts"
import type { TestPerson } from "./TestPerson.ts"

export const enterPrices = async (operator: TestPerson, { prices, rates }: Book): Promise<void> => {
  const enter = async (what: string, body: unknown) => {
    const { status, text } = await operator.post(`/dashboard/api/operator/${what}`, body)
    assert.strictEqual(status, 200, text)
  }
  for (const { cacheRead, cacheWrite, fromDay, perRequest, ...price } of prices) {
    const caches = { cache_read: cacheRead, cache_write: cacheWrite }
    await enter("purchase-prices", { ...price, ...caches, per_request: perRequest, from: fromDay })
  }
  for (const { fromDay, ...rate } of rates) await enter("exchange-rates", { ...rate, from: fromDay })
}
