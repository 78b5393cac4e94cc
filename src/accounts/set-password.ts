/** Gives an account's owner a password for the dashboard, from outside of it. */
import { hashPassword } from "@better-auth/utils/password"
import { Effect, Schema } from "effect"
import { Database } from "../storage/Database.ts"
import { passwordLengthMax, passwordLengthMin } from "../domain/field-limits.ts"
import type { Account } from "../storage/AccountStore.ts"
import { openPerson, writePassword } from "../storage/people/person-password.ts"
import { BadText } from "./check-text.ts"
import { makeResetLink } from "./reset-link.ts"

export class PasswordNotSet extends Schema.TaggedError<PasswordNotSet>()("PasswordNotSet", {
  cause: Schema.Defect()
}) {
  override get message() {
    return "The account exists, but its password could not be set"
  }
}

/** Whether this password would be taken, asked before anything is created. */
export const checkPassword = (password: string): Effect.Effect<void, BadText> => {
  if (password.length >= passwordLengthMin && password.length <= passwordLengthMax) return Effect.void
  const reason = `must have ${passwordLengthMin} to ${passwordLengthMax} characters`
  return Effect.fail(new BadText({ what: "password", reason }))
}

export const setPassword = Effect.fn("setPassword")(
  function* ({ accountId }: Account, password: string, actor: string) {
    const database = yield* Database
    const hash = yield* Effect.promise(() => hashPassword(password))
    yield* database.run("set password", (sql) => writePassword(sql, accountId, hash, actor))
  },
  Effect.mapError((cause) => new PasswordNotSet({ cause }))
)

/** Where whoever has this link can choose a password, within the hour. */
export const makePasswordLink = Effect.fn("makePasswordLink")(
  function* ({ accountId }: Account, publicUrl: string) {
    const database = yield* Database
    return yield* database.run("make reset link", (sql) =>
      sql.begin(async (transaction) => {
        await openPerson(transaction, accountId)
        return await makeResetLink(transaction, accountId, publicUrl)
      })
    )
  },
  Effect.mapError((cause) => new PasswordNotSet({ cause }))
)
