/** What the key commands do; apart from them, since it loads much that `--help` does not need. */
import { Effect } from "effect"
import { findAccount } from "../accounts/accounts.ts"
import * as Keys from "../accounts/keys.ts"
import { orNotKnown } from "./not-known.ts"
import { warnOfOtherSealKey } from "./warn-of-other-settings.ts"
import { withDatabase } from "./with-database.ts"

export const createKey = Effect.fnUntraced(function* (
  account: string,
  request: Omit<Keys.KeyRequest, "accountId">
) {
  const { accountId } = yield* findAccount(account)
  return yield* Keys.createKey({ ...request, accountId }).pipe(
    orNotKnown("look at `key list` first: repeated, another key is made"),
    Effect.tap(warnOfOtherSealKey)
  )
}, withDatabase)

export const listKeys = Effect.fnUntraced(function* (account: string) {
  const { accountId } = yield* findAccount(account)
  return yield* Keys.listKeys(accountId)
}, withDatabase)

export const showKey = (keyId: string, actor: string) => withDatabase(Keys.showKey(keyId, actor))

export const revokeKey = (keyId: string, actor: string) => withDatabase(Keys.revokeKey(keyId, actor))

/** Answers the key as it is then. */
export const updateKey = (keyId: string, settings: Keys.KeyChange, actor: string) =>
  withDatabase(Effect.andThen(Keys.updateKey(keyId, settings, actor), Keys.findKey(keyId)))

export const rotateKey = (keyId: string, request: Keys.RotationRequest) =>
  withDatabase(
    Keys.rotateKey(keyId, request).pipe(
      orNotKnown(
        `look at \`key show ${keyId}\` first: repeated, a secret that was to live on beside it ends at once`
      ),
      Effect.tap(warnOfOtherSealKey)
    )
  )
