/** How pieces stand in a chat stream. */
import type { PieceForm } from "../stream/PieceScanner.ts"

const plainString = '"[^"\\\\\\x00-\\x1f]*"'

/** Members of a chunk that say nothing of its content; the service's tier stays what it is as long as the head does. */
const before = `(?:"(?:id|object|created|model|service_tier|system_fingerprint|provider|usage)":(?:${plainString}|null|\\d+),)*`
const behindChoices = `(?:,"usage":null|,"(?:obfuscation|system_fingerprint)":${plainString})*`
const behindDelta = '(?:,"(?:logprobs|finish_reason|native_finish_reason|stop_reason|matched_stop)":null)*'

const delta =
  '"choices":\\[\\{"index":0,"delta":\\{(?:"role":"assistant",)?(?:"content":(?:null|""),)?' +
  '(?:"(content|reasoning_content|reasoning)":"|"tool_calls":\\[\\{"index":(\\d+),"function":\\{"arguments":")'

const none = '"(?:refusal|function_call|tool_calls|audio)":null'

const tailOf = (behindPiece: string): RegExp =>
  new RegExp(`"${behindPiece}\\}${behindDelta}\\}\\]${behindChoices}\\}\\n\\n`, "y")

const tails = {
  text: tailOf(`(?:,${none}|,"(?:reasoning_content|reasoning)":null|,"role":"assistant")*`),
  thinking: tailOf(`(?:,${none}|,"content":(?:null|"")|,"role":"assistant")*`),
  input: tailOf("\\}\\}\\]")
}

export const chatPieces: PieceForm = {
  head: new RegExp(`data: \\{${before}${delta}`, "y"),
  read: ([, name, call]) => {
    const kind = call !== undefined ? "input" : name === "content" ? "text" : "thinking"
    return { place: { kind, index: Number(call ?? 0) }, tail: tails[kind] }
  },
  counter: "created"
}
