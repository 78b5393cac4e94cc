/**
 * Changes some members of a JSON object while every other byte stays as it is: key order, number precision, escapes and
 * white space survive.
 */
import { type Member, scanMembers, type Span } from "./scan.ts"

/** Bytes `start` to `end` are replaced by `text`. */
export interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** Gives this member another value (JSON text). */
export const editValue = ({ valueEnd, valueStart }: Member, text: string): Edit => ({
  start: valueStart,
  end: valueEnd,
  text
})

/** Gives every member of this name another value (JSON text). */
export const replaceValue = (
  members: ReadonlyArray<Member>,
  name: string,
  text: string
): ReadonlyArray<Edit> =>
  members.filter((member) => member.name === name).map((member) => editValue(member, text))

/** Takes these members out, each with the comma that belongs to it. */
export const removeMembers = (
  members: ReadonlyArray<Member>,
  isRemoved: (member: Member) => boolean
): ReadonlyArray<Edit> =>
  removeSpans(
    members.map((member) => ({ start: member.nameStart, end: member.valueEnd })),
    (index) => isRemoved(members[index]!)
  )

/** Takes members of an object or elements of an array out, each with the comma that belongs to it. */
export const removeSpans = (
  spans: ReadonlyArray<Span>,
  isRemoved: (index: number) => boolean
): ReadonlyArray<Edit> =>
  spans.flatMap((span, index) => {
    if (!isRemoved(index)) return []
    const next = spans[index + 1]
    if (next !== undefined) return [{ start: span.start, end: next.start, text: "" }]
    // The last of several goes with the comma before it, unless those before it go too.
    const kept = spans.findLastIndex((_, place) => place < index && !isRemoved(place))
    return [{ start: kept === -1 ? span.start : spans[kept]!.end, end: span.end, text: "" }]
  })

/** Adds a member (JSON text) in front of the others. */
export const addMember = (members: ReadonlyArray<Member>, name: string, text: string): Edit => {
  const first = members[0]
  const start = first === undefined ? 1 : first.nameStart
  return { start, end: start, text: `${JSON.stringify(name)}:${text}${first === undefined ? "" : ","}` }
}

/** The bytes with all edits made. Edits must not overlap, except that one may lie inside a removal and is then lost. */
export const splice = (bytes: Buffer, edits: ReadonlyArray<Edit>): Buffer =>
  edits.length === 0 ? bytes : Buffer.concat(piecesOf(bytes, edits))

/** An object of JSON, and where its members stand. */
export interface ObjectBytes {
  readonly bytes: Buffer
  readonly members: ReadonlyArray<Member>
}

/** The same for an object, whose members move. The longest of them is by far the most of it, and is not read again where it stays. */
export const spliceObject = (object: ObjectBytes, edits: ReadonlyArray<Edit>): ObjectBytes => {
  if (edits.length === 0) return object
  const pieces = piecesOf(object.bytes, edits)
  const bytes = Buffer.concat(pieces)
  return { bytes, members: scanMembers(bytes, longestKept(object, pieces)) ?? [] }
}

/** What is kept and what is new, by turns. */
const piecesOf = (bytes: Buffer, edits: ReadonlyArray<Edit>): ReadonlyArray<Buffer> => {
  const pieces: Array<Buffer> = []
  let at = 0
  for (const edit of [...edits].sort((left, right) => left.start - right.start)) {
    if (edit.start < at) continue
    pieces.push(bytes.subarray(at, edit.start), Buffer.from(edit.text))
    at = edit.end
  }
  pieces.push(bytes.subarray(at))
  return pieces
}

/** Where the longest value has moved to; `undefined` where it is not kept whole. */
const longestKept = ({ bytes, members }: ObjectBytes, pieces: ReadonlyArray<Buffer>): Span | undefined => {
  let [valueStart, valueEnd] = [0, 0]
  for (const member of members) {
    if (member.valueEnd - member.valueStart > valueEnd - valueStart) ({ valueStart, valueEnd } = member)
  }
  let at = 0
  for (const [index, piece] of pieces.entries()) {
    const from = piece.byteOffset - bytes.byteOffset
    if (index % 2 === 0 && from <= valueStart && valueEnd <= from + piece.length) {
      return { start: at + valueStart - from, end: at + valueEnd - from }
    }
    at += piece.length
  }
  return undefined
}
