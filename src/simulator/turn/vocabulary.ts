/** What the simulated models say: the same words every time, cut into pieces of about one token each. */

const sentences =
  "Hello! This is the simulator speaking, a stand-in for a real model. " +
  "Nothing here was thought up by anyone, yet every byte travels the way a real answer would. " +
  "Xin chào! Đây là trình mô phỏng, nói tiếng Việt có dấu để mọi ký tự nhiều byte đều được thử. " +
  "The weather in this sentence is sunny, the numbers add up to 42, and the list goes on. " +
  "Một câu trả lời dài hơn chỉ là những câu này được lặp lại nhiều lần. " +
  "Thank you for reading along — đến đây là hết một vòng. "

const thoughts =
  "The user would like an answer, and I am the simulator, so I will give the one I always give. " +
  "Trước hết nghĩ một chút, sau đó mới trả lời. "

/** Words with the space before them, long ones in two, as tokenizers tend to cut. */
const cut = (text: string): ReadonlyArray<string> =>
  (text.match(/ ?[^\s]{1,7}|\s+$/gu) ?? []).filter((piece) => piece !== "" && piece !== " ")

const spoken = cut(` ${sentences}`)
const thought = cut(` ${thoughts}`)

/** Text in the pieces in which it is streamed; each piece counts as one token unless `tokensPerPiece` says more. */
export interface Pieces {
  readonly count: number
  readonly tokensPerPiece: number
  readonly at: (index: number) => string
}

export const noPieces: Pieces = { count: 0, tokensPerPiece: 1, at: () => "" }

const cycle =
  (words: ReadonlyArray<string>) =>
  (index: number): string => {
    const word = words[index % words.length]!
    return index === 0 ? word.trimStart() : word
  }

const spokenAt = cycle(spoken)
const thoughtAt = cycle(thought)

export const spokenPieces = (tokens: number): Pieces => ({ count: tokens, tokensPerPiece: 1, at: spokenAt })
export const thoughtPieces = (tokens: number): Pieces => ({ count: tokens, tokensPerPiece: 1, at: thoughtAt })

const bigPieceBytes = 16 * 1024
const bigPiece = "All work and no play makes the simulator a dull server indeed. "
  .repeat(bigPieceBytes / 63 + 1)
  .slice(0, bigPieceBytes)

/** At least `bytes` bytes of text in pieces so large that the network is the limit. */
export const bigPieces = (bytes: number): Pieces => ({
  count: Math.ceil(bytes / bigPieceBytes),
  tokensPerPiece: bigPieceBytes / 4,
  at: () => bigPiece
})

const charactersPerPiece = 4

export const piecesOf = (text: string): Pieces => {
  const characters = Array.from(text)
  return {
    count: Math.ceil(characters.length / charactersPerPiece),
    tokensPerPiece: 1,
    at: (index) => characters.slice(index * charactersPerPiece, (index + 1) * charactersPerPiece).join("")
  }
}

/** The first `count` pieces. */
export const firstPieces = (pieces: Pieces, count: number): Pieces =>
  count >= pieces.count ? pieces : { ...pieces, count: Math.max(0, count) }

const joined = new Map<string, string>()

/** The whole text. The short common ones are remembered, since most calls ask for the same few. */
export const joinPieces = (pieces: Pieces): string => {
  const key = pieces.at === spokenAt ? `${pieces.count}` : undefined
  const known = key === undefined ? undefined : joined.get(key)
  if (known !== undefined) return known
  let text = ""
  for (let index = 0; index < pieces.count; index++) text += pieces.at(index)
  if (key !== undefined && joined.size < 1000 && text.length < 100_000) joined.set(key, text)
  return text
}
