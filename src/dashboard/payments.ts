/** Tells whoever watches an order that it was paid, on whichever node the news came in. */
import type { Listener } from "../storage/Database.ts"
import { topUpChannel } from "../storage/TopUpStore.ts"

export interface Payments {
  /** Calls `listener` at each payment of the order until the answer is called. */
  readonly watch: (orderId: string, listener: () => void) => () => void
}

export const makePayments = (): { readonly payments: Payments; readonly listener: Listener } => {
  const watchers = new Map<string, Set<() => void>>()
  const payments: Payments = {
    watch: (orderId, listener) => {
      const listeners = watchers.get(orderId) ?? new Set()
      watchers.set(orderId, listeners.add(listener))
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0 && watchers.get(orderId) === listeners) watchers.delete(orderId)
      }
    }
  }
  const listener: Listener = {
    channels: {
      [topUpChannel]: (orderId) => watchers.get(orderId)?.forEach((listener) => listener())
    },
    // After a lost connection nobody knows what was missed: everyone looks again.
    onListening: () => watchers.forEach((listeners) => listeners.forEach((listener) => listener()))
  }
  return { payments, listener }
}
