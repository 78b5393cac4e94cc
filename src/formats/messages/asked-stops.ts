/** The texts at which a Messages request wants its answer to stop. */
import type { Model } from "../../domain/catalogue.ts"
import { optionalArray, refuse, stringAt } from "../json/fields.ts"
import { type JsonObject, listOf } from "../json/json.ts"

/** `undefined` for none. Refuses them for a model that knows none: they mean more than a hint. */
export const askedStops = (body: JsonObject, { upstream }: Model): ReadonlyArray<string> | undefined => {
  const stops = optionalArray(body.stop_sequences, "stop_sequences").map((value, index) =>
    stringAt(value, `stop_sequences.${index}`)
  )
  if (stops.length === 0) return undefined
  return upstream.refuses.has("stop") ? refuse("stop_sequences", "are not supported by this model") : stops
}

/** The one text that can have stopped an answer; `null` where there are none or several. */
export const onlyStopOf = ({ stop_sequences: stops }: JsonObject): string | null => {
  const [only, ...others] = listOf(stops)
  return typeof only === "string" && others.length === 0 ? only : null
}
