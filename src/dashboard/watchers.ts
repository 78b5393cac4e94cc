/** Tells whoever waits for news of something that there are some, on whichever node they came in. */
import type { Listener } from "../storage/Database.ts"

export interface Watchers {
  /** Calls `look` whenever there may be news of what has this name, until the answer is called. */
  readonly watch: (name: string, look: () => void) => () => void
}

/** Of the channel whose messages are names. */
export const makeWatchers = (channel: string): Watchers & { readonly listener: Listener } => {
  const watching = new Map<string, Set<() => void>>()
  return {
    watch: (name, look) => {
      const looks = watching.get(name) ?? new Set()
      watching.set(name, looks.add(look))
      return () => {
        looks.delete(look)
        if (looks.size === 0 && watching.get(name) === looks) watching.delete(name)
      }
    },
    listener: {
      channels: { [channel]: (name) => watching.get(name)?.forEach((look) => look()) },
      // After a lost connection nobody knows what was missed: everyone looks again.
      onListening: () => watching.forEach((looks) => looks.forEach((look) => look()))
    }
  }
}
