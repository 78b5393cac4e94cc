/**
 * Words behind calls, put before them. Bedrock takes such words for the beginning of an answer that is to be continued, which
 * newer Claude models refuse in every later call of the session (NousResearch/hermes-agent #108200, evalstate/fast-agent #668).
 */
import { type Json, objectOf } from "../json/json.ts"

/** Blocks of an assistant's turn; the same value where all stands well. */
export const wordsFirst = <Block>(
  blocks: ReadonlyArray<Block>,
  isCall: (block: Block) => boolean,
  isText: (block: Block) => boolean
): ReadonlyArray<Block> => {
  const first = blocks.findIndex(isCall)
  const behind = first === -1 ? [] : blocks.slice(first)
  const words = behind.filter(isText)
  if (words.length === 0) return blocks
  return [...blocks.slice(0, first), ...words, ...behind.filter((block) => !isText(block))]
}

/** The same of blocks of Messages. */
export const messagesWordsFirst = <Block extends Json>(blocks: ReadonlyArray<Block>): ReadonlyArray<Block> =>
  wordsFirst(blocks, isOf("tool_use"), isOf("text"))

const isOf =
  (type: string) =>
  (block: Json): boolean =>
    objectOf(block).type === type
