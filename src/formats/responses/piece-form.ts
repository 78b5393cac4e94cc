/** How pieces stand in a Responses stream, whose servers write the members of an event in more than one order. */
import type { PieceKind } from "../stream/pieces.ts"
import type { PieceForm } from "../stream/PieceScanner.ts"

const plainString = '"[^"\\\\\\x00-\\x1f]*"'

const kinds: Readonly<Record<string, PieceKind>> = {
  output_text: "text",
  reasoning_summary_text: "thinking",
  reasoning_text: "thinking",
  function_call_arguments: "input"
}

/** Members that no converter reads. */
const unread = `(?:,"logprobs":\\[\\]|,"(?:item_id|obfuscation)":${plainString}|,"(?:content_index|sequence_number)":(?:0|[1-9]\\d*))*`

/** Digits of the member among these; the last one counts, as for who parses it. */
const numberOf = (name: string, members: string): string | undefined =>
  [...members.matchAll(new RegExp(`(?:^|,)"${name}":(\\d+)`, "g"))].at(-1)?.[1]

/** Makes no second one for the same members. */
let lastTail = /(?!)/y

const tailOf = (...members: ReadonlyArray<string>): RegExp => {
  const source = `"${unread}${members.map((member) => `,${member}${unread}`).join("")}\\}\\n\\n`
  if (lastTail.source !== source) lastTail = new RegExp(source, "y")
  return lastTail
}

export const responsesPieces: PieceForm = {
  head: new RegExp(
    `event: response\\.(\\w+)\\.delta\\ndata: \\{"type":"response\\.\\1\\.delta",` +
      `((?:"(?:item_id|sequence_number|output_index|content_index|summary_index)":(?:${plainString}|\\d+),)*)"delta":"`,
    "y"
  ),
  read: ([, name, before], behind) => {
    const kind = kinds[name!]
    const known = numberOf("output_index", before!)
    const index = known ?? numberOf("output_index", behind)
    if (kind === undefined || index === undefined) return undefined
    const members = known === undefined ? [`"output_index":${index}`] : []
    if (name !== "reasoning_summary_text") {
      const part = name === "reasoning_text" ? "text" : undefined
      return { place: { kind, index: Number(index), part }, tail: tailOf(...members) }
    }
    const knownPart = numberOf("summary_index", before!)
    const part = knownPart ?? numberOf("summary_index", behind)
    if (part === undefined) return undefined
    if (knownPart === undefined) members.push(`"summary_index":${part}`)
    return { place: { kind, index: Number(index), part: Number(part) }, tail: tailOf(...members) }
  },
  counter: "sequence_number"
}

/** Those whose number stands before them. */
export const numberedPieces: PieceForm = {
  ...responsesPieces,
  read: (groups, behind) =>
    numberOf("sequence_number", groups[2]!) === undefined ? undefined : responsesPieces.read(groups, behind)
}
