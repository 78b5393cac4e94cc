/** Whose a transfer may be that names no known order. Pure: storage finds candidates by what is made here of the memo. */

export type SuggestionReason = "code" | "amount" | "paid_before" | "mail" | "company" | "name"

/** One hint at an account, and at one of its orders where there is one. */
export interface Hint {
  readonly accountId: string
  readonly reason: SuggestionReason
  readonly orderCode?: string
  /** From 0 to 100: how much it says alone. */
  readonly weight: number
}

export interface Suggestion {
  readonly accountId: string
  readonly orderCode: string | undefined
  /** The strongest first. */
  readonly reasons: ReadonlyArray<SuggestionReason>
  readonly weight: number
}

const suggestionsMax = 5
export const codeDistanceMax = 2

/** What each hint says alone; a code's is by how many characters differ from it. */
export const weights = {
  code: [100, 90, 70],
  amount: { only: 40, several: 15 },
  paid_before: 60,
  mail: 50,
  company: 50,
  name: 35
} as const

/** Likeliest first. Hints of one account add up; of those at its orders the strongest names the order. */
export const rankSuggestions = (hints: ReadonlyArray<Hint>): ReadonlyArray<Suggestion> => {
  const accounts = new Map<string, Array<Hint>>()
  for (const hint of hints) {
    const others = accounts.get(hint.accountId)
    if (others === undefined) accounts.set(hint.accountId, [hint])
    else others.push(hint)
  }
  return [...accounts]
    .map(([accountId, all]) => {
      const sorted = all.toSorted((left, right) => right.weight - left.weight)
      // Several orders of one account say no more than the strongest of them.
      const best = [...new Map(sorted.toReversed().map((hint) => [hint.reason, hint])).values()]
      const reasons = best.toSorted((left, right) => right.weight - left.weight)
      return {
        accountId,
        orderCode: sorted.find(({ orderCode }) => orderCode !== undefined)?.orderCode,
        reasons: reasons.map(({ reason }) => reason),
        weight: reasons.reduce((sum, { weight }) => sum + weight, 0)
      }
    })
    .toSorted((left, right) => right.weight - left.weight || (left.accountId < right.accountId ? -1 : 1))
    .slice(0, suggestionsMax)
}

const memoLengthMax = 500
const wordsMax = 60

/** `Đ` without its stroke, too. */
export const withoutAccents = (text: string): string =>
  text
    .normalize("NFD")
    .replaceAll(/[\u0300-\u036f]/g, "")
    .replaceAll(/đ/gi, "d")

/** As `plain_text` in the database: small plain letters and digits, one space between words. */
export const plainText = (text: string): string =>
  withoutAccents(text)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, " ")
    .trim()

/** Every run of words that may be a name, from `least` to `most` words long. */
export const phrasesOf = (text: string, least: number, most: number): ReadonlyArray<string> => {
  const words = plainText(text.slice(0, memoLengthMax)).split(" ").slice(0, wordsMax)
  return runsOf(words, least, most).map((run) => run.join(" "))
}

/** Runs of words written as one, as the first part of an address is: banks leave out its dots. */
export const mailWordsOf = (text: string): ReadonlyArray<string> => {
  const words = plainText(text.slice(0, memoLengthMax)).split(" ").slice(0, wordsMax)
  return [...new Set(runsOf(words, 1, 3).map((run) => run.join("")))].filter((word) => word.length >= 5)
}

const runsOf = (words: ReadonlyArray<string>, least: number, most: number) =>
  words.flatMap((_, start) =>
    Array.from({ length: most - least + 1 }, (_, more) => words.slice(start, start + least + more)).filter(
      (run, more) => run.length === least + more && run[0] !== ""
    )
  )

/** The memo in the letters of codes, nothing between them. */
const codeText = (memo: string): string =>
  memo
    .slice(0, memoLengthMax)
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, "")
    .replaceAll(/[IL]/g, "1")
    .replaceAll("O", "0")

/**
 * Each three characters that follow each other. A code is three such parts after `ST`: with two mistakes one of them is still
 * whole, somewhere in the memo.
 */
export const codePartsOf = (memo: string): ReadonlyArray<string> => {
  const text = codeText(memo)
  const parts = Array.from({ length: Math.max(0, text.length - 2) }, (_, at) => text.slice(at, at + 3))
  return [...new Set(parts)].filter((part) => !part.includes("U"))
}

/** By how many characters, changed, left out or added, the code (without `ST`) differs from the part of the memo most like it. */
export const distanceIn = (memo: string, code: string): number => {
  const text = codeText(memo)
  const pattern = code.slice(2)
  let column = Array.from({ length: pattern.length + 1 }, (_, row) => row)
  let least = pattern.length
  for (const character of text) {
    const next = [0]
    for (let row = 1; row <= pattern.length; row++) {
      const changed = column[row - 1]! + (pattern[row - 1] === character ? 0 : 1)
      next.push(Math.min(changed, column[row]! + 1, next[row - 1]! + 1))
    }
    column = next
    least = Math.min(least, column[pattern.length]!)
  }
  return least
}
