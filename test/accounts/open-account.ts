/** What most tests of accounts begin with: an account, a key, and the sentence a refusal says. */
import { Effect } from "effect"
import { createAccount } from "../../src/accounts/accounts.ts"
import { createKey } from "../../src/accounts/keys.ts"
import type { SealKeys } from "../../src/accounts/SealKeys.ts"
import type { AccountId } from "../../src/domain/ids.ts"
import type { Database } from "../../src/storage/Database.ts"
import { freshEmail } from "./test-database.ts"

export const actor = "test"
export const openAccount = Effect.suspend(() => createAccount({ email: freshEmail(), actor }))
export const makeKey = (accountId: AccountId, name = "laptop") => createKey({ accountId, name, actor })
export const messageOf = (
  effect: Effect.Effect<unknown, { readonly message: string }, Database | SealKeys>
) => Effect.map(Effect.flip(effect), (error) => error.message)
