/**
 * How each family of models makes tokens, beside o200k, whose tokenizer is public: what its text costs in comparison,
 * and what its prompt format adds. The figures are calibrated on recorded usage; `docs/token-counts.md` has the errors.
 */
import type { Model } from "../domain/catalogue.ts"
import { type ImageRule, imageRules } from "./image-tokens.ts"

/** What stands around the texts of a request, in tokens. */
export interface Frame {
  readonly request: number
  readonly message: number
  /** Once, when there are any tools. */
  readonly tools: number
  readonly tool: number
  /** Each earlier tool call in the conversation. */
  readonly toolCall: number
  readonly thinking: number
  readonly schema: number
  readonly citations: number
}

export interface TokenizerTraits {
  /** Tokens of a text for each token that o200k makes of it. */
  readonly ratio: number
  /** The same, not to be exceeded by ordinary text. */
  readonly ratioMax: number
  /** Further factor for letters outside ASCII, which o200k knows better than most. */
  readonly wideMax: number
  /** Every digit is a token. */
  readonly singleDigits: boolean
  /** Tokens of a tool definition for each token of its JSON: some families are shown a shorter notation. */
  readonly toolRatio: number
  readonly frame: Frame
  readonly frameMax: Frame
  /** Around a whole answer, and around each tool call in it. */
  readonly answer: number
  readonly answerToolCall: number
  /** Upstreams of the family mostly send one token in each event. */
  readonly tokenPerEvent: boolean
  readonly image: ImageRule
}

const other: TokenizerTraits = {
  ratio: 1.05,
  ratioMax: 1.2,
  wideMax: 1.3,
  singleDigits: true,
  toolRatio: 1,
  frame: { request: 3, message: 2, tools: 120, tool: 8, toolCall: 12, thinking: 0, schema: 10, citations: 0 },
  frameMax: {
    request: 40,
    message: 8,
    tools: 400,
    tool: 16,
    toolCall: 40,
    thinking: 20,
    schema: 100,
    citations: 0
  },
  answer: 1,
  answerToolCall: 20,
  tokenPerEvent: true,
  image: imageRules.other
}

const claude: TokenizerTraits = {
  ratio: 1.16,
  ratioMax: 1.25,
  wideMax: 1.5,
  singleDigits: false,
  toolRatio: 1,
  frame: {
    request: 6,
    message: 2,
    tools: 490,
    tool: 12,
    toolCall: 45,
    thinking: 28,
    schema: 148,
    citations: 550
  },
  frameMax: {
    request: 12,
    message: 6,
    tools: 640,
    tool: 20,
    toolCall: 60,
    thinking: 40,
    schema: 240,
    citations: 900
  },
  answer: 3,
  answerToolCall: 38,
  tokenPerEvent: false,
  image: imageRules.claude
}

/** From Opus 4.7 on: a tokenizer that makes about a quarter more of the same text. */
const claudeNew: TokenizerTraits = {
  ...claude,
  ratio: 1.42,
  ratioMax: 1.5,
  frame: { ...claude.frame, tools: 680, tool: 15, toolCall: 55, thinking: 34, schema: 185, citations: 810 },
  frameMax: {
    ...claude.frameMax,
    tools: 1_000,
    tool: 26,
    toolCall: 75,
    thinking: 50,
    schema: 300,
    citations: 1_100
  },
  answerToolCall: 48,
  image: imageRules.claudeHighResolution
}

const gpt: TokenizerTraits = {
  ...other,
  ratio: 1,
  ratioMax: 1.05,
  wideMax: 1,
  singleDigits: false,
  toolRatio: 0.55,
  frame: { request: 3, message: 4, tools: 0, tool: 12, toolCall: 12, thinking: 0, schema: 16, citations: 0 },
  frameMax: {
    request: 8,
    message: 6,
    tools: 30,
    tool: 16,
    toolCall: 20,
    thinking: 0,
    schema: 40,
    citations: 0
  },
  answer: 2,
  answerToolCall: 13,
  image: imageRules.gpt
}

const families: Readonly<Record<string, TokenizerTraits>> = {
  gpt,
  "gpt-oss": { ...gpt, frame: { ...gpt.frame, request: 66 }, frameMax: { ...gpt.frameMax, request: 110 } },
  deepseek: {
    ...other,
    ratio: 1.04,
    singleDigits: false,
    frame: { ...other.frame, tools: 280 },
    answerToolCall: 25
  },
  // An answer's schema is that of one tool more.
  nova: {
    ...other,
    frame: { ...other.frame, request: 0, message: 0, tools: 340, schema: 380 },
    frameMax: { ...other.frameMax, tools: 500, schema: 600 }
  },
  minimax: { ...other, frame: { ...other.frame, request: 38 }, frameMax: { ...other.frameMax, request: 90 } },
  grok: {
    ...other,
    frame: { ...other.frame, tools: 200 },
    frameMax: { ...other.frameMax, request: 200 },
    image: imageRules.grok
  },
  gemini: { ...other, frame: { ...other.frame, tools: 30 }, image: imageRules.gemini },
  qwen: { ...other, image: imageRules.qwen },
  llama: { ...other, singleDigits: false }
}

/** The traits of one model. */
export const traitsOf = (model: Model): TokenizerTraits => {
  if (model.family === "claude") return /-4-[0-6]$/.test(model.id) ? claude : claudeNew
  if (model.family !== "gpt") return families[model.family] ?? other
  if (model.id.endsWith("-mini")) return { ...gpt, image: imageRules.gptMini }
  return model.id.includes("gpt-6") ? { ...gpt, image: imageRules.gptLarge } : gpt
}

/** Where tools are shown in a shorter notation, schemas are too, but less so. */
export const schemaRatio = (traits: TokenizerTraits): number => Math.min(1, traits.toolRatio + 0.1)

/** JSON's marks merge with each other, so each costs less than a token. */
export const punctuationShare = 0.85
