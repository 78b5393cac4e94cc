/** Flags that several commands take. */
import { Option } from "effect"
import { Flag } from "effect/cli"
import type { MicroVnd } from "../domain/money.ts"
import { readTypedVnd } from "../domain/typed-money.ts"

export const json = Flag.Boolean("json").pipe(Flag.withDescription("Print JSON"), Flag.withDefault(false))

export const account = Flag.String("account").pipe(
  Flag.withMetavar("EMAIL"),
  Flag.withDescription("The account's email or id")
)

export const amountOf = (text: string): Option.Option<MicroVnd> => {
  const typed = readTypedVnd(text)
  return typed._tag === "Amount" ? Option.some(typed.amount) : Option.none()
}

/** What is wanted in place of what was typed. */
export const wantedFor = (text: string): string => {
  const typed = readTypedVnd(text)
  if (typed._tag !== "Ambiguous") return "an amount of dong such as 500000, 500.000, 500k or 0.83"
  const [inThousands, withFraction] = typed.writings
  return `${inThousands} for thousands, or ${withFraction} for the decimal number`
}

/** An amount of dong, as people write it or as programs do. */
export const amount = (name: string): Flag.Flag<MicroVnd> =>
  Flag.String(name).pipe(Flag.withMetavar("VND"), Flag.filterMap(amountOf, wantedFor))

/** Who acts, in the ledger and the audit log. */
export const actor = "cli"
