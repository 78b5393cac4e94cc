/**
 * Cuts what bears a mark of ours out of a request that goes up in its client's own bytes: a thought that came of another
 * conversion is no thought of the provider that it would go to now. Every other byte stays.
 */
import { isMark, markOfBlock, mayHoldMarks } from "./convert/reasoning-marks.ts"
import { isJsonObject, type Json } from "./json/json.ts"
import { elementsOf, type Member, scanMembers } from "./json/scan.ts"
import { type Edit, removeSpans, type Span } from "./json/splice.ts"

/** Blocks of thinking in a Messages request; a message that held nothing else goes with them. */
export const messagesCuts = (bytes: Buffer, members: ReadonlyArray<Member>): ReadonlyArray<Edit> =>
  cutsIn(bytes, members, "messages", (message) => {
    const parts = contentOf(bytes, message)
    const isCut = parts.map(
      (part) => mayHoldMarks(bytes.subarray(part.start, part.end)) && isMarkedBlock(bytes, part)
    )
    if (isCut.every((cut) => !cut)) return []
    return isCut.every((cut) => cut) ? "whole" : removeSpans(parts, (index) => isCut[index]!)
  })

/** Items of reasoning in a Responses request. */
export const responsesCuts = (bytes: Buffer, members: ReadonlyArray<Member>): ReadonlyArray<Edit> =>
  cutsIn(bytes, members, "input", (item) => {
    const parsed = valueOf(bytes, item)
    return isJsonObject(parsed) && isMark(parsed.encrypted_content) ? "whole" : []
  })

/** `cut` is asked for elements of the list that may hold marks. */
const cutsIn = (
  bytes: Buffer,
  members: ReadonlyArray<Member>,
  name: string,
  cut: (element: Span) => ReadonlyArray<Edit> | "whole"
): ReadonlyArray<Edit> => {
  if (!mayHoldMarks(bytes)) return []
  return members
    .filter((member) => member.name === name)
    .flatMap(({ valueStart }) => {
      const elements = spansOf(bytes, valueStart)
      const cuts = elements.map((element) =>
        mayHoldMarks(bytes.subarray(element.start, element.end)) ? cut(element) : []
      )
      const inside = cuts.flatMap((edits) => (edits === "whole" ? [] : edits))
      return removeSpans(elements, (index) => cuts[index] === "whole").concat(inside)
    })
}

const contentOf = (bytes: Buffer, { end, start }: Span): ReadonlyArray<Span> => {
  const content = scanMembers(bytes.subarray(start, end))?.findLast(({ name }) => name === "content")
  return content === undefined ? [] : spansOf(bytes, start + content.valueStart)
}

const spansOf = (bytes: Buffer, start: number): ReadonlyArray<Span> => {
  const elements = elementsOf(bytes, start, Infinity) ?? []
  return elements.map(({ valueEnd, valueStart }) => ({ start: valueStart, end: valueEnd }))
}

const isMarkedBlock = (bytes: Buffer, block: Span): boolean => {
  const parsed = valueOf(bytes, block)
  return isJsonObject(parsed) && markOfBlock(parsed) !== undefined
}

const valueOf = (bytes: Buffer, { end, start }: Span): Json | undefined => {
  try {
    return JSON.parse(bytes.toString("utf8", start, end)) as Json
  } catch {
    return undefined
  }
}
