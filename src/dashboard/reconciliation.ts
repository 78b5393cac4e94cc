/** Every few minutes asks the bank's messenger what its webhook did not deliver; one node at a time. */
import type { Agent } from "undici"
import { type BankAdapter, whyUnasked } from "../accounts/banks/bank-transfer.ts"
import { reconcileBank } from "../accounts/banks/reconcile-bank.ts"
import { outwardAgent } from "../outgoing/connect-outward.ts"
import { advisoryLocks } from "../storage/advisory-locks.ts"
import type { DashboardContext } from "./DashboardContext.ts"

const intervalMs = 5 * 60_000

/**
 * So long the connection may rest that has the lock, beyond what a bank is waited for. The lock of a node that is frozen, or whose machine is
 * gone, would else keep the others from asking for as long as the server takes to miss it: two hours.
 */
const silenceMsMax = 30_000

/** The answer stops it. */
export const startReconciliation = (context: DashboardContext): (() => void) => {
  const stopped = new AbortController()
  const agent = outwardAgent(context.settings.proxies)
  const reconcile = () =>
    context.banks.forEach((adapter) => void reconcileOne(context, adapter, agent, stopped.signal))
  const timer = setInterval(reconcile, intervalMs)
  reconcile()
  return () => {
    clearInterval(timer)
    stopped.abort()
    void agent.destroy()
  }
}

const reconcileOne = async (
  context: DashboardContext,
  { list, name, provider, watchesAccount }: BankAdapter,
  agent: Agent,
  signal: AbortSignal
): Promise<void> => {
  const ourAccount = context.bank?.account
  if (list === undefined || (watchesAccount && ourAccount === undefined)) return
  await context
    .query("reconcile transfers", async (sql) => {
      const [lock] = await sql<
        [{ taken: boolean }]
      >`select pg_try_advisory_lock(${advisoryLocks.reconciliation}, 0) as taken`
      if (!lock.taken) return
      try {
        await sql`select set_config('idle_session_timeout', ${String(silenceMsMax)}, false)`
        const nowMs = Date.now()
        const { missed } = await reconcileBank(sql, { provider, list, ourAccount, agent, nowMs, signal })
        if (missed > 0)
          context.warn(
            `${name}'s webhook had not told of ${missed} ${missed === 1 ? "transfer" : "transfers"}; received now`
          )
      } finally {
        // With the connection its locks are gone.
        await sql`select pg_advisory_unlock_all(), set_config('idle_session_timeout', '0', false)`.catch(
          () => undefined
        )
      }
    })
    .catch((cause: unknown) => context.warn(`Could not ask ${name} for transfers: ${whyUnasked(cause)}`))
}
