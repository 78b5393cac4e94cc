/** How pieces stand in a Responses stream. */
import type { PieceKind } from "../stream/pieces.ts"
import type { PieceForm } from "../stream/PieceScanner.ts"

const plainString = '"[^"\\\\\\x00-\\x1f]*"'

const kinds: Readonly<Record<string, PieceKind>> = {
  output_text: "text",
  reasoning_summary_text: "thinking",
  reasoning_text: "thinking",
  function_call_arguments: "input"
}

const tail = new RegExp(
  `"(?:,"logprobs":\\[\\]|,"obfuscation":${plainString}|,"sequence_number":\\d+)*\\}\\n\\n`,
  "y"
)

export const responsesPieces: PieceForm = {
  head: new RegExp(
    `event: response\\.(\\w+)\\.delta\\ndata: \\{"type":"response\\.\\1\\.delta",` +
      `(?:"sequence_number":\\d+,)?"item_id":${plainString},"output_index":(\\d+),` +
      `(?:"content_index":\\d+,|"summary_index":(\\d+),)?"delta":"`,
    "y"
  ),
  place: ([, name, index, summary]) => {
    const kind = kinds[name!]
    if (kind === undefined || (name === "reasoning_summary_text") !== (summary !== undefined))
      return undefined
    const part = name === "reasoning_text" ? "text" : summary === undefined ? undefined : Number(summary)
    return { kind, index: Number(index), part }
  },
  tail: { text: tail, thinking: tail, input: tail },
  counter: "sequence_number"
}
