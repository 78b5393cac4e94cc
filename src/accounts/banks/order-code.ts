/** The code of a top-up order: `ST`, eight Crockford base32 characters and one that checks them. Goes in the transfer's memo. */

const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
const codeLength = 11

/** A new code, 40 random bits. */
export const makeOrderCode = (): string => {
  const random = crypto.getRandomValues(new Uint8Array(8))
  const body = [...random].map((byte) => alphabet[byte % 32]).join("")
  return `ST${body}${checkCharacter(body)}`
}

/**
 * Every well-formed code a memo may mean, however the bank or the payer bent it: lower case, split by spaces or
 * hyphens, glued to other text, `O` for `0`, `I` or `L` for `1`. Whether an order has the code decides later: `STK`
 * ("account number") starts many memos.
 */
export const findOrderCodes = (memo: string): ReadonlyArray<string> => {
  const text = memo
    .slice(0, 1_000)
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, "")
  const found = new Set<string>()
  for (let at = text.indexOf("ST"); at !== -1; at = text.indexOf("ST", at + 1)) {
    const rest = text
      .slice(at + 2, at + codeLength)
      .replace(/[IL]/g, "1")
      .replace(/O/g, "0")
    const body = rest.slice(0, 8)
    if (rest.length === 9 && !rest.includes("U") && rest[8] === checkCharacter(body)) found.add(`ST${rest}`)
  }
  return [...found]
}

/** Weights are odd and differ, so one wrong character and most swaps of neighbours are noticed. */
const checkCharacter = (body: string): string => {
  const sum = [...body].reduce(
    (total, character, index) => total + alphabet.indexOf(character) * (2 * index + 3),
    7
  )
  return alphabet[sum % 32]!
}
