/**
 * JSON that strict readers take, too. Half of a surrogate pair, as clients leave it where they cut a text in two, becomes
 * the replacement character: "no low surrogate in string" (anomalyco/opencode #13985).
 */
import type { JsonObject } from "./json.ts"

export const wellFormedJson = (value: JsonObject): string => {
  const text = JSON.stringify(value)
  if (!text.includes("\\ud")) return text
  return text.replace(escape, (whole: string) => (whole.length > 2 ? "\ufffd" : whole))
}

/** An escaped half of a pair; any other escape is passed over whole, since a backslash may be one's second character. */
const escape = /\\(?:ud[89a-f][0-9a-f]{2}|.)/g
