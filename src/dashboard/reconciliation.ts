/** Every few minutes asks the bank's messenger what its webhook did not deliver; one node at a time. */
import { reconcileSepay, sepayListUrl } from "../accounts/reconcile-sepay.ts"
import { outwardAgent } from "../outgoing/connect-outward.ts"
import type { DashboardContext } from "./DashboardContext.ts"

const intervalMs = 5 * 60_000
const lockClass = 712_004

/** The answer stops it. */
export const startReconciliation = (context: DashboardContext, listUrl = sepayListUrl): (() => void) => {
  const { bank } = context
  const { apiToken } = context.settings.topUp.sepay
  if (apiToken === undefined || bank === undefined) return () => {}
  const stopped = new AbortController()
  const agent = outwardAgent(context.settings.proxies)
  const access = { baseUrl: listUrl, token: apiToken, bankAccount: bank.account, agent }
  const reconcile = () =>
    context
      .query("reconcile transfers", async (sql) => {
        const [lock] = await sql<[{ taken: boolean }]>`select pg_try_advisory_lock(${lockClass}, 0) as taken`
        if (!lock.taken) return
        try {
          const { missed } = await reconcileSepay(sql, access, Date.now(), stopped.signal)
          if (missed > 0)
            context.warn(
              `SePay's webhook had not told of ${missed} ${missed === 1 ? "transfer" : "transfers"}; received now`
            )
        } finally {
          // With the connection its locks are gone.
          await sql`select pg_advisory_unlock_all()`.catch(() => undefined)
        }
      })
      .catch((cause: unknown) => context.warn(`Could not ask SePay for transfers: ${String(cause)}`))
  const timer = setInterval(() => void reconcile(), intervalMs)
  void reconcile()
  return () => {
    clearInterval(timer)
    stopped.abort()
    void agent.destroy()
  }
}
