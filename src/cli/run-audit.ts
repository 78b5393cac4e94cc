/** The audit with the database it needs. */
import { audit } from "../ledger/audit.ts"
import type { AuditScope } from "../storage/audit/audit-books.ts"
import { withDatabase } from "./with-database.ts"

export { violationsMax } from "../storage/audit/audit-checks.ts"

export const runAudit = (scope: AuditScope) => withDatabase(audit(scope))
