/** What a header may hold (RFC 9110, section 5). */

/** Of a name; within a class of a regular expression. */
export const nameCharacters = "!#$%&'*+\\-.^_`|~\\w"
/** Of a value, in Latin-1: nothing that could end its line. */
export const valueCharacters = "\\t\\x20-\\x7e\\x80-\\xff"

export const headerName = new RegExp(`^[${nameCharacters}]+$`)
export const headerValue = new RegExp(`^[${valueCharacters}]*$`)
