/** How surcharges are written, in the catalogue and in `tollgate.yaml`: decimals by name. */
import { Schema } from "effect"
import { type Factor, parseFactor } from "./factor.ts"
import { type MicroVnd, parseVnd } from "./money.ts"
import { standardNames } from "./surcharges.ts"

const isName = (name: string): boolean => /^[a-z][a-z0-9_.-]{0,31}$/.test(name)

/** A number, or its text: what JSON and YAML read as a number is written again as it was typed. */
const Decimals = Schema.Record(Schema.String, Schema.Union([Schema.Finite, Schema.String]))
type Decimals = typeof Decimals.Type

const decimals = (expected: string, isGood: (name: string, text: string) => boolean) =>
  Decimals.check(
    Schema.makeFilter<Decimals>(
      (values) =>
        Object.entries(values).every(([name, value]) => isName(name) && isGood(name, String(value))),
      { expected }
    )
  )

export const TierFactors = decimals(
  "factors above 0 with up to six decimals, by the names of tiers other than the standard one",
  (name, text) => !standardNames.has(name) && parseFactor(text) !== undefined
)

export const ToolPrices = decimals("VND with up to six decimals, by the names of tools", (_, text) =>
  isPrice(text)
)

const priceMax = 1_000_000_000n * 1_000_000n

const isPrice = (text: string): boolean => {
  const price = parseVnd(text)
  return price !== undefined && price >= 0n && price <= priceMax
}

export const readTiers = (tiers: Decimals | null | undefined): ReadonlyMap<string, Factor> =>
  new Map(Object.entries(tiers ?? {}).map(([name, value]) => [name, parseFactor(String(value))!]))

export const readToolPrices = (prices: Decimals | null | undefined): ReadonlyMap<string, MicroVnd> =>
  new Map(Object.entries(prices ?? {}).map(([name, value]) => [name, parseVnd(String(value))!]))
