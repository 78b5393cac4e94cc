/**
 * What a provider sells at another price than its flat one, as the operator prices it: tiers, fast modes and regions by a
 * factor, uses of the tools that the provider runs by a price each.
 */
import { type Factor, larger, one, times } from "./factor.ts"
import type { MicroVnd } from "./money.ts"

/** Plain data: it crosses threads. */
export interface Surcharges {
  /** Factors by the names of tiers (`priority`), speeds (`fast`) and regions (`us`). */
  readonly tiers: ReadonlyMap<string, Factor>
  /** µVND for each use, by the tool's name (`web_search`). */
  readonly toolPrices: ReadonlyMap<string, MicroVnd>
  /** A request that brings such tools along is refused. */
  readonly refusesHostedTools: boolean
}

/** On what terms a call is asked for, or was served, as far as it is said. */
export interface Terms {
  readonly tier?: string | undefined
  readonly speed?: string | undefined
  readonly region?: string | undefined
}

export const standardTerms: Terms = {}

/** Names of what everybody gets: their factor is always 1. */
export const standardNames: ReadonlySet<string> = new Set([
  "auto",
  "default",
  "standard",
  "standard_only",
  // Groq's word for it: console.groq.com/docs/service-tiers
  "on_demand",
  "global",
  "not_available"
])

/** What may be served although nobody asked for it: providers have a setting for the whole account. */
const unaskedTiers = ["priority", "scale"] as const

export interface ChargedTerms {
  /** `priority`, `fast+us`; empty where all is standard. */
  readonly name: string
  readonly factor: Factor
}

/** What is charged: by what was served where that is known here, else by what was asked for. */
export const chargedTerms = (
  asked: Terms,
  served: Terms,
  { tiers }: Pick<Surcharges, "tiers">
): ChargedTerms => {
  const names = [
    chargedTier(asked.tier, served.tier, tiers),
    // Nobody gets these who did not ask.
    asked.speed === undefined ? undefined : chargedName(asked.speed, served.speed, tiers),
    asked.region === undefined ? undefined : chargedName(asked.region, served.region, tiers)
  ].filter((name) => name !== undefined && !standardNames.has(name)) as ReadonlyArray<string>
  return names.length === 0
    ? standardCharged
    : {
        name: names.join("+"),
        factor: names.reduce((product, name) => times(product, factorOf(name, tiers)), one)
      }
}

const standardCharged: ChargedTerms = { name: "", factor: one }

/** The dearest that may be charged for these terms: what a hold must cover. */
export const heldFactor = (asked: Terms, { tiers }: Pick<Surcharges, "tiers">): Factor => {
  if (tiers.size === 0) return one
  const isOpen = asked.tier === undefined || asked.tier === "auto"
  const served = [isOpen ? unaskedTiers : [asked.tier], [asked.speed], [asked.region]] as const
  return served.reduce(
    (product, names) =>
      times(
        product,
        names.reduce((dearest, name) => larger(dearest, factorOf(name ?? "", tiers)), one)
      ),
    one
  )
}

/** A tier may be served without having been asked for, a standard one in place of a dearer. */
const chargedTier = (asked: string | undefined, served: string | undefined, tiers: Surcharges["tiers"]) =>
  asked === undefined || standardNames.has(asked) ? served : chargedName(asked, served, tiers)

const chargedName = (asked: string, served: string | undefined, tiers: Surcharges["tiers"]): string =>
  served !== undefined &&
  served !== "auto" &&
  served !== "not_available" &&
  (standardNames.has(served) || tiers.has(served))
    ? served
    : asked

const factorOf = (name: string, tiers: Surcharges["tiers"]): Factor =>
  standardNames.has(name) ? one : (tiers.get(name) ?? one)
