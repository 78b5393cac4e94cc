/** The audit with the database it needs. */
import { audit } from "../ledger/audit.ts"
import { withDatabase } from "./with-database.ts"

export { violationsMax } from "../storage/audit-books.ts"

export const runAudit = withDatabase(audit())
