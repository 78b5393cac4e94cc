/** What may be set on a key, as people say it; in the form in which it is kept. */
import { Effect } from "effect"
import ipaddr from "ipaddr.js"
import { type Endpoint, endpointNames } from "../domain/call.ts"
import { amountVndMax, latestMs, listedMax, nameLengthMax, rateLimitMax } from "../domain/field-limits.ts"
import { type Budget, budgetAfter, budgetPeriods, listedModelForm } from "../domain/key-settings.ts"
import { fromVnd } from "../domain/money.ts"
import type { KeyChange, KeySettings } from "../storage/keys/key-columns.ts"
import { BadText, checkText } from "./check-text.ts"

const budgetMax = fromVnd(BigInt(amountVndMax))

export const noBudget = Effect.suspend(() => Effect.fail(bad("budget period", "needs a budget")))

/** With the whole budget where a part of it is set anew; `former` is the one there is. */
export const wholeSettings = (
  { budget, ...others }: KeyChange,
  former: Budget | null
): Effect.Effect<Partial<KeySettings>, BadText> => {
  if (budget === undefined || budget === null)
    return Effect.succeed(budget === undefined ? others : { ...others, budget })
  const whole = budgetAfter(former, budget)
  return whole === undefined ? noBudget : Effect.succeed({ ...others, budget: whole })
}

/** Only what is given. */
export const checkSettings = <Given extends Partial<KeySettings>>(
  settings: Given
): Effect.Effect<Given, BadText> =>
  Effect.suspend(() => {
    const checked: Partial<Record<keyof KeySettings, unknown>> = {}
    for (const name of Object.keys(settings) as Array<keyof KeySettings>) {
      if (settings[name] === undefined) continue
      const value = checkers[name](settings[name] as never)
      if (value instanceof BadText) return Effect.fail(value)
      checked[name] = value
    }
    return Effect.succeed(checked as Given)
  })

const bad = (what: string, reason: string) => new BadText({ what, reason })

const checkers: {
  readonly [Name in keyof KeySettings]: (value: KeySettings[Name]) => KeySettings[Name] | BadText
} = {
  name: (name) => checkText("name", name, nameLengthMax),
  rateLimitPerMinute: (perMinute) =>
    Number.isSafeInteger(perMinute) && perMinute >= 0 && perMinute <= rateLimitMax
      ? perMinute
      : bad("rate limit", `must be a whole number from 0 to ${rateLimitMax}`),
  budget: (budget) => {
    if (budget === null) return budget
    if (budget.amount <= 0n || budget.amount > budgetMax)
      return bad("budget", `must be above 0 and at most ${amountVndMax} VND`)
    return budgetPeriods.includes(budget.period)
      ? budget
      : bad("budget period", `must be one of ${budgetPeriods.join(", ")}`)
  },
  models: (models) =>
    checkList("list of models", models, (model) =>
      model !== "" && listedModelForm.test(model)
        ? model
        : bad("model", "must be an id, or its beginning and a star")
    ),
  endpoints: (named) =>
    checkList("list of endpoints", named, (endpoint) =>
      (endpointNames as ReadonlyArray<string>).includes(endpoint)
        ? endpoint
        : bad("endpoint", `must be one of ${endpointNames.join(", ")}`)
    ) as ReadonlyArray<Endpoint> | null | BadText,
  allowedIps: (ranges) => checkList("list of addresses", ranges, rangeOf),
  expiresAt: (at) =>
    at !== null && !(at.getTime() > 0 && at.getTime() <= latestMs)
      ? bad("expiry", "must be a moment such as 2026-12-31T23:59:59+07:00")
      : at,
  paused: (paused) => paused
}

/** Each once. */
const checkList = (
  what: string,
  list: ReadonlyArray<string> | null,
  check: (each: string) => string | BadText
): ReadonlyArray<string> | null | BadText => {
  if (list === null) return null
  if (list.length === 0 || list.length > listedMax)
    return bad(what, `must have 1 to ${listedMax} entries, or be left out`)
  const checked = new Set<string>()
  for (const each of list) {
    const value = check(each.trim())
    if (value instanceof BadText) return value
    checked.add(value)
  }
  return [...checked]
}

/** A single address is a range of one. What is of IPv4 is kept as such, since that is how addresses are compared. */
const rangeOf = (text: string): string | BadText => {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return `${text}/32`
  const [address = "", bits, ...more] = text.split("/")
  const isWhole = ipaddr.IPv6.isValid(address) || ipaddr.IPv4.isValidFourPartDecimal(address)
  const range = bits === undefined ? `${address}/128` : text
  // A zone names an interface of one machine.
  if (!isWhole || more.length > 0 || address.includes("%") || !ipaddr.isValidCIDR(range))
    return bad("address", "must be an address or a range such as 203.0.113.0/24 or 2001:db8::/32")
  return mappedRange(range) ?? range
}

/** `::ffff:203.0.113.0/120` as `203.0.113.0/24`. */
const mappedRange = (range: string): string | undefined => {
  const [address, bits] = ipaddr.parseCIDR(range)
  const isMapped = address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && bits >= 96
  return isMapped ? `${address.toIPv4Address()}/${bits - 96}` : undefined
}
