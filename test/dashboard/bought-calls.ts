/** A month of calls whose margin is worked out by hand, and a second, slower way to work it out: call by call, in fractions. */
import { type CallExtras, type CallRecord, noExtras } from "../../src/domain/call.ts"
import { type AccountId, KeyId, makeCallId } from "../../src/domain/ids.ts"
import type { ExchangeRate, PurchasePrice } from "../../src/domain/purchase-price.ts"

type Changes = Omit<Partial<CallRecord>, "extras"> & { readonly extras?: Partial<CallExtras> }

export const purchasePrice = (changes: Partial<PurchasePrice>): PurchasePrice => ({
  route: "*",
  model: "claude-opus-5",
  currency: "USD",
  input: "0",
  cacheRead: null,
  cacheWrite: null,
  output: "0",
  perRequest: "0",
  tools: {},
  fromDay: "2026-10-01",
  ...changes
})

const opus = { cacheRead: "0.5", cacheWrite: "6.25", input: "5", output: "25", tools: { web_search: "0.01" } }
export const prices: ReadonlyArray<PurchasePrice> = [
  // Entered by mistake, and anew.
  purchasePrice({ ...opus, input: "50" }),
  purchasePrice(opus),
  purchasePrice({
    ...opus,
    input: "4",
    cacheRead: "0.4",
    cacheWrite: "5",
    output: "20",
    fromDay: "2026-11-15"
  }),
  purchasePrice({
    route: "anthropic#1",
    currency: "VND",
    input: "100000",
    output: "500000",
    fromDay: "2026-11-01"
  }),
  purchasePrice({ model: "gpt-image-2", perRequest: "0.04" }),
  purchasePrice({ model: "claude-haiku-4.5", input: "0.3333333", output: "1" })
]

export const rates: ReadonlyArray<ExchangeRate> = [
  { currency: "USD", vnd: "26000", fromDay: "2026-10-01" },
  { currency: "USD", vnd: "26350.5", fromDay: "2026-11-20" }
]

const callAt = (accountId: string, at: string, { extras, ...changes }: Changes): CallRecord => {
  const atMs = Date.parse(at)
  return {
    callId: makeCallId(atMs),
    atMs,
    accountId: accountId as AccountId,
    keyId: KeyId.make("key_unknown"),
    endpoint: "messages",
    modelRequested: "opus",
    model: "claude-opus-5",
    stream: false,
    status: 200,
    errorType: "",
    inputTokens: 0,
    outputTokens: 0,
    units: 1,
    estimated: false,
    perMtokVnd: 400_000,
    perRequestVnd: null,
    cost: 400_000n * BigInt((changes.inputTokens ?? 0) + (changes.outputTokens ?? 0)),
    latencyMs: 1,
    firstByteMs: null,
    storedIdHash: null,
    storedItemHashes: [],
    ...changes,
    extras: { ...noExtras, route: "anthropic#0", ...extras }
  }
}

const few = { inputTokens: 10, outputTokens: 1 }

/** Beside each call its cost in µVND. */
export const monthOf = (first: string, second: string): ReadonlyArray<CallRecord> => [
  // (300 × 5 + 600 × 0.5 + 100 × 6.25 + 200 × 25) × 26000 = 193,050,000
  callAt(first, "2026-11-03T10:00:00+07:00", {
    inputTokens: 1_000,
    outputTokens: 200,
    extras: { cacheReadTokens: 600, cacheWriteTokens: 100 }
  }),
  // (10 × 5 + 25) × 26000 = 1,950,000: the last moment of the former price
  callAt(first, "2026-11-14T23:59:59.999+07:00", few),
  // (10 × 4 + 20) × 26000 = 1,560,000
  callAt(first, "2026-11-15T00:00:00+07:00", few),
  // 1.5 × (3 × 4 + 20) × 26350.5 = 1,264,824
  callAt(second, "2026-11-20T08:00:00+07:00", {
    inputTokens: 3,
    outputTokens: 1,
    cost: 2_400_000n,
    extras: { tier: "priority", factor: "1.5" }
  }),
  // 7 × 100000 + 3 × 500000 = 2,200,000
  callAt(second, "2026-11-21T08:00:00+07:00", {
    inputTokens: 7,
    outputTokens: 3,
    extras: { route: "anthropic#1", cacheReadTokens: 2 }
  }),
  // 3 × 0.04 × 26350.5 VND = 3,162,060,000
  callAt(second, "2026-11-22T08:00:00+07:00", {
    endpoint: "images_generations",
    model: "gpt-image-2",
    units: 3,
    perMtokVnd: null,
    perRequestVnd: 1_500,
    cost: 4_500_000_000n,
    extras: { route: "openai#0" }
  }),
  // (100 × 4 + 50 × 20) × 26350.5 + 2 × 0.01 × 26350.5 VND = 563,900,700
  callAt(first, "2026-11-23T08:00:00+07:00", {
    inputTokens: 100,
    outputTokens: 50,
    cost: 660_000_000n,
    extras: { toolUses: [{ tool: "web_search", uses: 2, price: 300_000_000n }] }
  }),
  // (20 × 4 + 10 × 20 + 30 × 0.3333333 + 10 × 1) × 26350.5 = 7,905,149.9736495
  callAt(first, "2026-11-24T08:00:00+07:00", {
    inputTokens: 50,
    outputTokens: 20,
    cost: 16_000_000n,
    extras: {
      // All of it the other's.
      cacheReadTokens: 12,
      cacheWriteTokens: 6,
      others: [
        {
          model: "claude-haiku-4.5",
          inputTokens: 30,
          cacheReadTokens: 12,
          cacheWriteTokens: 6,
          outputTokens: 10,
          perMtokVnd: 100_000,
          isApart: false
        }
      ]
    }
  }),
  // No price: told apart.
  callAt(first, "2026-11-25T08:00:00+07:00", { inputTokens: 60, outputTokens: 10, model: "mystery" }),
  // A price, but none for its tool.
  callAt(first, "2026-11-26T08:00:00+07:00", {
    inputTokens: 5,
    outputTokens: 5,
    extras: { toolUses: [{ tool: "code_execution", uses: 1, price: undefined }] }
  }),
  // The client left: (5 × 4 + 5 × 20) × 26350.5 = 3,162,060
  callAt(second, "2026-11-27T08:00:00+07:00", { inputTokens: 5, outputTokens: 5, status: 499 }),
  // Nothing was used.
  callAt(second, "2026-11-27T09:00:00+07:00", { status: 502 }),
  callAt(second, "2026-11-27T10:00:00+07:00", { endpoint: "count_tokens", inputTokens: 900, cost: 0n })
]

/** A fraction, never shortened. */
type Fraction = readonly [numerator: bigint, denominator: bigint]
const whole = (value: number): Fraction => [BigInt(value), 1n]
const read = (text: string): Fraction => {
  const [integer = "", decimals = ""] = text.split(".")
  return [BigInt(integer + decimals), 10n ** BigInt(decimals.length)]
}
const times = (...all: ReadonlyArray<Fraction>): Fraction =>
  all.reduce(([a, b], [c, d]): Fraction => [a * c, b * d], [1n, 1n])
const plus = (...all: ReadonlyArray<Fraction>): Fraction =>
  all.reduce(([a, b], [c, d]): Fraction => [a * d + c * b, b * d], [0n, 1n])

export const sumOf = (all: ReadonlyArray<Fraction>): Fraction => plus(...all)
export const rounded = ([numerator, denominator]: Fraction): bigint =>
  (numerator * 2n + denominator) / (denominator * 2n)

const dayOf = (atMs: number) => new Date(atMs + 7 * 3_600_000).toISOString().slice(0, 10)
const holding = <A extends { readonly fromDay: string }>(all: ReadonlyArray<A>, day: string) =>
  all
    .filter(({ fromDay }) => fromDay <= day)
    .toSorted((one, other) => one.fromDay.localeCompare(other.fromDay))
    .at(-1)

/** What was entered, in this order. */
export interface Book {
  readonly prices: ReadonlyArray<PurchasePrice>
  readonly rates: ReadonlyArray<ExchangeRate>
}

const priceFor = ({ prices, rates }: Book, model: string, route: string, day: string) => {
  const of = (where: string) =>
    holding(
      prices.filter((each) => each.model === model && each.route === where),
      day
    )
  const found = of(route) ?? of("*")
  if (found === undefined) return undefined
  const { currency } = found
  const ofCurrency = rates.filter((each) => each.currency === currency)
  const rate = currency === "VND" ? "1" : holding(ofCurrency, day)?.vnd
  return rate === undefined ? undefined : { ...found, rate: read(rate) }
}

/** µVND; `undefined` where something has no price. */
export const boughtFor = (call: CallRecord, book: Book): Fraction | undefined => {
  const { extras } = call
  const day = dayOf(call.atMs)
  const own = priceFor(book, call.model, extras.route, day)
  if (own === undefined) return undefined
  const inside = extras.others.filter(({ isApart }) => !isApart)
  const insideOf = (name: "inputTokens" | "cacheReadTokens" | "cacheWriteTokens" | "outputTokens") =>
    inside.reduce((sum, each) => sum + each[name], 0)
  const input = call.inputTokens - insideOf("inputTokens")
  const output = call.outputTokens - insideOf("outputTokens")
  const cacheRead = extras.cacheReadTokens - insideOf("cacheReadTokens")
  const cacheWrite = extras.cacheWriteTokens - insideOf("cacheWriteTokens")
  // What failed and was not charged is no request that was answered.
  const requests = call.status < 400 || call.cost > 0n ? call.units : 0
  const costs: Array<Fraction> = [
    times(whole(input - cacheRead - cacheWrite), read(own.input), own.rate),
    times(whole(cacheRead), read(own.cacheRead ?? own.input), own.rate),
    times(whole(cacheWrite), read(own.cacheWrite ?? own.input), own.rate),
    times(whole(output), read(own.output), own.rate),
    times(whole(requests * 1_000_000), read(own.perRequest), own.rate)
  ]
  for (const other of extras.others) {
    const bought = priceFor(book, other.model, extras.route, day)
    if (bought === undefined) return undefined
    const fresh = other.inputTokens - other.cacheReadTokens - other.cacheWriteTokens
    costs.push(
      times(whole(fresh), read(bought.input), bought.rate),
      times(whole(other.cacheReadTokens), read(bought.cacheRead ?? bought.input), bought.rate),
      times(whole(other.cacheWriteTokens), read(bought.cacheWrite ?? bought.input), bought.rate),
      times(whole(other.outputTokens), read(bought.output), bought.rate)
    )
  }
  const tools: Array<Fraction> = []
  for (const { tool, uses } of extras.toolUses) {
    const each = own.tools[tool]
    if (each === undefined) return undefined
    tools.push(times(whole(uses * 1_000_000), read(each), own.rate))
  }
  return plus(times(read(extras.factor), plus(...costs)), ...tools)
}

export const isCounted = ({ cost, endpoint, inputTokens, outputTokens, status }: CallRecord): boolean =>
  endpoint !== "count_tokens" && (cost > 0n || status < 400 || inputTokens + outputTokens > 0)
