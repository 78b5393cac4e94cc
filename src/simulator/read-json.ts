/** What a caller may send, and what may as well be something else: each reader gives `undefined` for that. */
import type { Json } from "../formats/json/json.ts"

export const jsonIn = (text: string): Json | undefined => {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

export const givenString = (value: Json | undefined): string | undefined =>
  typeof value === "string" ? value : undefined

export const givenNumber = (value: Json | undefined): number | undefined =>
  typeof value === "number" ? value : undefined
