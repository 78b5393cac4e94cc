/** How long a client lets an answer become, whatever it calls that. */
import { capNames } from "../domain/output-cap-names.ts"
import { optional, positiveIntegerAt } from "./json/fields.ts"
import type { JsonObject } from "./json/json.ts"

/** The smallest where it is given under several names. */
export const smallestCap = (body: JsonObject, names: ReadonlyArray<string>): number | undefined => {
  const asked = names.flatMap((name) => optional(positiveIntegerAt, body[name], name) ?? [])
  return asked.length === 0 ? undefined : Math.min(...asked)
}

/** Also under other protocols' names, which a conversion would lose: the answer would be longer, and dearer, than it may be. */
export const askedOutputCap = (body: JsonObject): number | undefined => smallestCap(body, capNames)
