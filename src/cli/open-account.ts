/** Opens an account and, where wanted, its way into the dashboard. */
import { Effect, Redacted } from "effect"
import { type AccountRequest, createAccount } from "../accounts/accounts.ts"
import { checkPassword, setPassword } from "../accounts/set-password.ts"
import { Config } from "../config.ts"
import { DatabaseUrl } from "../storage/DatabaseUrl.ts"
import { withDatabase } from "./with-database.ts"

export const openAccount = Effect.fnUntraced(function* (
  request: AccountRequest & { readonly password: string | undefined }
) {
  const { password } = request
  if (password !== undefined) yield* checkPassword(password)
  const account = yield* createAccount(request)
  if (password !== undefined) {
    const { publicUrl } = yield* (yield* Config).get
    const { url } = yield* DatabaseUrl
    yield* setPassword({ ...account, password, publicUrl, databaseUrl: Redacted.value(url) })
  }
  return account
}, withDatabase)
