/** Finds the members of a JSON object and the elements of an array in their bytes. */
import { longStringBytes } from "./long-texts.ts"

/** One member of the outermost object; offsets into the bytes. */
export interface Member {
  readonly name: string
  readonly nameStart: number
  readonly nameEnd: number
  readonly valueStart: number
  readonly valueEnd: number
}

/** Bytes `start` to `end`. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** What an object may be made of. */
export interface Bounds {
  /** Its own members. */
  readonly members: number
  /** Values of any kind, at any depth. */
  readonly values: number
  /** Objects and arrays within each other, itself included. */
  readonly levels: number
}

/** What is left of the bounds while bytes are read, and which of them did not suffice. */
interface Budget {
  members: number
  values: number
  levels: number
  exceeded: keyof Bounds | undefined
  /** Where to note the long strings among the values. */
  readonly longStrings: Array<number> | undefined
}

const quote = 34
const comma = 44
const colon = 58
const backslash = 92
const openBrace = 123
const closeBrace = 125
const openBracket = 91
const closeBracket = 93

/**
 * The members of the outermost object, duplicates included. `undefined` when the bytes are not one whole object: the
 * brackets and strings are checked, what stands between them is not. `known` is a whole value, which is not read.
 */
export const scanMembers = (bytes: Buffer, known?: Span): ReadonlyArray<Member> | undefined =>
  scan(bytes, unbounded(), known)

/**
 * The same, read no further than the bounds allow: the name of the one that is exceeded. `longStrings` gets the offsets of
 * each long string's start and end.
 */
export const scanWithin = (
  bytes: Buffer,
  { levels, members, values }: Bounds,
  longStrings?: Array<number>
): ReadonlyArray<Member> | keyof Bounds | undefined => {
  const budget: Budget = {
    members,
    values: values - 1,
    levels: levels - 1,
    exceeded: undefined,
    longStrings
  }
  return scan(bytes, budget) ?? budget.exceeded
}

/** Whether a text of so many bytes can exceed them: a value or a level takes one at least, a member five. */
export const mayExceed = (bytes: number, { levels, members, values }: Bounds): boolean =>
  bytes > Math.min(values, levels, members * 5)

/** More than any text has. */
const endless = 2 ** 30

const unbounded = (): Budget => ({
  members: endless,
  values: endless,
  levels: endless,
  exceeded: undefined,
  longStrings: undefined
})

const scan = (bytes: Buffer, budget: Budget, known?: Span): ReadonlyArray<Member> | undefined => {
  const members: Array<Member> = []
  let at = skipSpace(bytes, 0)
  if (bytes[at] !== openBrace) return undefined
  at = skipSpace(bytes, at + 1)
  if (bytes[at] === closeBrace) return skipSpace(bytes, at + 1) === bytes.length ? members : undefined
  for (;;) {
    if (bytes[at] !== quote) return undefined
    if (members.length === budget.members) return void (budget.exceeded = "members")
    if (--budget.values < 0) return void (budget.exceeded = "values")
    const nameStart = at
    const nameEnd = endOfString(bytes, at)
    if (nameEnd === -1) return undefined
    at = skipSpace(bytes, nameEnd)
    if (bytes[at] !== colon) return undefined
    const valueStart = skipSpace(bytes, at + 1)
    const valueEnd = valueStart === known?.start ? known.end : endOfValue(bytes, valueStart, budget)
    if (valueEnd === -1) return undefined
    const name = readName(bytes, nameStart, nameEnd)
    if (name === undefined) return undefined
    members.push({ name, nameStart, nameEnd, valueStart, valueEnd })
    at = skipSpace(bytes, valueEnd)
    if (bytes[at] === closeBrace) return skipSpace(bytes, at + 1) === bytes.length ? members : undefined
    if (bytes[at] !== comma) return undefined
    at = skipSpace(bytes, at + 1)
  }
}

/** The last member of this name, which is the one that is parsed. */
export const memberNamed = (members: ReadonlyArray<Member>, name: string): Member | undefined =>
  members.findLast((member) => member.name === name)

/** The value of the last member of this name, parsed; `undefined` where there is none or it is not JSON. */
export const readMember = (
  bytes: Buffer,
  members: ReadonlyArray<Member>,
  name: string,
  parse: (text: string) => unknown = JSON.parse
): unknown => {
  const member = memberNamed(members, name)
  if (member === undefined) return undefined
  try {
    return parse(bytes.toString("utf8", member.valueStart, member.valueEnd))
  } catch {
    return undefined
  }
}

const skipSpace = (bytes: Buffer, from: number): number => {
  let at = from
  while (at < bytes.length) {
    const byte = bytes[at]!
    if (byte !== 32 && byte !== 10 && byte !== 13 && byte !== 9) break
    at++
  }
  return at
}

/** After an escaped quote so many bytes are looked at one by one: it seldom comes alone. */
const nearBytes = 32

/** The offset behind the string that opens at `start`, or -1. */
const endOfString = (bytes: Buffer, start: number): number => {
  let at = start + 1
  for (;;) {
    const close = bytes.indexOf(quote, at)
    if (close === -1) return -1
    // What stands before `at` belongs to escapes that are over.
    let first = close
    while (first > at && bytes[first - 1] === backslash) first--
    if ((close - first) % 2 === 0) return close + 1
    at = close + 1
    const near = Math.min(at + nearBytes, bytes.length)
    while (at < near) {
      const byte = bytes[at]!
      if (byte === quote) return at + 1
      at += byte === backslash ? 2 : 1
    }
  }
}

/** The offset behind the value that begins at `start`, or -1. */
const endOfValue = (bytes: Buffer, start: number, budget: Budget): number => {
  const first = bytes[start]
  if (first === quote) {
    const end = endOfString(bytes, start)
    if (end - start >= longStringBytes) budget.longStrings?.push(start, end)
    return end
  }
  if (first === openBrace || first === openBracket) return endOfNested(bytes, start, budget)
  let at = start
  while (at < bytes.length) {
    const byte = bytes[at]!
    if (byte === comma || byte === closeBrace || byte === closeBracket || byte <= 32) break
    at++
  }
  return at === start ? -1 : at
}

/** What each byte means outside of strings: by far the most mean nothing. */
const plain = 0
const stringMark = 1
const commaMark = 2
const openMark = 3
const closeMark = 4
const markOf = new Uint8Array(256)
markOf[quote] = stringMark
markOf[comma] = commaMark
for (const open of [openBrace, openBracket]) markOf[open] = openMark
for (const close of [closeBrace, closeBracket]) markOf[close] = closeMark

const endOfNested = (bytes: Buffer, start: number, budget: Budget): number => {
  const { levels, longStrings } = budget
  let { values } = budget
  let depth = 0
  for (let at = start; at < bytes.length; at++) {
    const mark = markOf[bytes[at]!]!
    if (mark === plain) continue
    if (mark === stringMark) {
      const end = endOfString(bytes, at)
      if (end === -1) return -1
      if (longStrings !== undefined && end - at >= longStringBytes) longStrings.push(at, end)
      at = end - 1
    } else if (mark === commaMark) {
      if (--values < 0) return exceed(budget, "values")
    } else if (mark === openMark) {
      if (++depth > levels) return exceed(budget, "levels")
      // What is not empty has one value more than commas.
      if (markOf[bytes[at + 1]!] !== closeMark && --values < 0) return exceed(budget, "values")
    } else {
      depth--
      if (depth > 0) continue
      budget.values = values
      return at + 1
    }
  }
  return -1
}

const exceed = (budget: Budget, bound: keyof Bounds): -1 => {
  budget.exceeded = bound
  return -1
}

const readName = (bytes: Buffer, start: number, end: number): string | undefined => {
  const raw = bytes.toString("utf8", start + 1, end - 1)
  if (!raw.includes("\\")) return raw
  try {
    return JSON.parse(`"${raw}"`) as string
  } catch {
    return undefined
  }
}

/**
 * The elements of the array that begins at `start`; `undefined` when there is no whole array, or more of them than
 * `elementsMax`.
 */
export const elementsOf = (
  bytes: Buffer,
  start: number,
  elementsMax: number
): ReadonlyArray<Span> | undefined => {
  if (bytes[start] !== openBracket) return undefined
  let at = skipSpace(bytes, start + 1)
  if (bytes[at] === closeBracket) return []
  const budget = unbounded()
  const elements: Array<Span> = []
  while (elements.length < elementsMax) {
    const end = endOfValue(bytes, at, budget)
    if (end === -1) return undefined
    elements.push({ start: at, end })
    at = skipSpace(bytes, end)
    if (bytes[at] === closeBracket) return elements
    if (bytes[at] !== comma) return undefined
    at = skipSpace(bytes, at + 1)
  }
  return undefined
}
