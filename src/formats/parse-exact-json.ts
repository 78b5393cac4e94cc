/** JSON whose whole numbers are written again as they were read, also those that a double can not hold, as many ids are. */
import type { Json } from "./json.ts"

// What is not exact any more has sixteen digits at least.
const longNumber = /\d{16}/

type Reviver = (key: string, value: Json, context: { readonly source?: string }) => Json

/** The engine has these; the language's types do not. */
const engine = JSON as unknown as {
  parse(text: string, reviver: Reviver): Json
  rawJSON(text: string): Json
}

/** As `JSON.parse`, but that such a number becomes an object which `JSON.stringify` writes as that number. */
export const parseExactJson = (text: string): Json =>
  longNumber.test(text) ? engine.parse(text, keepLongNumber) : (JSON.parse(text) as Json)

const keepLongNumber: Reviver = (_, value, { source }) =>
  source !== undefined && Number.isInteger(value) && !Number.isSafeInteger(value)
    ? engine.rawJSON(source)
    : value
