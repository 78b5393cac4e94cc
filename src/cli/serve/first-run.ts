/** On an empty database in front of the simulator: a demo account with money and a key, so that a first call just works. */
import { Effect } from "effect"
import { randomBytes } from "node:crypto"
import { createAccount } from "../../accounts/accounts.ts"
import { createKey } from "../../accounts/keys.ts"
import { setPassword } from "../../accounts/set-password.ts"
import type { Settings } from "../../config/settings.ts"
import { fromVnd } from "../../domain/money.ts"
import { Database } from "../../storage/Database.ts"

export interface FirstRun {
  readonly email: string
  readonly password: string
  readonly keyId: string
  readonly secret: string
}

/** As the audit log says who it was. */
const actor = "first run"
const demoEmail = "demo@tollgate.local"
const demoCredit = fromVnd(50_000n)

export const firstRun = Effect.fn("firstRun")(function* (settings: Settings) {
  if (!settings.simulated) return undefined
  const database = yield* Database
  const [row] = yield* database.run("look for accounts", (sql) => sql`select 1 from accounts limit 1`)
  if (row !== undefined) return undefined
  const { accountId } = yield* createAccount({ email: demoEmail, credit: demoCredit, actor })
  const { keyId, secret } = yield* createKey({ accountId, name: "demo", actor })
  const password = randomBytes(9).toString("base64url")
  yield* setPassword({ accountId, email: demoEmail }, password, actor)
  return { email: demoEmail, password, keyId, secret } satisfies FirstRun
})
