/**
 * How large one event of a provider's stream may be, since an event loop reads it. A large one is read by its outline, where
 * that suffices.
 */
import { outline } from "../json/outline.ts"

const mebibyte = 1024 * 1024

/** Images stand in some, and whole files in the arguments of tools. */
export const eventBytesMax = 32 * mebibyte
/** From here on an event that is passed on is read by its outline. */
export const largeEventBytes = 64 * 1024

/** One that says something new is read whole up to here: a long text, or a call of a tool with a file, may come in one. */
const tellingEventBytes = mebibyte

/** From here on one that is converted is, if it only says again what has been said. */
export const largeRetellingBytes = mebibyte
export const parsedEventValuesMax = 20_000

/** Nobody writes an event in more lines. */
export const eventLinesMax = 10_000

/** What is no JSON, whatever follows. */
export const notJson = "\u0000"

/** The data of a line as text: of a long one what `bytesMax` has room for. */
export const dataOf = (line: Buffer, bytesMax: number): string =>
  line.length <= bytesMax ? line.toString("utf8") : (outline(line, bytesMax) ?? notJson)

/** Whether a large event is read whole. Its kind may stand behind what it says: members have no order. */
export const isReadWhole = (data: Buffer, tellsNews: (json: string) => boolean): boolean => {
  if (data.length > tellingEventBytes) return false
  const json = data.toString("latin1")
  return tellsNews(json) && !hasTooManyValues(json)
}

const quote = 34
const comma = 44
const openBracket = 91
const backslash = 92
const openBrace = 123

/** Whether a JSON text has more values than are parsed; its brackets and commas are counted. */
export const hasTooManyValues = (json: string): boolean => {
  // Each takes two characters at least.
  if (json.length <= 2 * parsedEventValuesMax) return false
  let left = parsedEventValuesMax
  for (let at = 0; at < json.length; at++) {
    const unit = json.charCodeAt(at)
    if (unit === quote) at = endOfString(json, at)
    else if ((unit === comma || unit === openBracket || unit === openBrace) && --left < 0) return true
  }
  return false
}

/** Where the string that opens at `start` closes. */
const endOfString = (json: string, start: number): number => {
  for (let at = start + 1; at < json.length; at++) {
    const unit = json.charCodeAt(at)
    if (unit === quote) return at
    if (unit === backslash) at++
  }
  return json.length
}
