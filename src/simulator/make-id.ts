/** Ids in the forms the providers use: unlike each other, cheap to make. */
import { base62 } from "../domain/base62.ts"

const hexadecimal = "0123456789abcdef"

/** Ids of one process never repeat, and two processes are unlikely to share any. */
let counter = (Date.now() % 0x7fffffff) * 1024

const digits = (length: number, letters: string): string => {
  let state = ++counter >>> 0
  let text = ""
  for (let index = 0; index < length; index++) {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + index + 0x9e3779b9) >>> 0
    text += letters[(state >>> 8) % letters.length]
  }
  return `${(counter % 0xffffff).toString(16)}${text}`.slice(0, length)
}

export const messageId = () => `msg_01${digits(22, base62)}`
export const bedrockMessageId = () => `msg_bdrk_01${digits(22, base62)}`
export const anthropicRequestId = () => `req_011C${digits(20, base62)}`
export const anthropicToolId = () => `toolu_01${digits(22, base62)}`
export const bedrockAnthropicToolId = () => `toolu_bdrk_01${digits(22, base62)}`
export const bedrockToolId = () => `tooluse_${digits(22, base62)}`
export const completionId = () => `chatcmpl-${digits(29, base62)}`
export const callId = () => `call_${digits(24, base62)}`
export const openaiRequestId = () => `req_${digits(32, hexadecimal)}`
export const storedId = (prefix: "resp" | "msg" | "fc" | "ctc" | "rs" | "conv") =>
  `${prefix}_${digits(50, hexadecimal)}`

export const uuid = () => {
  const hex = digits(32, hexadecimal)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`
}
