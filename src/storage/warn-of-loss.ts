/** Tells the operator of settings by which PostgreSQL may lose what it has said to be committed. */
import { Effect } from "effect"
import { Database } from "./Database.ts"

export const warnOfLoss = Effect.gen(function* () {
  const database = yield* Database
  const risky = yield* database.run(
    "read how safe commits are",
    (sql) => sql<Array<{ name: string }>>`
      select name from pg_settings
      where name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off' order by name
    `
  )
  if (risky.length === 0) return
  const names = risky.map(({ name }) => name).join(", ")
  yield* Effect.logWarning(
    `PostgreSQL has ${names} off: what was charged last may be lost with its machine, though callers have their answers`
  )
}).pipe(
  // The server serves all the same.
  Effect.catchTag("DatabaseError", ({ message }) =>
    Effect.logWarning(`Whether commits last is not known: ${message}`)
  )
)
