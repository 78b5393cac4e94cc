/** Flags that several commands take. */
import { Option } from "effect"
import { Flag } from "effect/cli"
import { type MicroVnd, parseVnd } from "../domain/money.ts"

export const json = Flag.Boolean("json").pipe(Flag.withDescription("Print JSON"), Flag.withDefault(false))

export const account = Flag.String("account").pipe(
  Flag.withMetavar("EMAIL"),
  Flag.withDescription("The account's email or id")
)

/** Whoever types `50.000` means fifty thousand, where dots stand between thousands; as a decimal it would be 50. */
const isAmbiguous = (text: string) => /^-?[1-9]\d{0,2}\.\d\d0$/.test(text)

export const amountOf = (text: string): Option.Option<MicroVnd> =>
  isAmbiguous(text) ? Option.none() : Option.fromUndefinedOr(parseVnd(text))

/** An amount of dong, whole or decimal. */
export const amount = (name: string): Flag.Flag<MicroVnd> =>
  Flag.String(name).pipe(
    Flag.withMetavar("VND"),
    Flag.filterMap(amountOf, (text) =>
      isAmbiguous(text)
        ? `${text.replace(".", "")} for thousands, or ${Number(text)} for the decimal number`
        : "an amount of dong such as 50000 or 0.83"
    )
  )

/** Who acts, in the ledger and the audit log. */
export const actor = "cli"
