/** What many models write around their calls, and is no block of an answer. */

// A model that goes on for longer with what says nothing is to be seen by the caller, and counted as it goes.
const lengthMax = 64

/**
 * White space alone: "text content blocks must contain non-whitespace text", Claude says of a whole conversation with one
 * (anthropics/claude-code #23440).
 */
export const isBlankText = (text: string): boolean => text.length <= lengthMax && text.trim() === ""

/**
 * What a tool is called with is `null` or may become that: it has no arguments, and whoever is given them reads an object.
 */
export const isVoidInput = (text: string): boolean =>
  text.length <= lengthMax && "null".startsWith(text.trim())
