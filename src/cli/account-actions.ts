/** What the account commands do; apart from them, since it loads much that `--help` does not need. */
import { Effect } from "effect"
import {
  type AccountRequest,
  createAccount,
  eraseAccount,
  findAccount,
  setAccountStatus,
  setAddress,
  setStaffRole
} from "../accounts/accounts.ts"
import { checkPassword, makePasswordLink, setPassword } from "../accounts/set-password.ts"
import { Config } from "../config.ts"
import { localUrl } from "../config/load-settings.ts"
import type { StaffRole } from "../domain/staff-roles.ts"
import type { Account, AccountStatus } from "../storage/AccountStore.ts"
import { Database } from "../storage/Database.ts"
import { readDashboardUrl } from "../storage/SettingsStore.ts"
import { resetSecondFactors } from "../storage/people/second-factors.ts"
import { withDatabase } from "./with-database.ts"

export const openAccount = Effect.fnUntraced(function* (
  request: AccountRequest & { readonly password: string | undefined }
) {
  const { password } = request
  if (password !== undefined) yield* checkPassword(password)
  const account = yield* createAccount(request)
  return password === undefined ? account : yield* letIn(account, password, request.actor)
}, withDatabase)

/** Sets the password, or answers with a link by which its owner can. */
export const givePassword = Effect.fnUntraced(function* (
  emailOrId: string,
  password: string | undefined,
  actor: string
) {
  if (password !== undefined) yield* checkPassword(password)
  return yield* letIn(yield* findAccount(emailOrId), password, actor)
}, withDatabase)

export const giveRole = Effect.fnUntraced(function* (
  emailOrId: string,
  role: StaffRole | undefined,
  actor: string
) {
  const account = yield* findAccount(emailOrId)
  yield* setStaffRole(account.accountId, role, actor)
  return account
}, withDatabase)

export const giveAddress = Effect.fnUntraced(function* (emailOrId: string, address: string, actor: string) {
  const { accountId, email: former } = yield* findAccount(emailOrId)
  return { former, email: yield* setAddress(accountId, address, actor) }
}, withDatabase)

/** For whoever has lost them. */
export const forgetSecondFactors = Effect.fnUntraced(function* (emailOrId: string, actor: string) {
  const account = yield* findAccount(emailOrId)
  const database = yield* Database
  yield* database.run("reset second factors", (sql) => resetSecondFactors(sql, account.accountId, actor))
  return account
}, withDatabase)

export const switchAccount = Effect.fnUntraced(function* (
  emailOrId: string,
  status: AccountStatus,
  actor: string
) {
  const account = yield* findAccount(emailOrId)
  yield* setAccountStatus(account.accountId, status, actor)
  return account
}, withDatabase)

export const forgetPerson = Effect.fnUntraced(function* (emailOrId: string, actor: string) {
  const account = yield* findAccount(emailOrId)
  yield* eraseAccount(account.accountId, actor)
  return account
}, withDatabase)

/** What is set for this command, or else where the server said that it is: it may have been given another port. */
const addressOfLinks = Effect.gen(function* () {
  const { host, port, publicUrl } = yield* (yield* Config).get
  if (publicUrl !== localUrl(host, port)) return publicUrl
  const database = yield* Database
  return (yield* database.run("read address", readDashboardUrl)) ?? publicUrl
})

const letIn = Effect.fnUntraced(function* <Found extends Account>(
  account: Found,
  password: string | undefined,
  actor: string
) {
  if (password === undefined)
    return { ...account, link: yield* makePasswordLink(account, yield* addressOfLinks) }
  yield* setPassword(account, password, actor)
  return { ...account, link: undefined }
})
