/**
 * Long texts of a request that goes up in its client's own bytes: they are weighed where they stand, and nobody reads their
 * words. A body of a coding agent is little else, so what is left to be parsed is a tenth of it.
 */
import { randomUUID } from "node:crypto"

/** Where a text stands in the bytes of a body, without its quotes. */
export interface TextPlace {
  readonly start: number
  readonly end: number
}

/** Bytes from which on a string of JSON is a long one, quotes included. */
export const longStringBytes = 1_024

/** Members whose strings are words for a model and nothing else; ids, addresses and data are read. */
const textMembers = ["text", "content", "output", "arguments"].map((name) => Buffer.from(`"${name}":`))
const colon = 58
const space = 32

/** What stands for a text while its body is parsed, which no client can know: the place follows. */
const mark = `${randomUUID()}@`

/** The body's text with every long text but for its place left out; `strings` are starts and ends of its long strings, by turns. */
export const withoutLongTexts = (bytes: Buffer, strings: ReadonlyArray<number>): string => {
  let rest = ""
  let from = 0
  for (let index = 0; index < strings.length; index += 2) {
    const start = strings[index]!
    const end = strings[index + 1]!
    if (!isText(bytes, start)) continue
    rest += `${bytes.toString("utf8", from, start)}"${mark}${start + 1}:${end - 1}"`
    from = end
  }
  return rest + bytes.toString("utf8", from)
}

/** Where the text is that this one stands for; `undefined` where it is itself a text. */
export const placeOfText = (text: string): TextPlace | undefined => {
  if (!text.startsWith(mark)) return undefined
  const [start, end] = text.slice(mark.length).split(":")
  return { start: Number(start), end: Number(end) }
}

const isText = (bytes: Buffer, start: number): boolean => {
  const nameEnd = bytes[start - 1] === space ? start - 1 : start
  return (
    bytes[nameEnd - 1] === colon &&
    textMembers.some(
      (member) => bytes.compare(member, 0, member.length, Math.max(0, nameEnd - member.length), nameEnd) === 0
    )
  )
}
