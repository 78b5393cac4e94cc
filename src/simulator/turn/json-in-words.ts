/** JSON that a model is told in words to answer: by a conversion whose provider knows no such setting, or by a library. */
import { jsonIn } from "../read-json.ts"
import type { Ask } from "./Turn.ts"

const wish =
  /Answer with one (?:valid )?JSON object(?: that fits this JSON schema, and nothing else:\n(\{.*\}))?/

/** Spring AI's words, at the end of a prompt, unless it is told to use the provider's setting. */
const promptWish = /JSON Schema instance your output must adhere to:\s*```\s*(\{.*\})\s*```/s

/** What a library adds to the `prompt` itself. */
export const jsonInPrompt = (prompt: string): Ask["json"] => {
  const found = promptWish.exec(prompt)
  return found === null ? undefined : { schema: jsonIn(found[1]!) }
}

/** What the `instructions`, the texts of the system, ask for. */
export const jsonInWords = (instructions: ReadonlyArray<string>): Ask["json"] => {
  for (const text of instructions) {
    const found = wish.exec(text)
    if (found !== null) return { schema: found[1] === undefined ? undefined : jsonIn(found[1]) }
  }
  return undefined
}
