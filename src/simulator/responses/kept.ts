/** What the provider keeps between calls: answers by their id, and conversations; the oldest are forgotten. */
import type { Json } from "../../formats/json.ts"

const capacity = 20_000

/** A conversation as it stood: everything said, and what it counted. */
export interface Stored {
  readonly items: ReadonlyArray<Json>
  readonly tokens: number
}

const kept = new Map<string, Stored>()

export const keep = (id: string, stored: Stored): void => {
  kept.delete(id)
  kept.set(id, stored)
  if (kept.size > capacity) kept.delete(kept.keys().next().value!)
}

export const recall = (id: string): Stored | undefined => kept.get(id)
