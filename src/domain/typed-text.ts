/** What people type and paste, in the one form in which it is kept and looked for. */

/** Four times what the longest field takes: letters whose accents stand behind them are three characters long. */
const composedLengthMax = 8_000

/**
 * Letters and their accents as one character. What is longer than any field takes stays as it is, to be refused for that: to put accents
 * in their order takes the square of how many there are in a row, a minute for a megabyte.
 */
export const composedText = (typed: string, form: "NFC" | "NFKC" = "NFC"): string =>
  typed.length > composedLengthMax ? typed : typed.normalize(form)

// Marks that nobody sees and that come along from chats, tables and pages; without those that hold letters and emoji together.
const unseen = /[^\P{Cf}\u200c\u200d]/gu

/** What is looked for: letters with accents are one character, however a keyboard or a system writes them. */
export const wantedText = (typed: string): string => composedText(typed).replace(unseen, "").trim()

/** Numbers and mail addresses have no character that nobody sees. */
export const seenText = (typed: string): string =>
  composedText(typed)
    .replaceAll(/\p{Cf}/gu, "")
    .trim()

export const typedEmail = seenText

/** The addresses that can be signed in with: better-auth takes no others, of those that there may be. */
export const isOwnEmail = (email: string): boolean =>
  /^(?:[\w'+-]+\.)*[\w'+-]*[\w+-]@(?:[A-Za-z\d][A-Za-z\d-]*\.)+[A-Za-z]{2,}$/.test(email)
