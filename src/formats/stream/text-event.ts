/** Patterns of events that hold nothing new but a text. Read by pattern, an event costs a fraction of what parsing it does. */

/** What stands between the quotes of a string of JSON. */
const jsonText = /[^"\\\r\n]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\r\n]*)*/

/** Sticky: the first group is what stands before the text, the last the text as JSON writes it; in the former may be others, by name. */
export const textEventOf = (before: RegExp, behind: RegExp): RegExp =>
  new RegExp(`(${before.source})(${jsonText.source})${behind.source}`, "y")
