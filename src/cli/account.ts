/** `tollgate account …` */
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { formatVnd } from "../domain/money.ts"
import { actor, amount, json } from "./flags.ts"
import { answer } from "./output.ts"

const create = Command.make(
  "create",
  {
    email: Flag.String("email").pipe(Flag.withDescription("Must not belong to another account")),
    password: Flag.String("password").pipe(Flag.withDescription("For the dashboard"), Flag.optional),
    credit: amount("credit").pipe(Flag.withDescription("What the wallet starts with"), Flag.withDefault(0n)),
    operator: Flag.Boolean("operator").pipe(
      Flag.withDescription("May administer the service"),
      Flag.withDefault(false)
    ),
    json
  },
  Effect.fnUntraced(function* (input) {
    const { openAccount } = yield* Effect.promise(() => import("./open-account.ts"))
    const { accountId, balance, email } = yield* openAccount({
      email: input.email,
      password: Option.getOrUndefined(input.password),
      credit: input.credit,
      isOperator: input.operator,
      actor
    })
    const value = { account_id: accountId, email, balance_vnd: formatVnd(balance) }
    yield* answer(
      input.json,
      value,
      () => `Created account ${accountId} for ${email} with ${value.balance_vnd} VND`
    )
  })
).pipe(Command.withDescription("Open an account"))

export const account = Command.make("account").pipe(
  Command.withDescription("Accounts"),
  Command.withSubcommands([create])
)
