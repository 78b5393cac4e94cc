/** What providers are paid: prices by route and model with the day they hold from, and the rates of their currencies. */

/** Decimals as text, in the currency; per million tokens, but for a request and for the use of a tool. */
export interface PurchasePrice {
  /** `*`: of all routes that have no price of their own. */
  readonly route: string
  readonly model: string
  readonly currency: string
  readonly input: string
  /** `null`: as the input. */
  readonly cacheRead: string | null
  readonly cacheWrite: string | null
  readonly output: string
  /** Of a successful call; of an image. */
  readonly perRequest: string
  readonly tools: Readonly<Record<string, string>>
  /** `2026-11-24`: from that day's midnight in Viet Nam. */
  readonly fromDay: string
}

export interface ExchangeRate {
  readonly currency: string
  /** VND for one of it. */
  readonly vnd: string
  readonly fromDay: string
}

/** What a price is of: the calls of a model by a route, the tokens of another model in them, or the uses of a tool. */
export interface Part {
  readonly id: string
  /** Empty where the calls do not name it. */
  readonly route: string
  readonly model: string
  /** What it was sold by beside its price; the provider is taken to have the same. */
  readonly factor: string
  /** The other parts of such calls, a line each; `?` where they are not known. */
  readonly mix: string
  /** Empty for the call's own; `tool:web_search`, `model:gpt-5.5`. */
  readonly part: string
}

/** µVND for one of each, times `unitScale`. */
export interface UnitCosts {
  readonly input: bigint
  readonly cacheRead: bigint
  readonly cacheWrite: bigint
  readonly output: bigint
  readonly use: bigint
}

const priceDecimals = 9
const rateDecimals = 6
/** As many decimals as a product of three factors can have. */
export const factorDecimals = 18
export const unitScale = 10n ** BigInt(priceDecimals + rateDecimals + factorDecimals)

/** `12.5` with 3 decimals is 12500; more decimals than that are a mistake of the caller. */
export const scaled = (text: string, decimals: number): bigint => {
  const [whole = "", fraction = ""] = text.split(".")
  if (fraction.length > decimals || !/^\d+$/.test(whole + fraction))
    throw new Error(`No such decimal: ${text}`)
  return BigInt(whole + fraction.padEnd(decimals, "0"))
}

export type Priced =
  | { readonly _tag: "Priced"; readonly units: UnitCosts }
  | { readonly _tag: "NoPrice" }
  | { readonly _tag: "NoRate"; readonly currency: string }

/** Finds what holds on a day. Of several from the same day the one that was entered last does. */
export class PriceBook {
  readonly #prices: ReadonlyMap<string, ReadonlyArray<PurchasePrice>>
  readonly #rates: ReadonlyMap<string, ReadonlyArray<ExchangeRate>>
  /** The days on which something begins to hold, in order. */
  readonly days: ReadonlyArray<string>

  /** Both in the order they were entered in. */
  constructor(prices: ReadonlyArray<PurchasePrice>, rates: ReadonlyArray<ExchangeRate>) {
    this.#prices = Map.groupBy(prices, ({ model, route }) => placeOf(model, route))
    this.#rates = Map.groupBy(rates, ({ currency }) => currency)
    this.days = [...new Set([...prices, ...rates].map(({ fromDay }) => fromDay))].toSorted()
  }

  /** Of this part alone; that the others of its mix have one too is another question. */
  unitsOf({ factor, model, part, route }: Part, day: string): Priced {
    const bought = part.startsWith("model:") ? part.slice("model:".length) : model
    const price =
      latest(this.#prices.get(placeOf(bought, route)), day) ??
      latest(this.#prices.get(placeOf(bought, "*")), day)
    if (price === undefined) return { _tag: "NoPrice" }
    const tool = part.startsWith("tool:") ? part.slice("tool:".length) : undefined
    const use = tool === undefined ? price.perRequest : price.tools[tool]
    if (use === undefined) return { _tag: "NoPrice" }
    const rate = price.currency === "VND" ? "1" : latest(this.#rates.get(price.currency), day)?.vnd
    if (rate === undefined) return { _tag: "NoRate", currency: price.currency }
    // Uses of tools are sold without the factor, and bought so.
    const vnd = scaled(rate, rateDecimals) * scaled(tool === undefined ? factor : "1", factorDecimals)
    // VND for a million tokens are µVND for one.
    const perToken = (text: string | null) =>
      tool === undefined ? vnd * scaled(text ?? price.input, priceDecimals) : 0n
    return {
      _tag: "Priced",
      units: {
        input: perToken(price.input),
        cacheRead: perToken(price.cacheRead),
        cacheWrite: perToken(price.cacheWrite),
        output: perToken(price.output),
        use: 1_000_000n * vnd * scaled(use, priceDecimals)
      }
    }
  }
}

const placeOf = (model: string, route: string) => `${route}\n${model}`

const latest = <Entry extends { readonly fromDay: string }>(
  entries: ReadonlyArray<Entry> | undefined,
  day: string
): Entry | undefined =>
  entries?.reduce<Entry | undefined>(
    (found, entry) =>
      entry.fromDay <= day && (found === undefined || entry.fromDay >= found.fromDay) ? entry : found,
    undefined
  )
