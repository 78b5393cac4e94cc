/** How pieces stand in a chat stream. */
import type { PieceForm } from "../stream/PieceScanner.ts"

const plainString = '"[^"\\\\\\x00-\\x1f]*"'

/** Members of a chunk that say nothing of its content; the service's tier stays what it is as long as the head does. */
const before = `(?:"(?:id|object|created|model|service_tier|system_fingerprint|provider|usage)":(?:${plainString}|null|\\d+),)*`
const behindChoices = `(?:,"usage":null|,"(?:id|object|created|model|system_fingerprint|obfuscation)":(?:${plainString}|null|\\d+))*`
const nothing = '(?:,"(?:logprobs|finish_reason|native_finish_reason|stop_reason|matched_stop)":null)*'

const delta =
  '"choices":\\[\\{("index":0,)?"delta":\\{(?:"role":"assistant",)?(?:"content":(?:null|""),)?' +
  '(?:"(content|reasoning_content|reasoning)":"|"tool_calls":\\[\\{"index":(\\d+),(?:"id":"",)?(?:"type":"function",)?"function":\\{(?:"name":null,)?"arguments":")'

const none = '"(?:refusal|function_call|tool_calls|audio)":null'

const tailsOf = (behindDelta: string) => {
  const tailOf = (behindPiece: string): RegExp =>
    new RegExp(`"${behindPiece}\\}${behindDelta}\\}\\]${behindChoices}\\}\\n\\n`, "y")
  return {
    text: tailOf(`(?:,${none}|,"(?:reasoning_content|reasoning)":null|,"role":"assistant")*`),
    thinking: tailOf(`(?:,${none}|,"content":(?:null|"")|,"role":"assistant"|,"channel":${plainString})*`),
    input: tailOf("\\}\\}\\]")
  }
}

const tails = { indexBefore: tailsOf(nothing), indexBehind: tailsOf(`${nothing},"index":0${nothing}`) }

export const chatPieces: PieceForm = {
  head: new RegExp(`data: \\{${before}${delta}`, "y"),
  read: ([, index, name, call]) => {
    const kind = call !== undefined ? "input" : name === "content" ? "text" : "thinking"
    const { [kind]: tail } = index === undefined ? tails.indexBehind : tails.indexBefore
    return { place: { kind, index: Number(call ?? 0) }, tail }
  },
  counter: "created"
}
