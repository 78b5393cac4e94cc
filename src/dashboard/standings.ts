/** Tells whoever answers for long that somebody's role in an account has changed, on whichever node that was done. */
import type { Listener } from "../storage/Database.ts"
import { membersChannel } from "../storage/MemberStore.ts"

export interface Standings {
  /** Calls `listener` whenever what this person may do for the account may have changed, until the answer is called. */
  readonly watch: (accountId: string, personId: string, listener: () => void) => () => void
}

export const makeStandings = (): { readonly standings: Standings; readonly listener: Listener } => {
  const watchers = new Map<string, Set<() => void>>()
  const standings: Standings = {
    watch: (accountId, personId, listener) => {
      const name = `${accountId} ${personId}`
      const listeners = watchers.get(name) ?? new Set()
      watchers.set(name, listeners.add(listener))
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0 && watchers.get(name) === listeners) watchers.delete(name)
      }
    }
  }
  const listener: Listener = {
    channels: { [membersChannel]: (name) => watchers.get(name)?.forEach((listener) => listener()) },
    // After a lost connection nobody knows what was missed: everyone looks again.
    onListening: () => watchers.forEach((listeners) => listeners.forEach((listener) => listener()))
  }
  return { standings, listener }
}
