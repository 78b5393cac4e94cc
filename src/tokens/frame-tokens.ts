/** Everything in a request that is not text, in tokens. */
import { documentTokens, pagesMax, type PageText } from "./document-tokens.ts"
import { imageTokens } from "./image-tokens.ts"
import type { RequestParts } from "./request-parts.ts"
import type { Frame, TokenizerTraits } from "./tokenizer-traits.ts"

/** Tokens of what a prompt format puts around `parts`. */
export const frameTokens = (parts: RequestParts, frame: Frame): number =>
  frame.request +
  parts.messages * frame.message +
  (parts.tools > 0 ? frame.tools + parts.tools * frame.tool : 0) +
  parts.toolCalls * frame.toolCall +
  (parts.thinking ? frame.thinking : 0) +
  (parts.punctuation.schema > 0 ? frame.schema : 0) +
  (parts.citations ? frame.citations : 0)

/** The picture of one page of a PDF. */
const pageImageTokens = 1_600

/** Base64 characters of the leanest compressed sound for each token: 32 tokens a second at 32 kbit. */
const audioCharactersPerToken = 160

/** Encrypted reasoning: characters for each token that it stands for, on average and at least. */
export const opaqueCharactersPerToken = 8
export const opaqueCharactersPerTokenMin = 4

/** What is assumed of media whose content can not be seen from outside. */
interface MediaGuess {
  readonly imagePatches: number
  readonly videoTokens: number
  readonly pageText: PageText
}

/** What is not here is taken for the largest that providers take, which a model's window bounds. */
const mostMedia: MediaGuess = {
  imagePatches: Infinity,
  videoTokens: 1_000_000,
  pageText: { tokensMax: 3_000, pagesElsewhere: pagesMax, tokensPerByte: 1 }
}

/** For a clip of a minute and a short paper. */
const usualMedia: MediaGuess = {
  imagePatches: 1_000,
  videoTokens: 20_000,
  pageText: { tokensMax: 1_000, pagesElsewhere: 20, tokensPerByte: 0.05 }
}

/** Images, videos, documents and sound, not to be exceeded. */
export const mediaTokensMax = (parts: RequestParts, traits: TokenizerTraits): number =>
  mediaTokensBy(parts, traits, mostMedia)

/** Images, videos, documents and sound, as they usually are. */
export const mediaTokens = (parts: RequestParts, traits: TokenizerTraits): number =>
  mediaTokensBy(parts, traits, usualMedia)

const mediaTokensBy = (parts: RequestParts, traits: TokenizerTraits, guess: MediaGuess): number => {
  let tokens = Math.ceil(parts.audioCharacters / audioCharactersPerToken) + parts.videos * guess.videoTokens
  for (const image of parts.images) tokens += imageTokens(image, traits.image, guess.imagePatches)
  for (const document of parts.documents) tokens += documentTokens(document, pageImageTokens, guess.pageText)
  return tokens
}
