/**
 * Changes some members of a JSON object while every other byte stays as it is: key order, number precision, escapes and
 * white space survive.
 */
import type { Member } from "./scan.ts"

/** Bytes `start` to `end`. */
export interface Span {
  readonly start: number
  readonly end: number
}

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
export const splice = (bytes: Buffer, edits: ReadonlyArray<Edit>): Buffer => {
  if (edits.length === 0) return bytes
  const parts: Array<Buffer> = []
  let at = 0
  for (const edit of [...edits].sort((left, right) => left.start - right.start)) {
    if (edit.start < at) continue
    parts.push(bytes.subarray(at, edit.start), Buffer.from(edit.text))
    at = edit.end
  }
  parts.push(bytes.subarray(at))
  return Buffer.concat(parts)
}
