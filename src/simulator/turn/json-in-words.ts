/** JSON that a model is told in words to answer, as a conversion does where its provider knows no such setting. */
import type { Json } from "../../formats/json/json.ts"
import type { Ask } from "./Turn.ts"

const wish =
  /Answer with one (?:valid )?JSON object(?: that fits this JSON schema, and nothing else:\n(\{.*\}))?/

/** What the `instructions`, the texts of the system, ask for. */
export const jsonInWords = (instructions: ReadonlyArray<string>): Ask["json"] => {
  for (const text of instructions) {
    const found = wish.exec(text)
    if (found !== null) return { schema: readSchema(found[1]) }
  }
  return undefined
}

const readSchema = (text: string | undefined): Json | undefined => {
  if (text === undefined) return undefined
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}
