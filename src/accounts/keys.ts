/** Creating, listing, showing and revoking keys. */
import { Clock, Effect, Schema } from "effect"
import { generateKeySecret } from "../domain/api-key.ts"
import { type AccountId, makeKeyId } from "../domain/ids.ts"
import { Database } from "../storage/Database.ts"
import * as KeyStore from "../storage/KeyStore.ts"
import { AccountNotFound } from "./accounts.ts"
import { awaitNodes } from "./await-nodes.ts"
import { BadText, checkText } from "./check-text.ts"
import { hashKey, keyHint } from "./hash-key.ts"
import { openSecret, sealSecret } from "./seal-key.ts"
import { SealKeys } from "./SealKeys.ts"

export type { Key } from "../storage/KeyStore.ts"

export class KeyNotFound extends Schema.TaggedError<KeyNotFound>()("KeyNotFound", { keyId: Schema.String }) {
  override get message() {
    return `There is no key ${this.keyId}`
  }
}

export class TooManyKeys extends Schema.TaggedError<TooManyKeys>()("TooManyKeys", {}) {
  override get message() {
    return `The account has ${KeyStore.activeKeysMax} active keys, which is the most it may have: revoke one first`
  }
}

export class AccountDisabled extends Schema.TaggedError<AccountDisabled>()("AccountDisabled", {}) {
  override get message() {
    return "The account is disabled"
  }
}

export class KeyNotShowable extends Schema.TaggedError<KeyNotShowable>()("KeyNotShowable", {
  keyId: Schema.String,
  reason: Schema.String
}) {
  override get message() {
    return `The key ${this.keyId} can not be shown: ${this.reason}`
  }
}

const rateLimitMax = 1_000_000

export interface KeyRequest {
  readonly accountId: AccountId
  readonly name: string
  /** Calls per minute; 0 is no limit. */
  readonly rateLimitPerMinute?: number
  readonly actor: string
}

/** The secret is answered here and, by `showKey`, as long as the key is active. */
export const createKey = Effect.fn("createKey")(function* (request: KeyRequest) {
  const name = checkText("name", request.name, 100)
  if (typeof name !== "string") return yield* name
  const rateLimitPerMinute = request.rateLimitPerMinute ?? 0
  yield* checkRateLimit(rateLimitPerMinute)
  const database = yield* Database
  const { current } = yield* SealKeys
  const keyId = makeKeyId(yield* Clock.currentTimeMillis)
  const secret = generateKeySecret()
  const outcome = yield* database.run("create key", (sql) =>
    KeyStore.insertKey(sql, {
      keyId,
      accountId: request.accountId,
      name,
      secretHash: hashKey(secret),
      sealedSecret: sealSecret(current, { accountId: request.accountId, keyId }, secret),
      sealKeyId: current.id,
      hint: keyHint(secret),
      rateLimitPerMinute,
      actor: request.actor
    })
  )
  if (outcome === "no account") return yield* new AccountNotFound({ account: request.accountId })
  if (outcome === "account disabled") return yield* new AccountDisabled()
  if (outcome === "too many") return yield* new TooManyKeys()
  return { keyId, secret, name }
})

export const listKeys = Effect.fn("listKeys")(function* (accountId: AccountId) {
  const database = yield* Database
  return yield* database.run("list keys", (sql) => KeyStore.listKeys(sql, accountId))
})

/** `owner` limits the search to one account's keys, for callers who may only see their own. */
export const findKey = Effect.fn("findKey")(function* (keyId: string, owner?: AccountId) {
  const database = yield* Database
  const key = yield* database.run("find key", (sql) => KeyStore.findKeyById(sql, keyId))
  if (key === undefined || (owner !== undefined && key.accountId !== owner)) {
    return yield* new KeyNotFound({ keyId })
  }
  return key
})

/** The key together with its secret. That it was shown is written down. */
export const showKey = Effect.fn("showKey")(function* (keyId: string, actor: string, owner?: AccountId) {
  const key = yield* findKey(keyId, owner)
  if (key.status === "revoked") {
    return yield* new KeyNotShowable({ keyId, reason: "it is revoked, and its secret is deleted" })
  }
  const database = yield* Database
  const { find } = yield* SealKeys
  const sealed = yield* database.run("show key", (sql) => KeyStore.takeSealedSecret(sql, key.keyId, actor))
  if (sealed === undefined) {
    return yield* new KeyNotShowable({ keyId, reason: "it was stored without its secret" })
  }
  const sealKey = find(sealed.sealKeyId)
  if (sealKey === undefined) {
    const reason = `it was sealed with seal key ${sealed.sealKeyId}, which is not configured`
    return yield* new KeyNotShowable({ keyId, reason })
  }
  const secret = openSecret(sealKey, key, sealed.sealed)
  if (secret === undefined) {
    return yield* new KeyNotShowable({ keyId, reason: "what is stored of it was tampered with" })
  }
  return { ...key, secret }
})

/** Final. Once this returns, no node admits another call of the key. */
export const revokeKey = Effect.fn("revokeKey")(function* (keyId: string, actor: string, owner?: AccountId) {
  const key = yield* findKey(keyId, owner)
  const database = yield* Database
  const eventId = yield* database.run("revoke key", (sql) => KeyStore.revokeKey(sql, key.keyId, actor))
  if (eventId === undefined) return yield* new KeyNotFound({ keyId })
  yield* awaitNodes(eventId)
})

export const setRateLimit = Effect.fn("setRateLimit")(function* (
  keyId: string,
  perMinute: number,
  actor: string
) {
  yield* checkRateLimit(perMinute)
  const key = yield* findKey(keyId)
  const database = yield* Database
  const eventId = yield* database.run("set rate limit", (sql) =>
    KeyStore.setRateLimit(sql, key.keyId, perMinute, actor)
  )
  if (eventId === undefined) return yield* new KeyNotFound({ keyId })
  yield* awaitNodes(eventId)
})

const checkRateLimit = (perMinute: number): Effect.Effect<void, BadText> =>
  Number.isSafeInteger(perMinute) && perMinute >= 0 && perMinute <= rateLimitMax
    ? Effect.void
    : Effect.fail(
        new BadText({ what: "rate limit", reason: `must be a whole number from 0 to ${rateLimitMax}` })
      )
