/** Proves the books: balances, entries, calls and sums must all tell the same story. */
import { Effect } from "effect"
import { type AuditFindings, type AuditScope, auditBooks } from "../storage/audit/audit-books.ts"
import { Database, longWorkMs } from "../storage/Database.ts"

export interface AuditReport extends AuditFindings {
  readonly ok: boolean
}

/** Looks at one moment of the database, also while calls are being charged. At most 100 violations are named. */
export const audit = Effect.fn("audit")(function* (scope: AuditScope = "open") {
  const database = yield* Database
  const findings = yield* database.run("audit", (sql) => auditBooks(sql, scope), longWorkMs)
  return { ok: findings.violations.length === 0, ...findings } satisfies AuditReport
})
