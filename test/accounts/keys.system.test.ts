import { assert, layer } from "@effect/vitest"
import { Effect, Logger } from "effect"
import { createAccount, setAccountStatus } from "../../src/accounts/accounts.ts"
import { hashSecret } from "../../src/accounts/hash-secret.ts"
import { createKey, listKeys, revokeKey, showKey } from "../../src/accounts/keys.ts"
import { makeSealKey } from "../../src/accounts/seal-key.ts"
import { SealKeys } from "../../src/accounts/SealKeys.ts"
import { warnOfForeignSeals } from "../../src/accounts/warn-of-foreign-seals.ts"
import { isWellFormed } from "../../src/domain/api-key.ts"
import { Database } from "../../src/storage/Database.ts"
import { actor, makeKey, messageOf, openAccount } from "./open-account.ts"
import { freshEmail, TestDatabase } from "./test-database.ts"

interface StoredKey {
  readonly secret_hash: Buffer
  readonly sealed_secret: Buffer | null
  readonly seal_key_id: string | null
  readonly slot: number | null
}
const readRow = Effect.fnUntraced(function* (keyId: string) {
  const database = yield* Database
  const [row] = yield* database.run(
    "read key",
    (sql) => sql<[StoredKey]>`
    select secret_hash, sealed_secret, seal_key_id, slot from keys where id = ${keyId}`
  )
  return row
})
const writeSealed = Effect.fnUntraced(function* (
  keyId: string,
  sealed: Uint8Array | null,
  sealKeyId: string | null
) {
  const database = yield* Database
  yield* database.run(
    "write key",
    (sql) => sql`
    update keys set sealed_secret = ${sealed}, seal_key_id = ${sealKeyId} where id = ${keyId}`
  )
})

layer(TestDatabase, { excludeTestServices: true, timeout: "60 seconds" })("keys", (it) => {
  it.effect("40 parallel creations make exactly 10 keys", () =>
    Effect.gen(function* () {
      const { accountId } = yield* openAccount
      const outcomes = yield* Effect.forEach(
        Array.from({ length: 40 }, (_, index) => `key ${index}`),
        (name) => Effect.result(makeKey(accountId, name)),
        { concurrency: "unbounded" }
      )
      const failures = outcomes.flatMap((outcome) => (outcome._tag === "Failure" ? [outcome.failure] : []))
      assert.strictEqual(failures.length, 30)
      assert.deepStrictEqual(new Set(failures.map(({ _tag }) => _tag)), new Set(["TooManyKeys"]))
      assert.strictEqual((yield* listKeys(accountId)).length, 10)
    })
  )

  it.effect("a revoked key frees its place for a new one", () =>
    Effect.gen(function* () {
      const { accountId } = yield* openAccount
      const keys = yield* Effect.forEach(Array.from({ length: 10 }), () => makeKey(accountId))
      assert.match(yield* messageOf(makeKey(accountId)), /10 active keys/)
      yield* revokeKey(keys[3]!.keyId, actor)
      yield* makeKey(accountId, "eleventh")
      const listed = yield* listKeys(accountId)
      assert.deepStrictEqual(
        listed.map(({ status }) => status).filter((status) => status === "revoked").length,
        1
      )
      assert.strictEqual(listed.length, 11)
      assert.match(yield* messageOf(makeKey(accountId)), /10 active keys/)
    })
  )

  it.effect("of very many revoked keys those revoked last are listed, beside all that are active", () =>
    Effect.gen(function* () {
      const { accountId } = yield* openAccount
      const first = yield* makeKey(accountId)
      const database = yield* Database
      yield* database.run(
        "make revoked keys",
        (sql) => sql`
          insert into keys (id, account_id, name, status, secret_hash, hint, created_at, revoked_at)
          select ${accountId} || '-' || n, ${accountId}, n::text, 'revoked',
            sha256(convert_to(${accountId} || n, 'UTF8')), '', now() + n * interval '1 second',
            now() - n * interval '1 second'
          from generate_series(1, 150) as n`
      )
      const listed = yield* listKeys(accountId)
      assert.deepStrictEqual(
        listed.map(({ name }) => name),
        [first.name, ...Array.from({ length: 100 }, (_, place) => String(1 + place))]
      )
    })
  )

  it.effect("a key is stored as hash and sealed secret, and is shown again", () =>
    Effect.gen(function* () {
      const { accountId } = yield* openAccount
      const { keyId, secret } = yield* makeKey(accountId)
      assert.isTrue(isWellFormed(secret))
      const row = yield* readRow(keyId)
      assert.deepStrictEqual(Buffer.from(row.secret_hash), hashSecret(secret))
      assert.isFalse(Buffer.from(row.sealed_secret!).includes(secret))
      const shown = yield* showKey(keyId, actor)
      assert.strictEqual(shown.secret, secret)
      assert.strictEqual(shown.name, "laptop")
    })
  )

  it.effect("revoking deletes what is sealed, and the key can not be shown any more", () =>
    Effect.gen(function* () {
      const { accountId } = yield* openAccount
      const { keyId } = yield* makeKey(accountId)
      yield* revokeKey(keyId, actor)
      const row = yield* readRow(keyId)
      assert.deepStrictEqual([row.sealed_secret, row.seal_key_id, row.slot], [null, null, null])
      assert.match(yield* messageOf(showKey(keyId, actor)), /revoked/)
      yield* revokeKey(keyId, actor)
    })
  )

  it.effect("an older key without its secret can not be shown", () =>
    Effect.gen(function* () {
      const { accountId } = yield* openAccount
      const { keyId } = yield* makeKey(accountId)
      yield* writeSealed(keyId, null, null)
      assert.match(yield* messageOf(showKey(keyId, actor)), /stored without its secret/)
    })
  )

  it.effect("a sealed secret copied to another key does not open there", () =>
    Effect.gen(function* () {
      const { accountId } = yield* openAccount
      const [mine, foreign] = [yield* makeKey(accountId), yield* makeKey((yield* openAccount).accountId)]
      const row = yield* readRow(foreign.keyId)
      yield* writeSealed(mine.keyId, row.sealed_secret, row.seal_key_id)
      assert.match(yield* messageOf(showKey(mine.keyId, actor)), /tampered/)
    })
  )

  it.effect("a sealed secret with a cut tag does not open", () =>
    Effect.gen(function* () {
      const { accountId } = yield* openAccount
      const { keyId } = yield* makeKey(accountId)
      const row = yield* readRow(keyId)
      const sealed = Buffer.from(row.sealed_secret!)
      yield* writeSealed(keyId, Buffer.concat([sealed.subarray(0, 16), sealed.subarray(28)]), row.seal_key_id)
      assert.match(yield* messageOf(showKey(keyId, actor)), /tampered/)
    })
  )

  it.effect("a key sealed with a seal key that is gone says which", () =>
    Effect.gen(function* () {
      const { accountId } = yield* openAccount
      const { keyId } = yield* makeKey(accountId)
      const row = yield* readRow(keyId)
      yield* writeSealed(keyId, row.sealed_secret, "0123456789ab")
      assert.match(yield* messageOf(showKey(keyId, actor)), /0123456789ab, which is not configured/)
    })
  )

  it.effect("an account's own keys are found, another's are not", () =>
    Effect.gen(function* () {
      const [own, other] = [yield* openAccount, yield* openAccount]
      const { keyId } = yield* makeKey(own.accountId)
      assert.match(yield* messageOf(showKey(keyId, actor, other.accountId)), /There is no key/)
      assert.match(yield* messageOf(revokeKey(keyId, actor, other.accountId)), /There is no key/)
      assert.strictEqual((yield* showKey(keyId, actor, own.accountId)).status, "active")
    })
  )

  it.effect("a disabled account gets no keys", () =>
    Effect.gen(function* () {
      const { accountId } = yield* openAccount
      yield* setAccountStatus(accountId, "disabled", actor)
      assert.match(yield* messageOf(makeKey(accountId)), /disabled/)
      yield* setAccountStatus(accountId, "active", actor)
      yield* makeKey(accountId)
    })
  )

  it.effect("names and rate limits are checked", () =>
    Effect.gen(function* () {
      const { accountId } = yield* openAccount
      assert.match(yield* messageOf(makeKey(accountId, "two\nlines")), /control characters/)
      assert.match(
        yield* messageOf(createKey({ accountId, name: "a", rateLimitPerMinute: -1, actor })),
        /rate limit/
      )
      assert.deepStrictEqual(yield* listKeys(accountId), [])
    })
  )

  it.effect("one email, in whatever letters, has one account", () =>
    Effect.gen(function* () {
      const email = freshEmail()
      const emails = [email, email.toUpperCase(), email, email.toUpperCase()]
      const outcomes = yield* Effect.forEach(
        emails,
        (email) => Effect.result(createAccount({ email, actor })),
        {
          concurrency: "unbounded"
        }
      )
      assert.strictEqual(outcomes.filter(({ _tag }) => _tag === "Success").length, 1)
    })
  )

  it.effect("a node is told at its start of the keys it can not show, and of no others", () =>
    Effect.gen(function* () {
      const { accountId } = yield* openAccount
      const [mine, theirs] = [Buffer.alloc(32, 3), Buffer.alloc(32, 4)]
      yield* makeKey(accountId).pipe(Effect.provide(SealKeys.layerOf([theirs])))
      const lines: Array<string> = []
      const logger = Logger.layer([Logger.make(({ message }) => void lines.push(String(message)))])
      const told = (keys: ReadonlyArray<Uint8Array>) =>
        Effect.provide(warnOfForeignSeals, [SealKeys.layerOf(keys), logger])
      yield* told([mine])
      assert.include(lines[0], `1 by ${makeSealKey(theirs).id}`)
      assert.include(lines[0], "TOLLGATE_SEAL_KEY")
      yield* told([mine, theirs])
      assert.notInclude(lines[1] ?? "", makeSealKey(theirs).id)
    })
  )

  it.effect("seal keys can be changed, and what the old one sealed still opens", () =>
    Effect.gen(function* () {
      const [older, newer] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)]
      const { accountId } = yield* openAccount
      const { keyId, secret } = yield* makeKey(accountId).pipe(Effect.provide(SealKeys.layerOf([older])))
      const shown = yield* showKey(keyId, actor).pipe(Effect.provide(SealKeys.layerOf([newer, older])))
      assert.strictEqual(shown.secret, secret)
      assert.match(
        yield* messageOf(showKey(keyId, actor).pipe(Effect.provide(SealKeys.layerOf([newer])))),
        /not configured/
      )
    })
  )
})
