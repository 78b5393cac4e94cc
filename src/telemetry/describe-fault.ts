/** A fault of ours as the log may tell it: its words, unless they may quote a caller or a model, and where it happened. */
import { inspect } from "node:util"

const wordsMax = 4_000

/** Anything can be thrown, also what can not be turned into text. */
export const describeFault = (fault: unknown): string => {
  if (!(fault instanceof Error))
    return inspect(fault, { depth: 1, breakLength: Infinity, compact: true }).slice(0, wordsMax)
  const words = quotes(fault) || fault.message === "" ? "" : `: ${fault.message.slice(0, wordsMax)}`
  return `${fault.name}${words}${placesOf(fault)}`
}

/** What can not be read is quoted by whoever tried: JSON.parse, decoders, PostgreSQL, Node's checks of arguments. */
const quotes = (fault: Error): boolean =>
  fault instanceof SyntaxError ||
  /Schema|Parse|Syntax|Assertion|Postgres/.test(fault.name) ||
  ("code" in fault && /^ERR_(INVALID|OUT_OF_RANGE|ASSERTION)/.test(String(fault.code)))

/** The words come before them, sometimes over several lines. */
const placesOf = ({ stack = "" }: Error): string => {
  const places = stack.split("\n").filter((line) => /^ {4}at /.test(line))
  return places.length === 0 ? "" : `\n${places.join("\n")}`
}
