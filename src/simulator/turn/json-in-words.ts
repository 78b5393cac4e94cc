/** JSON that a model is told in words to answer, as a conversion does where its provider knows no such setting. */
import type { Json } from "../../formats/json/json.ts"
import type { Ask } from "./Turn.ts"

const wish =
  /Answer with one (?:valid )?JSON object(?: that fits this JSON schema, and nothing else:\n(\{.*\}))?/

/** What the `instructions`, the texts of the system, ask for. */
export const jsonInWords = (instructions: ReadonlyArray<string>): Ask["json"] => {
  for (const text of instructions) {
    const found = wish.exec(text)
    if (found !== null) return { schema: found[1] === undefined ? undefined : schemaIn(found[1]) }
  }
  return undefined
}

/** A schema that is given as a text; `undefined` where that is none. */
export const schemaIn = (text: string): Json | undefined => {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}
