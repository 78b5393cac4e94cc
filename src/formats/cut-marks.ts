/**
 * Cuts what bears a mark of ours out of a request that goes up in its client's own bytes: a thought that came of another
 * conversion is no thought of the provider that it would go to now, nor is one that another provider signed. So does what
 * clients send back of other providers' thoughts where it is refused. Every other byte stays.
 */
import type { ClientRequest } from "./convert/requests.ts"
import { thinkingWithoutBudget } from "./convert/reasoning.ts"
import { isForeignThought, isMark, markOfBlock, withoutForeignThoughts } from "./convert/reasoning-marks.ts"
import { isJsonObject, type Json, type JsonObject, objectOf } from "./json/json.ts"
import { elementsOf, memberNamed, scanMembers, type Span } from "./json/scan.ts"
import { type Edit, removeMembers, removeSpans, replaceValue } from "./json/splice.ts"

/**
 * Blocks of thinking in a Messages request to this family; a message that held nothing else goes with them. Claude takes
 * no budget for thinking where calls are left without their thought.
 */
export const messagesCuts = (request: ClientRequest, family: string): ReadonlyArray<Edit> => {
  const cuts = blockCuts(request, family)
  if (cuts.length === 0 || family !== "claude") return cuts
  const messages = withoutForeignThoughts(request.parsed.messages, family)
  const thinking = thinkingWithoutBudget({ ...request.parsed, messages })
  return thinking === undefined
    ? cuts
    : [...cuts, ...replaceValue(request.members, "thinking", JSON.stringify(thinking))]
}

const blockCuts = (request: ClientRequest, family: string): ReadonlyArray<Edit> =>
  cutsIn(request, "messages", (message) => {
    const { content } = objectOf(message)
    if (!Array.isArray(content)) return "nothing"
    const isCut = content.map((block: Json) => isJsonObject(block) && isForeignThought(block, family))
    if (!isCut.includes(true)) return "nothing"
    return isCut.includes(false) ? { gone: [], list: "content", isCut } : "whole"
  })

/**
 * The same blocks beside the text of a chat request's messages, and what else of other providers' answers this one refuses
 * in a message.
 */
export const chatCuts = (request: ClientRequest, refused: ReadonlyArray<string> = []): ReadonlyArray<Edit> =>
  cutsIn(request, "messages", (message) => {
    if (!isJsonObject(message)) return "nothing"
    const blocks = message.thinking_blocks
    const isCut = Array.isArray(blocks) ? blocks.map(isMarkedBlock) : []
    const isAllCut = isCut.includes(true) && !isCut.includes(false)
    const gone = [...refused.filter((name) => name in message), ...(isAllCut ? ["thinking_blocks"] : [])]
    if (gone.length === 0 && !isCut.includes(true)) return "nothing"
    return saysMore(message, gone) ? { gone, list: "thinking_blocks", isCut } : "whole"
  })

const saysMore = ({ content, role: _role, ...others }: JsonObject, gone: ReadonlyArray<string>): boolean =>
  (content ?? "") !== "" ||
  Object.entries(others).some(([name, value]) => value !== null && !gone.includes(name))

/** Items of reasoning in a Responses request. */
export const responsesCuts = (request: ClientRequest): ReadonlyArray<Edit> =>
  cutsIn(request, "input", (item) =>
    isJsonObject(item) && isMark(item.encrypted_content) ? "whole" : "nothing"
  )

/** What is cut of an element: itself, or members of it and some parts of a list in it. */
type Cut = "nothing" | "whole" | Parts

interface Parts {
  readonly gone: ReadonlyArray<string>
  readonly list: "content" | "thinking_blocks"
  readonly isCut: ReadonlyArray<boolean>
}

/** Nearly always there is nothing: only then are the elements looked for in the bytes. */
const cutsIn = (
  { bytes, members, parsed }: ClientRequest,
  name: "input" | "messages",
  cutOf: (element: Json) => Cut
): ReadonlyArray<Edit> => {
  const list = parsed[name]
  const member = memberNamed(members, name)
  if (!Array.isArray(list) || member === undefined) return []
  const cuts = list.map(cutOf)
  if (cuts.every((cut) => cut === "nothing")) return []
  const elements = spansOf(bytes, member.valueStart)
  const inside = cuts.flatMap((cut, index) =>
    typeof cut === "string" ? [] : partsCut(bytes, elements[index]!, cut)
  )
  return removeSpans(elements, (index) => cuts[index] === "whole").concat(inside)
}

const isMarkedBlock = (block: Json): boolean => isJsonObject(block) && markOfBlock(block) !== undefined

const partsCut = (bytes: Buffer, { end, start }: Span, { gone, isCut, list }: Parts): ReadonlyArray<Edit> => {
  const members = scanMembers(bytes.subarray(start, end)) ?? []
  const removed = removeMembers(members, ({ name }) => gone.includes(name)).map(({ text, ...span }) => ({
    start: start + span.start,
    end: start + span.end,
    text
  }))
  const member = memberNamed(members, list)
  return member === undefined || gone.includes(list)
    ? removed
    : removed.concat(removeSpans(spansOf(bytes, start + member.valueStart), (part) => isCut[part] === true))
}

const spansOf = (bytes: Buffer, start: number): ReadonlyArray<Span> =>
  elementsOf(bytes, start, Infinity) ?? []
