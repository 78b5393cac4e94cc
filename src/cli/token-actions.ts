/** What the token commands do; apart from them, since it loads much that `--help` does not need. */
import { Clock, Effect } from "effect"
import { findAccount } from "../accounts/accounts.ts"
import * as Tokens from "../accounts/tokens.ts"
import { orNotKnown } from "./not-known.ts"
import { withDatabase } from "./with-database.ts"
import { dayMs } from "../domain/vietnam-days.ts"

interface Request extends Pick<Tokens.TokenRequest, "name" | "scopes" | "actor"> {
  /** From now. */
  readonly days: number
}

export const createToken = Effect.fnUntraced(function* (
  account: string,
  { actor, days, name, scopes }: Request
) {
  const { accountId } = yield* findAccount(account)
  const expiresAt = new Date((yield* Clock.currentTimeMillis) + days * dayMs)
  return yield* Tokens.createToken({ accountId, name, scopes, expiresAt, actor }).pipe(
    orNotKnown("look at `token list` first: repeated, another token is made")
  )
}, withDatabase)

export const listTokens = Effect.fnUntraced(function* (account: string) {
  const { accountId } = yield* findAccount(account)
  return yield* Tokens.listTokens(accountId)
}, withDatabase)

export const revokeToken = (tokenId: string, actor: string) =>
  withDatabase(Tokens.revokeToken(tokenId, actor))
