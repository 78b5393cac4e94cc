/**
 * Cuts what bears a mark of ours out of a request that goes up in its client's own bytes: a thought that came of another
 * conversion is no thought of the provider that it would go to now. Every other byte stays.
 */
import type { ClientRequest } from "./convert/requests.ts"
import { isMark, markOfBlock } from "./convert/reasoning-marks.ts"
import { isJsonObject, type Json } from "./json/json.ts"
import { elementsOf, scanMembers, type Span } from "./json/scan.ts"
import { type Edit, removeSpans } from "./json/splice.ts"

/** Blocks of thinking in a Messages request; a message that held nothing else goes with them. */
export const messagesCuts = (request: ClientRequest): ReadonlyArray<Edit> =>
  cutsIn(request, "messages", (message) => {
    const content = isJsonObject(message) ? message.content : undefined
    if (!Array.isArray(content)) return "nothing"
    const isCut = content.map(isMarkedBlock)
    if (!isCut.includes(true)) return "nothing"
    return isCut.includes(false) ? isCut : "whole"
  })

/** Items of reasoning in a Responses request. */
export const responsesCuts = (request: ClientRequest): ReadonlyArray<Edit> =>
  cutsIn(request, "input", (item) =>
    isJsonObject(item) && isMark(item.encrypted_content) ? "whole" : "nothing"
  )

/** What is cut of an element: itself, or some parts of its content. */
type Cut = "nothing" | "whole" | ReadonlyArray<boolean>

/** Nearly always there is nothing: only then are the elements looked for in the bytes. */
const cutsIn = (
  { bytes, members, parsed }: ClientRequest,
  name: "input" | "messages",
  cutOf: (element: Json) => Cut
): ReadonlyArray<Edit> => {
  const list = parsed[name]
  const member = members.findLast((each) => each.name === name)
  if (!Array.isArray(list) || member === undefined) return []
  const cuts = list.map(cutOf)
  if (cuts.every((cut) => cut === "nothing")) return []
  const elements = spansOf(bytes, member.valueStart)
  const inside = cuts.flatMap((cut, index) =>
    typeof cut === "string" ? [] : removeSpans(contentOf(bytes, elements[index]!), (part) => cut[part]!)
  )
  return removeSpans(elements, (index) => cuts[index] === "whole").concat(inside)
}

const isMarkedBlock = (block: Json): boolean => isJsonObject(block) && markOfBlock(block) !== undefined

const contentOf = (bytes: Buffer, { end, start }: Span): ReadonlyArray<Span> => {
  const content = scanMembers(bytes.subarray(start, end))?.findLast(({ name }) => name === "content")
  return content === undefined ? [] : spansOf(bytes, start + content.valueStart)
}

const spansOf = (bytes: Buffer, start: number): ReadonlyArray<Span> => {
  const elements = elementsOf(bytes, start, Infinity) ?? []
  return elements.map(({ valueEnd, valueStart }) => ({ start: valueStart, end: valueEnd }))
}
