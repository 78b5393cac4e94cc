/** What many models write around their calls, and is no block of an answer. */

// A model that goes on with it for longer is to be seen by the caller, and counted as it goes.
const lengthMax = 64

/**
 * White space alone: "text content blocks must contain non-whitespace text", Claude says of a whole conversation with one
 * (anthropics/claude-code #23440).
 */
export const isBlankText = (text: string): boolean => text.length <= lengthMax && text.trim() === ""

/** Nobody writes more white space around it. */
const voidLengthMax = 64

/**
 * What a tool is called with is `null` or may become that: it has no arguments, and whoever is given them reads an object.
 */
export const isVoidInput = (text: string): boolean =>
  text.length < voidLengthMax && "null".startsWith(text.trim())
