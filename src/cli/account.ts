/** `tollgate account …` */
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { formatVnd } from "../domain/money.ts"
import { showVnd } from "../domain/typed-money.ts"
import { staffRoles } from "../domain/staff-roles.ts"
import { account as accountFlag, actor, amount, json } from "./flags.ts"
import { answer } from "./output.ts"

const actions = Effect.promise(() => import("./account-actions.ts"))

const create = Command.make(
  "create",
  {
    email: Flag.String("email").pipe(Flag.withDescription("Must not belong to another account")),
    password: Flag.String("password").pipe(
      Flag.withDescription("For the dashboard, at least 10 characters"),
      Flag.optional
    ),
    credit: amount("credit").pipe(Flag.withDescription("What the wallet starts with"), Flag.withDefault(0n)),
    operator: Flag.Boolean("operator").pipe(
      Flag.withDescription("May do everything in the service, as its owner"),
      Flag.withDefault(false)
    ),
    json
  },
  Effect.fnUntraced(function* (input) {
    const { openAccount } = yield* actions
    const { accountId, balance, email } = yield* openAccount({
      email: input.email,
      password: Option.getOrUndefined(input.password),
      credit: input.credit,
      role: input.operator ? "owner" : undefined,
      actor
    })
    const value = { account_id: accountId, email, balance_vnd: formatVnd(balance) }
    yield* answer(input.json, value, () => {
      const created = `Created account ${accountId} for ${email} with ${showVnd(balance, "en")} VND`
      if (Option.isSome(input.password)) return created
      return `${created}\nNobody can sign in to it yet: tollgate account set-password --account ${email}`
    })
  })
).pipe(Command.withDescription("Open an account"))

const setPassword = Command.make(
  "set-password",
  {
    account: accountFlag,
    password: Flag.String("password").pipe(
      Flag.withDescription(
        "At least 10 characters; without it, a link is made by which its owner can choose one"
      ),
      Flag.optional
    ),
    json
  },
  Effect.fnUntraced(function* (input) {
    const { givePassword } = yield* actions
    const { email, link } = yield* givePassword(input.account, Option.getOrUndefined(input.password), actor)
    yield* answer(input.json, { email, link: link ?? null }, () =>
      link === undefined
        ? `${email} signs in with the new password from now on`
        : `Whoever opens this link within the hour can choose a password for ${email}:\n${link}`
    )
  })
).pipe(Command.withDescription("Let an account's owner into the dashboard"))

const setEmail = Command.make(
  "set-email",
  {
    account: accountFlag,
    email: Flag.String("email").pipe(Flag.withDescription("Must not belong to another account")),
    json
  },
  Effect.fnUntraced(function* (input) {
    const { giveAddress } = yield* actions
    const { email, former } = yield* giveAddress(input.account, input.email, actor)
    yield* answer(
      input.json,
      { email, former_email: former },
      () =>
        `The account of ${former} has the address ${email} from now on; links that were made before are void`
    )
  })
).pipe(
  Command.withDescription(
    "Give an account another mail address, for whoever can not sign in with theirs or read its mail"
  )
)

const role = Command.make(
  "role",
  {
    account: Argument.String("account").pipe(Argument.withDescription("The account's email or id")),
    role: Argument.Literals("role", [...staffRoles, "none"]).pipe(
      Argument.withDescription("What its owner may do as one of the staff")
    ),
    json
  },
  Effect.fnUntraced(function* (input) {
    const { giveRole } = yield* actions
    const role = input.role === "none" ? undefined : input.role
    const { email } = yield* giveRole(input.account, role, actor)
    yield* answer(input.json, { email, role: role ?? null }, () =>
      role === undefined ? `${email} has no role in the staff any more` : `${email} has the role ${role}`
    )
  })
).pipe(Command.withDescription("Give an account a role in the staff, or take it"))

const resetSecondFactor = Command.make(
  "reset-second-factor",
  { account: accountFlag, json },
  Effect.fnUntraced(function* (input) {
    const { forgetSecondFactors } = yield* actions
    const { email } = yield* forgetSecondFactors(input.account, actor)
    yield* answer(
      input.json,
      { email },
      () => `${email} signs in by the password alone from now on, and is signed out everywhere`
    )
  })
).pipe(
  Command.withDescription(
    "Forget the authenticator app, recovery codes and passkeys of whoever has lost them"
  )
)

const switching = (
  name: "disable" | "enable",
  {
    done,
    status,
    what
  }: { readonly status: "active" | "disabled"; readonly what: string; readonly done: string }
) =>
  Command.make(
    name,
    { account: accountFlag, json },
    Effect.fnUntraced(function* (input) {
      const { switchAccount } = yield* actions
      const { accountId, email } = yield* switchAccount(input.account, status, actor)
      yield* answer(input.json, { account_id: accountId, email, status }, () => `${email} ${done}`)
    })
  ).pipe(Command.withDescription(what))

const disable = switching("disable", {
  status: "disabled",
  what: "Refuse every call and sign-in of an account, until it is enabled again",
  done: "is disabled: its keys are refused, and nobody signs in to it"
})

const enable = switching("enable", {
  status: "active",
  what: "Open an account again that was disabled or closed",
  done: "is enabled"
})

const erase = Command.make(
  "erase",
  { account: accountFlag, json },
  Effect.fnUntraced(function* (input) {
    const { forgetPerson } = yield* actions
    const { accountId, email } = yield* forgetPerson(input.account, actor)
    yield* answer(
      input.json,
      { account_id: accountId },
      () => `${email} is erased; the books of ${accountId} stay`
    )
  })
).pipe(
  Command.withDescription(
    "Erase what names or reaches the person of an account that is disabled or closed, who asks for it"
  )
)

export const account = Command.make("account").pipe(
  Command.withDescription("Accounts"),
  Command.withSubcommands([create, setPassword, setEmail, role, resetSecondFactor, disable, enable, erase])
)
