/** Purchase prices and rates that change within a month, for routes of their own and for all, some missing, some entered twice; caches of calls. */
import type { CallExtras, CallRecord } from "../../src/domain/call.ts"
import type { ExchangeRate, PurchasePrice } from "../../src/domain/purchase-price.ts"
import type { Random } from "../Random.ts"
import type { Book } from "./bought-calls.ts"

const routes = ["anthropic#0", "anthropic#1"] as const
const models = ["claude-opus-5", "gpt-image-2", "claude-haiku-4.5", "mystery"] as const
const currencies = ["USD", "VND", "EUR"] as const
const tools = ["web_search", "code_execution"] as const

/** Up to nine decimals. */
const amount = (random: Random, wholeMax: number): string => {
  const decimals = String(random.below(1_000_000_000)).padStart(9, "0").slice(0, random.below(10))
  return `${random.below(wholeMax)}${decimals === "" ? "" : `.${decimals}`}`
}

const dayIn = (random: Random, month: string): string =>
  `${month}-${String(1 + random.below(28)).padStart(2, "0")}`

const randomPrices = (random: Random, month: string): ReadonlyArray<PurchasePrice> =>
  Array.from({ length: 24 }, (): PurchasePrice => ({
    route: random.below(2) === 0 ? "*" : random.pick(routes),
    model: random.pick(models),
    currency: random.pick(currencies),
    input: amount(random, 300),
    cacheRead: random.below(2) === 0 ? null : amount(random, 30),
    cacheWrite: random.below(2) === 0 ? null : amount(random, 400),
    output: amount(random, 900),
    perRequest: random.below(2) === 0 ? "0" : amount(random, 3),
    tools: Object.fromEntries(
      tools.flatMap((tool) => (random.below(3) === 0 ? [] : [[tool, amount(random, 2)]]))
    ),
    fromDay: dayIn(random, month)
  }))

/** Of euros there may be none for the first days. */
const randomRates = (random: Random, month: string): ReadonlyArray<ExchangeRate> =>
  Array.from({ length: 6 }, (_, index): ExchangeRate => ({
    currency: index % 2 === 0 ? "USD" : "EUR",
    vnd: `${20_000 + random.below(10_000)}.${1 + random.below(999_999)}`,
    fromDay: dayIn(random, month)
  }))

/** `month` is `2027-02`. */
export const randomBook = (random: Random, month: string): Book => ({
  prices: randomPrices(random, month),
  rates: randomRates(random, month)
})

/** What a call like this one with so much input read from caches and wrote to them: what its others did is part of it. */
export const randomCaches = (
  random: Random,
  { extras: { others } }: CallRecord,
  inputTokens: number
): Pick<CallExtras, "cacheReadTokens" | "cacheWriteTokens"> => {
  const own = inputTokens - others.reduce((sum, each) => sum + each.inputTokens, 0)
  const cached = (name: "cacheReadTokens" | "cacheWriteTokens") =>
    others.reduce((sum, each) => sum + each[name], random.below(1 + (own >> 2)))
  return { cacheReadTokens: cached("cacheReadTokens"), cacheWriteTokens: cached("cacheWriteTokens") }
}
