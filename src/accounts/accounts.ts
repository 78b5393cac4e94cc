/** Opening, finding, disabling and enabling accounts, and the role that their owners have in the staff. */
import { Clock, Effect, Schema } from "effect"
import { amountVndMax } from "../domain/field-limits.ts"
import { type AccountId, makeAccountId } from "../domain/ids.ts"
import { formatVnd, fromVnd, type MicroVnd } from "../domain/money.ts"
import type { StaffRole } from "../domain/staff-roles.ts"
import * as AccountStore from "../storage/AccountStore.ts"
import { changeAddress } from "../storage/people/change-person.ts"
import * as EraseAccount from "../storage/people/erase-account.ts"
import { Database } from "../storage/Database.ts"
import { awaitNodes } from "./await-nodes.ts"
import { BadText, checkOwnEmail } from "./check-text.ts"

export class AccountNotFound extends Schema.TaggedError<AccountNotFound>()("AccountNotFound", {
  account: Schema.String
}) {
  override get message() {
    return `There is no account ${this.account}`
  }
}

/** By its founder: what comes in would be nobody's to spend. */
export class AccountClosed extends Schema.TaggedError<AccountClosed>()("AccountClosed", {
  account: Schema.String
}) {
  override get message() {
    return `The account ${this.account} has been closed by its owner and takes no money: enable it first`
  }
}

/** What is spent meanwhile must still be somebody's. */
export class AccountActive extends Schema.TaggedError<AccountActive>()("AccountActive", {
  account: Schema.String
}) {
  override get message() {
    return `The account ${this.account} is active: disable it first`
  }
}

export class EmailTaken extends Schema.TaggedError<EmailTaken>()("EmailTaken", { email: Schema.String }) {
  override get message() {
    return `There is already an account with the email ${this.email}`
  }
}

export class LastOwner extends Schema.TaggedError<LastOwner>()("LastOwner", {}) {
  override get message() {
    return "Nobody else who can sign in is an owner: make somebody one first"
  }
}

/** No account is ever given more at once: a slip of the finger must not fit. */
export const creditMax: MicroVnd = fromVnd(BigInt(amountVndMax))

export interface AccountRequest {
  readonly email: string
  readonly role?: StaffRole | undefined
  readonly credit?: MicroVnd
  readonly actor: string
}

export const createAccount = Effect.fn("createAccount")(function* (request: AccountRequest) {
  const email = checkOwnEmail(request.email)
  if (typeof email !== "string") return yield* email
  const credit = request.credit ?? 0n
  if (credit < 0n || credit > creditMax) {
    return yield* new BadText({
      what: "credit",
      reason: `must be an amount from 0 to ${formatVnd(creditMax)} VND`
    })
  }
  const database = yield* Database
  const accountId = makeAccountId(yield* Clock.currentTimeMillis)
  const created = yield* database.run("create account", (sql) =>
    AccountStore.insertAccount(sql, {
      accountId,
      email,
      role: request.role,
      credit,
      actor: request.actor
    })
  )
  if (!created) return yield* new EmailTaken({ email })
  return { accountId, email, balance: credit }
})

/** By email or id. */
export const findAccount = Effect.fn("findAccount")(function* (emailOrId: string) {
  const database = yield* Database
  const account = yield* database.run("find account", (sql) => AccountStore.findAccount(sql, emailOrId))
  return account ?? (yield* new AccountNotFound({ account: emailOrId }))
})

/** For whoever can not sign in with theirs, or gets no mail there. Nobody has shown yet that the new one is theirs. */
export const setAddress = Effect.fn("setAddress")(function* (
  accountId: AccountId,
  address: string,
  actor: string
) {
  const text = checkOwnEmail(address)
  if (typeof text !== "string") return yield* text
  const email = text.toLowerCase()
  const database = yield* Database
  const isTheirs = yield* database.run("set address", (sql) =>
    changeAddress(sql, { accountId, email, isVerified: false, actor })
  )
  return isTheirs ? email : yield* new EmailTaken({ email })
})

/** Once this returns, no node admits a call of a disabled account. */
export const setAccountStatus = Effect.fn("setAccountStatus")(function* (
  accountId: AccountId,
  status: AccountStore.AccountStatus,
  actor: string
) {
  const database = yield* Database
  const outcome = yield* database.run("set account status", (sql) =>
    AccountStore.setAccountStatus(sql, accountId, status, actor)
  )
  if (outcome === "no account") return yield* new AccountNotFound({ account: accountId })
  if (outcome === "last owner") return yield* new LastOwner()
  yield* awaitNodes(outcome)
})

/** Of an account that is disabled or closed, all that names or reaches its person. */
export const eraseAccount = Effect.fn("eraseAccount")(function* (accountId: AccountId, actor: string) {
  const database = yield* Database
  const outcome = yield* database.run("erase account", (sql) =>
    EraseAccount.eraseAccount(sql, accountId, actor)
  )
  if (outcome === "no account") return yield* new AccountNotFound({ account: accountId })
  if (outcome === "active") return yield* new AccountActive({ account: accountId })
  yield* awaitNodes(outcome)
})

/** Gives a role in the staff or, with `undefined`, takes it; in force at once, since each request asks the database. */
export const setStaffRole = Effect.fn("setStaffRole")(function* (
  accountId: AccountId,
  role: StaffRole | undefined,
  actor: string
) {
  const database = yield* Database
  const outcome = yield* database.run("set staff role", (sql) =>
    AccountStore.setStaffRole(sql, accountId, role, actor)
  )
  if (outcome === "no account") return yield* new AccountNotFound({ account: accountId })
  if (outcome === "last owner") return yield* new LastOwner()
})
