/** What an answer cites by its address. Responses says of it what chat says, in fewer braces. */
import { isJsonObject, type Json, type JsonObject, objectsOf, stringOf } from "../json/json.ts"

/** The citations of a chat message, as Responses has them. */
export const responsesCitations = (annotations: Json | undefined): ReadonlyArray<JsonObject> =>
  objectsOf(annotations).flatMap(({ type, url_citation: cited }) =>
    type === "url_citation" && isJsonObject(cited) ? citation(cited, 0) : []
  )

/** The citations of these parts as chat has them, whose answer is one text: `before` is what of it they stand behind. */
export const chatCitations = (parts: ReadonlyArray<JsonObject>, before = 0): ReadonlyArray<JsonObject> => {
  let start = before
  return parts.flatMap(({ annotations, text }) => {
    const cited = objectsOf(annotations)
      .filter(({ type }) => type === "url_citation")
      .flatMap((annotation) => citation(annotation, start))
    start += stringOf(text).length
    return cited.map(({ type, ...url_citation }) => ({ type, url_citation }))
  })
}

/** None where it does not say of what it is one. */
const citation = (
  { end_index: end, start_index: start, title, url }: JsonObject,
  before: number
): ReadonlyArray<JsonObject> =>
  typeof start === "number" && typeof end === "number" && typeof url === "string"
    ? [
        {
          type: "url_citation",
          start_index: before + start,
          end_index: before + end,
          url,
          title: stringOf(title)
        }
      ]
    : []
