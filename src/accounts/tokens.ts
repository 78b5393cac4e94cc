/** Creating, listing and revoking management tokens. */
import { Clock, Effect, Schema } from "effect"
import { nameLengthMax } from "../domain/field-limits.ts"
import { keyHint } from "../domain/key-hint.ts"
import { type AccountId, makeTokenId } from "../domain/ids.ts"
import type { Scope } from "../domain/management-scopes.ts"
import { generateTokenSecret, tokenDaysMax } from "../domain/management-token.ts"
import { Database } from "../storage/Database.ts"
import type { Asker } from "../storage/still-asks.ts"
import * as TokenStore from "../storage/people/TokenStore.ts"
import { AccountNotFound } from "./accounts.ts"
import { BadText, checkText } from "./check-text.ts"
import { hashSecret } from "./hash-secret.ts"
import { AccountDisabled } from "./keys.ts"
import { dayMs } from "../domain/vietnam-days.ts"

export type { Token } from "../storage/people/TokenStore.ts"

export class TokenNotFound extends Schema.TaggedError<TokenNotFound>()("TokenNotFound", {
  tokenId: Schema.String
}) {
  override get message() {
    return `There is no token ${this.tokenId}`
  }
}

export class TooManyTokens extends Schema.TaggedError<TooManyTokens>()("TooManyTokens", {}) {
  override get message() {
    return `The account has ${TokenStore.liveTokensMax} tokens, which is the most it may have: revoke one first`
  }
}

export interface TokenRequest extends Asker {
  readonly accountId: AccountId
  /** The person who makes it, where one does. */
  readonly madeBy?: AccountId
  readonly name: string
  readonly scopes: ReadonlyArray<Scope>
  readonly expiresAt: Date
}

/** The secret is answered here and nowhere else. */
export const createToken = Effect.fn("createToken")(function* (request: TokenRequest) {
  const name = checkText("name", request.name, nameLengthMax)
  if (name instanceof BadText) return yield* name
  const scopes = [...new Set(request.scopes)]
  if (scopes.length === 0) return yield* new BadText({ what: "scopes", reason: "must not be empty" })
  const now = yield* Clock.currentTimeMillis
  const ahead = request.expiresAt.getTime() - now
  if (!(ahead > 0 && ahead <= tokenDaysMax * dayMs))
    return yield* new BadText({ what: "end", reason: `must be within ${tokenDaysMax} days from now` })
  const database = yield* Database
  const secret = generateTokenSecret()
  const { accountId, actor, expiresAt, madeBy, sessionId } = request
  const tokenId = makeTokenId(now)
  const secretHash = hashSecret(secret)
  const token = {
    tokenId,
    accountId,
    madeBy,
    name,
    scopes,
    expiresAt,
    secretHash,
    hint: keyHint(secret),
    actor,
    sessionId
  }
  const outcome = yield* database.run("create token", (sql) => TokenStore.insertToken(sql, token))
  if (outcome === "no account") return yield* new AccountNotFound({ account: accountId })
  if (outcome === "account disabled") return yield* new AccountDisabled()
  if (outcome === "out of role")
    return yield* new BadText({
      what: "scopes",
      reason: "of operators are for operators, as far as their role goes"
    })
  if (outcome === "too many") return yield* new TooManyTokens()
  return { tokenId, secret, name, scopes, expiresAt }
})

export const listTokens = Effect.fn("listTokens")(function* (accountId: AccountId, madeBy?: AccountId) {
  const database = yield* Database
  return yield* database.run("list tokens", (sql) => TokenStore.listTokens(sql, accountId, madeBy))
})

/** Final, and in force at once: each request asks the database. `owner` limits it to one account's tokens, `madeBy` to one person's. */
export const revokeToken = Effect.fn("revokeToken")(function* (
  tokenId: string,
  actor: string,
  owner?: AccountId,
  madeBy?: AccountId
) {
  const database = yield* Database
  const isKnown = yield* database.run("revoke token", (sql) =>
    TokenStore.revokeToken(sql, tokenId, { actor, owner, madeBy })
  )
  if (!isKnown) return yield* new TokenNotFound({ tokenId })
})
