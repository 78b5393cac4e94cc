/** Flags that several commands take. */
import { Context, Effect, Option } from "effect"
import { CliError, Flag } from "effect/cli"
import { readMoment, readStart } from "../accounts/parse-period.ts"
import { isPriceVnd } from "../domain/model-overrides.ts"
import { formatVnd, type MicroVnd } from "../domain/money.ts"
import { readExactVnd, readTypedVnd, readWholeVnd, type TypedVnd } from "../domain/typed-money.ts"

export const json = Flag.Boolean("json").pipe(
  Flag.withDescription("Print JSON, and read amounts as exact decimals"),
  Flag.withDefault(false)
)

export const account = Flag.String("account").pipe(
  Flag.withMetavar("EMAIL"),
  Flag.withDescription("The account's email or id")
)

/** With commas between them. */
export const namesIn = (text: string): ReadonlyArray<string> => text.split(",").map((each) => each.trim())

/** Amounts come from a program, as exact decimals: a point sets a fraction apart, and nothing thousands. */
export const ExactAmounts = Context.Reference<boolean>("tollgate/cli/ExactAmounts", {
  defaultValue: () => false
})

/** An amount of dong, as people write it, or as programs do. */
export const amount = (name: string) =>
  Flag.String(name).pipe(
    Flag.withMetavar("VND"),
    Flag.mapEffect((text) => readAmount(name, text))
  )

export const readAmount = (option: string, value: string): Effect.Effect<MicroVnd, CliError.InvalidValue> =>
  Effect.flatMap(ExactAmounts, (exact) => {
    const typed = exact ? undefined : readTypedVnd(value)
    const read =
      typed === undefined ? readExactVnd(value) : typed._tag === "Amount" ? typed.amount : undefined
    if (read !== undefined) return Effect.succeed(read)
    const expected =
      typed === undefined
        ? "a decimal number of dong such as 500000 or 0.83, without separators"
        : wantedFor(typed)
    return Effect.fail(new CliError.InvalidValue({ option, value, expected, kind: "flag" }))
  })

/**
 * `--amount -500k` as `--amount=-500k`: only a negative number as programs write it is taken for a value by itself, and
 * no flag begins with a digit.
 */
export const joinNegativeAmounts = (args: ReadonlyArray<string>): ReadonlyArray<string> => {
  const joined: Array<string> = []
  for (const arg of args) {
    const flag = joined.at(-1)
    if (flag !== undefined && /^--[^=]+$/.test(flag) && /^-[\d.,]/.test(arg)) {
      joined[joined.length - 1] = `${flag}=${arg}`
    } else {
      joined.push(arg)
    }
  }
  return joined
}

/** A price: whole dong, in which a separator has only thousands to set apart. */
export const readPrice = (option: string, value: string): Effect.Effect<number, CliError.InvalidValue> =>
  Effect.flatMap(ExactAmounts, (exact) => {
    const read = exact ? readExactVnd(value) : readWholeVnd(value)
    const price = read === undefined ? undefined : Number(formatVnd(read))
    if (isPriceVnd(price)) return Effect.succeed(price)
    const expected = "whole dong from 0 to 1000000000, such as 13000"
    return Effect.fail(new CliError.InvalidValue({ option, value, expected, kind: "argument" }))
  })

/** What is wanted in place of what was typed. */
const wantedFor = (typed: TypedVnd): string => {
  if (typed._tag !== "Ambiguous") return "an amount of dong such as 500000, 500.000, 500k or 0.83"
  const [inThousands, withFraction] = typed.writings
  return `${inThousands} for thousands, or ${withFraction} for the decimal number`
}

/** `2026-12-31T23:59:59+07:00`; never without its offset. */
export const momentOf = (text: string): Option.Option<Date> => Option.fromUndefinedOr(readMoment(text))

/** Since when: a day of Viet Nam, or a moment. */
export const from = Flag.String("from").pipe(
  Flag.withMetavar("DATE"),
  Flag.withDescription(
    "Since when, such as 2026-12-31 (its midnight in Viet Nam) or 2026-12-31T23:59:59+07:00"
  ),
  Flag.filterMap(
    (text) => Option.fromUndefinedOr(readStart(text)),
    () => "a day such as 2026-12-31, or a moment such as 2026-12-31T23:59:59+07:00"
  ),
  Flag.optional
)

/** Who acts, in the ledger and the audit log. */
export const actor = "cli"
