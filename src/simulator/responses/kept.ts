/** What the provider keeps between calls: answers and their items by id, and conversations; the oldest are forgotten. */
import { remember } from "../../collections/remember.ts"
import { isJsonObject, type Json } from "../../formats/json/json.ts"
import type { Complaint } from "../Protocol.ts"

const storedMax = 20_000

/** A conversation as it stood: everything said, and what it counted. */
export interface Stored {
  readonly items: ReadonlyArray<Json>
  readonly tokens: number
}

const kept = new Map<string, Stored>()

export const keep = (id: string, stored: Stored): void => {
  // A conversation that goes on counts as new.
  kept.delete(id)
  remember(kept, id, stored, storedMax)
}

export const recall = (id: string): Stored | undefined => kept.get(id)

const items = new Map<string, Json>()

export const keepItem = (item: Json): void => {
  if (isJsonObject(item) && typeof item["id"] === "string") remember(items, item["id"], item, storedMax)
}

export const recallItem = (id: string): Json | undefined => items.get(id)

/** About an item that is not among them. */
export const notKept = (id: string): Complaint => ({
  status: 404,
  message: `Item with id '${id}' not found. Items are not persisted when \`store\` is set to false. Try again with \`store\` set to true, or remove this item from your input.`,
  param: "input"
})
