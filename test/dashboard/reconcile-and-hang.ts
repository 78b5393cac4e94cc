/** A node that asks a bank, run as a process of its own so that it can be frozen. */
import { startReconciliation } from "../../src/dashboard/reconciliation.ts"
import { openReconciling } from "./open-reconciling.ts"

const [databaseUrl, bankUrl] = process.argv.slice(2) as [string, string]
startReconciliation(await openReconciling(databaseUrl, bankUrl, () => {}))
