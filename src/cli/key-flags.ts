/** What may be set on a key, as flags: those that are left out change nothing, `none` takes back what was set. */
import { Effect, Option } from "effect"
import { type CliError, Flag } from "effect/cli"
import type { Endpoint } from "../domain/call.ts"
import { type BudgetChange, type BudgetPeriod, budgetPeriods } from "../domain/key-settings.ts"
import type { MicroVnd } from "../domain/money.ts"
import type { KeyChange } from "../storage/keys/key-columns.ts"
import { momentOf, namesIn, readAmount } from "./flags.ts"

const none = "none"

const listFlag = (name: string, metavar: string, description: string) =>
  Flag.String(name).pipe(
    Flag.withMetavar(metavar),
    Flag.withDescription(`${description}, with commas between them; "${none}" for all`),
    Flag.map((text) => (text === none ? null : namesIn(text))),
    Flag.optional
  )

export const keyFlags = {
  rateLimit: Flag.String("rate-limit").pipe(
    Flag.withMetavar("PER_MINUTE"),
    Flag.withDescription(`Calls per minute; "${none}" or 0 for no limit`),
    Flag.filterMap(
      (text) =>
        text === none ? Option.some(0) : /^\d{1,15}$/.test(text) ? Option.some(Number(text)) : Option.none(),
      () => `a whole number of calls, or "${none}"`
    ),
    Flag.optional
  ),
  budget: Flag.String("budget").pipe(
    Flag.withMetavar("VND"),
    Flag.withDescription(`What it may spend in a period; "${none}" for no budget`),
    Flag.mapEffect((text): Effect.Effect<MicroVnd | null, CliError.CliError> =>
      text === none ? Effect.succeed(null) : readAmount("budget", text)
    ),
    Flag.optional
  ),
  budgetPeriod: Flag.Literals("budget-period", budgetPeriods).pipe(
    Flag.withDescription("The period of its budget, in Viet Nam's calendar; total where none is set"),
    Flag.optional
  ),
  models: listFlag("models", "IDS", "Models it may call, with * at the end for all that begin so"),
  endpoints: listFlag("endpoints", "NAMES", "Endpoints it may call"),
  allowedIps: listFlag("allowed-ips", "CIDRS", "Addresses it may be used from"),
  expires: Flag.String("expires").pipe(
    Flag.withMetavar("MOMENT"),
    Flag.withDescription(`When it ends, such as 2026-12-31T23:59:59+07:00; "${none}" for never`),
    Flag.filterMap(
      (text) => (text === none ? Option.some<Date | null>(null) : momentOf(text)),
      () => `a moment such as 2026-12-31T23:59:59+07:00, or "${none}"`
    ),
    Flag.optional
  )
}

const unitSeconds: Readonly<Record<string, number>> = { m: 60, h: 3_600, d: 86_400 }

/** In seconds. */
export const overlap = Flag.String("overlap").pipe(
  Flag.withMetavar("TIME"),
  Flag.withDescription(
    "How long the present secret lives on, at most 7d: 30m, 12h, 7d; without it, not at all. One that was replaced before ends at once"
  ),
  Flag.filterMap(
    (text) => {
      const [, count, unit] = /^(\d{1,5})([mhd])$/.exec(text) ?? []
      return unit === undefined ? Option.none() : Option.some(Number(count) * unitSeconds[unit]!)
    },
    () => "a time such as 30m, 12h or 7d"
  ),
  Flag.withDefault(0)
)

interface KeyInput {
  readonly rateLimit: Option.Option<number>
  readonly budget: Option.Option<MicroVnd | null>
  readonly budgetPeriod: Option.Option<BudgetPeriod>
  readonly models: Option.Option<ReadonlyArray<string> | null>
  readonly endpoints: Option.Option<ReadonlyArray<string> | null>
  readonly allowedIps: Option.Option<ReadonlyArray<string> | null>
  readonly expires: Option.Option<Date | null>
}

/** Of what was given. */
export const settingsOf = (input: KeyInput): KeyChange => ({
  ...given("rateLimitPerMinute", input.rateLimit),
  ...given("budget", budgetIn(input)),
  ...given("models", input.models),
  // Looked at where all settings are.
  ...given("endpoints", input.endpoints as Option.Option<ReadonlyArray<Endpoint> | null>),
  ...given("allowedIps", input.allowedIps),
  ...given("expiresAt", input.expires)
})

/** A period alone is that of the budget there is. */
const budgetIn = ({ budget, budgetPeriod }: KeyInput): Option.Option<BudgetChange | null> => {
  const amount = Option.getOrUndefined(budget)
  if (amount === null) return Option.some(null)
  const period = Option.getOrUndefined(budgetPeriod)
  if (amount === undefined && period === undefined) return Option.none()
  return Option.some({ ...(amount !== undefined && { amount }), ...(period !== undefined && { period }) })
}

const given = <Name extends keyof KeyChange>(name: Name, value: Option.Option<KeyChange[Name]>) =>
  Option.isSome(value) ? ({ [name]: value.value } as Pick<KeyChange, Name>) : {}
