/** Tells whoever watches an order that it was paid, on whichever node the news came in. */
import type { Sql } from "../storage/Database.ts"
import { topUpChannel } from "../storage/TopUpStore.ts"

export interface Payments {
  /** Calls `listener` at each payment of the order until the answer is called. */
  readonly watch: (orderId: string, listener: () => void) => () => void
  readonly close: () => Promise<void>
}

export const listenForPayments = async (sql: Sql): Promise<Payments> => {
  const watchers = new Map<string, Set<() => void>>()
  const tell = (orderId: string) => watchers.get(orderId)?.forEach((listener) => listener())
  // After a lost connection nobody knows what was missed: everyone looks again.
  const tellAll = () => watchers.forEach((listeners) => listeners.forEach((listener) => listener()))
  const subscription = await sql.listen(topUpChannel, tell, tellAll)
  return {
    watch: (orderId, listener) => {
      const listeners = watchers.get(orderId) ?? new Set()
      watchers.set(orderId, listeners.add(listener))
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0 && watchers.get(orderId) === listeners) watchers.delete(orderId)
      }
    },
    close: () => subscription.unlisten()
  }
}
