/** How pieces stand in a Messages stream. */
import type { PieceKind } from "../stream/pieces.ts"
import type { PieceForm } from "../stream/PieceScanner.ts"

const delta =
  '\\{"type":"content_block_delta","index":(\\d+),"delta":\\{"type":"' +
  '(text_delta","text|thinking_delta","thinking|input_json_delta","partial_json)":"'

const kinds: Readonly<Record<string, PieceKind>> = {
  'text_delta","text': "text",
  'thinking_delta","thinking': "thinking",
  'input_json_delta","partial_json': "input"
}

const formOf = (before: string, behind: string): PieceForm => {
  const tail = new RegExp(behind, "y")
  return {
    head: new RegExp(before + delta, "y"),
    read: ([, index, type]) => {
      const kind = kinds[type!]
      return kind === undefined ? undefined : { place: { kind, index: Number(index) }, tail }
    }
  }
}

/** Spaces hide how long a piece is. */
export const messagesPieces = formOf("event: content_block_delta\\ndata: ", '"\\} *\\} *\\n\\n')

/** The event alone, as Bedrock wraps it. */
export const bareMessagesPieces = formOf("", '"\\}\\}$')
