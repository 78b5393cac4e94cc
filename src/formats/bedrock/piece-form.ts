/** How pieces stand in the body of a `contentBlockDelta` of Converse. */
import type { PieceForm } from "../stream/PieceScanner.ts"

/** `p` hides how long a piece is. */
const tailOf = (closing: string): RegExp => new RegExp(`"${closing}(?:,"p":"[a-zA-Z0-9]*")?\\}$`, "y")
const flat = tailOf("\\}")
const nested = tailOf("\\}\\}")

export const conversePieces: PieceForm = {
  head: /\{"contentBlockIndex":(\d+),"delta":\{"(text":|reasoningContent":\{"text":|toolUse":\{"input":)"/y,
  read: ([, index, opening]) => {
    const kind = opening === 'text":' ? "text" : opening === 'toolUse":{"input":' ? "input" : "thinking"
    return { place: { kind, index: Number(index) }, tail: kind === "text" ? flat : nested }
  }
}
