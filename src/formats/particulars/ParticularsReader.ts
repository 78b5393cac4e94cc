/** Reads of an upstream's answer what is known of how it was made. One for each answer; cheap where there is nothing. */
import type { Particulars } from "../../domain/particulars.ts"
import type { Json, JsonObject } from "../json/json.ts"

export interface ParticularsReader {
  /** One event of a stream; what has been reported counts also of a stream that breaks. */
  event(event: JsonObject): void
  /** A whole answer. */
  answer(answer: JsonObject): void
  readonly particulars: Particulars
}

/** A name of the provider's that is kept with the call: nothing else of it may be. */
export const termOf = (name: Json | undefined): string | undefined =>
  typeof name === "string" && /^[a-z][a-z0-9_.-]{0,31}$/.test(name) ? name : undefined
