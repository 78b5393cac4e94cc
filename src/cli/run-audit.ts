/** The audit with the database it needs. */
import { audit } from "../ledger/audit.ts"
import type { AuditScope } from "../storage/audit-books.ts"
import { withDatabase } from "./with-database.ts"

export { violationsMax } from "../storage/audit-checks.ts"

export const runAudit = (scope: AuditScope) => withDatabase(audit(scope))
