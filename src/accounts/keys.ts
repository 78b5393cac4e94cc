/** Creating, listing, showing, changing and revoking keys. */
import { Clock, Effect, Schema } from "effect"
import { generateKeySecret } from "../domain/api-key.ts"
import { overlapDaysMax } from "../domain/field-limits.ts"
import { type AccountId, makeKeyId } from "../domain/ids.ts"
import { keyHint } from "../domain/key-hint.ts"
import { Database } from "../storage/Database.ts"
import { rotateSecret, updateKey as updateStored } from "../storage/keys/change-key.ts"
import type { KeyChange, KeySettings, StoredSecret } from "../storage/keys/key-columns.ts"
import * as KeyStore from "../storage/keys/KeyStore.ts"
import type { Asker } from "../storage/still-asks.ts"
import { AccountNotFound } from "./accounts.ts"
import { awaitNodes } from "./await-nodes.ts"
import { checkSettings, noBudget, wholeSettings } from "./check-key-settings.ts"
import { BadText } from "./check-text.ts"
import { hashSecret } from "./hash-secret.ts"
import type { Key } from "../storage/keys/KeyStore.ts"
import { keyPlace, openText, sealText } from "./seal-key.ts"
import { SealKeys } from "./SealKeys.ts"

export type { KeyChange, KeySettings } from "../storage/keys/key-columns.ts"
export type { Key } from "../storage/keys/KeyStore.ts"

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

export class KeyRevoked extends Schema.TaggedError<KeyRevoked>()("KeyRevoked", { keyId: Schema.String }) {
  override get message() {
    return `The key ${this.keyId} is revoked`
  }
}

export class SecretReplaced extends Schema.TaggedError<SecretReplaced>()("SecretReplaced", {}) {
  override get message() {
    return "The secret was replaced by another one since it was looked at"
  }
}

export interface KeyRequest extends Omit<KeyChange, "name">, Asker {
  readonly accountId: AccountId
  readonly name: string
  /** The person who makes it, where one does. */
  readonly madeBy?: AccountId
}

/** The secret is answered here and, by `showKey`, as long as the key is active. */
export const createKey = Effect.fn("createKey")(function* (request: KeyRequest) {
  const { accountId, actor, madeBy, sessionId, ...asked } = request
  const settings = yield* checkSettings({
    ...nothingSet,
    ...(yield* wholeSettings(asked, null)),
    name: asked.name
  })
  const database = yield* Database
  const keyId = makeKeyId(yield* Clock.currentTimeMillis)
  const { secret, stored } = yield* makeSecret({ accountId, keyId })
  const outcome = yield* database.run("create key", (sql) =>
    KeyStore.insertKey(sql, { keyId, accountId, madeBy, ...settings, ...stored, actor, sessionId })
  )
  if (outcome === "no account") return yield* new AccountNotFound({ account: accountId })
  if (outcome === "account disabled") return yield* new AccountDisabled()
  if (outcome === "too many") return yield* new TooManyKeys()
  return { keyId, secret, name: settings.name }
})

const nothingSet: Omit<KeySettings, "name"> = {
  rateLimitPerMinute: 0,
  budget: null,
  models: null,
  endpoints: null,
  allowedIps: null,
  expiresAt: null,
  paused: false
}

const makeSecret = Effect.fnUntraced(function* (key: Pick<Key, "accountId" | "keyId">) {
  const { current } = yield* SealKeys
  const secret = generateKeySecret()
  const stored: StoredSecret = {
    secretHash: hashSecret(secret),
    sealedSecret: sealText(current, keyPlace(key), secret),
    sealKeyId: current.id,
    hint: keyHint(secret)
  }
  return { secret, stored }
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
  const secret = openText(sealKey, keyPlace(key), sealed.sealed)
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

/** What is not given stays as it is, also of a budget. Once this returns, every node goes by it. */
export const updateKey = Effect.fn("updateKey")(function* (
  keyId: string,
  asked: KeyChange,
  actor: string,
  owner?: AccountId
) {
  const key = yield* findKey(keyId, owner)
  const settings = yield* checkSettings(yield* wholeSettings(asked, key.budget))
  if (Object.keys(settings).length === 0) return
  const database = yield* Database
  // Of a budget what was asked for: another part of it may be another by now.
  const change = asked.budget == null ? settings : { ...settings, budget: asked.budget }
  const outcome = yield* database.run("update key", (sql) => updateStored(sql, key.keyId, change, actor))
  if (outcome === "revoked") return yield* new KeyRevoked({ keyId })
  if (outcome === "no budget") return yield* noBudget
  yield* awaitNodes(outcome)
})

const daySeconds = 86_400

export interface RotationRequest {
  /** How long the present secret lives on. */
  readonly overlapSeconds: number
  /** Of the secret that was seen, which must be the present one still. */
  readonly formerHint?: string | undefined
  readonly actor: string
  readonly owner?: AccountId
}

/** A new secret for the same key. Without an overlap, no node takes the former one once this returns. */
export const rotateKey = Effect.fn("rotateKey")(function* (
  keyId: string,
  { actor, formerHint, overlapSeconds, owner }: RotationRequest
) {
  const key = yield* findKey(keyId, owner)
  if (
    !Number.isSafeInteger(overlapSeconds) ||
    overlapSeconds < 0 ||
    overlapSeconds > overlapDaysMax * daySeconds
  ) {
    return yield* new BadText({ what: "overlap", reason: `must be from 0 to ${overlapDaysMax} days` })
  }
  const database = yield* Database
  const { secret, stored } = yield* makeSecret(key)
  const outcome = yield* database.run("rotate key", (sql) =>
    rotateSecret(sql, { ...key, secret: stored, overlapSeconds, formerHint, actor })
  )
  if (outcome === "revoked") return yield* new KeyRevoked({ keyId })
  if (outcome === "replaced") return yield* new SecretReplaced()
  yield* awaitNodes(outcome)
  return { keyId: key.keyId, name: key.name, secret }
})
