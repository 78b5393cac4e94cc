/** `tollgate wallet …` */
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { randomUUID } from "node:crypto"
import type { WalletState } from "../accounts/wallet-credit.ts"
import { formatVnd } from "../domain/money.ts"
import { showVnd } from "../domain/typed-money.ts"
import { account, actor, amount, json } from "./flags.ts"
import { answer } from "./output.ts"

const actions = Effect.promise(() => import("./wallet-actions.ts"))

const show = Command.make(
  "show",
  { account, json },
  Effect.fnUntraced(function* (input) {
    const { showWallet } = yield* actions
    yield* printWallet(input.json, yield* showWallet(input.account))
  })
).pipe(Command.withDescription("Show what a wallet has, and how much of it calls under way hold"))

const credit = Command.make(
  "credit",
  {
    account,
    amount: amount("amount").pipe(Flag.withDescription("Negative to correct an earlier credit")),
    reason: Flag.String("reason").pipe(Flag.withDescription("Stands in the ledger")),
    id: Flag.String("id").pipe(
      Flag.withDescription("Names the credit: repeated under its name it counts once"),
      Flag.filter(
        ({ length }) => length >= 16 && length <= 64,
        () => "16 to 64 characters, which no other credit has"
      ),
      Flag.optional
    ),
    force: Flag.Boolean("force").pipe(
      Flag.withDescription(
        "Let a correction take the balance below zero, or below what calls under way hold"
      ),
      Flag.withDefault(false)
    ),
    json
  },
  Effect.fnUntraced(function* (input) {
    const { creditWallet } = yield* actions
    const { amount, force, reason } = input
    const creditId = Option.getOrElse(input.id, () => randomUUID())
    const credited = yield* creditWallet(input.account, { amount, reason, force, actor, creditId })
    const change = `${amount < 0n ? "" : "+"}${showVnd(amount, "en")} VND`
    yield* printWallet(input.json, credited, credited.isRepeated ? "booked before" : change)
  })
).pipe(Command.withDescription("Credit or correct a wallet"))

export const wallet = Command.make("wallet").pipe(
  Command.withDescription("Wallets"),
  Command.withSubcommands([show, credit])
)

/** `cause`: what made it so. */
const printWallet = (json: boolean, { balance, held }: WalletState, cause?: string) =>
  answer(json, { balance_vnd: formatVnd(balance), held_vnd: formatVnd(held) }, () => {
    const words = `balance ${showVnd(balance, "en")} VND, of which ${showVnd(held, "en")} VND are held`
    return cause === undefined ? words : `${cause} → ${words}`
  })
