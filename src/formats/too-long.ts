/**
 * A prompt that is too long for its model, told in the words of the client's own protocol: agents that read them sum up
 * their conversation and go on, while those of another protocol stop them for good.
 */
import type { ErrorType } from "./errors/upstream-errors.ts"

export interface Told {
  readonly type: ErrorType
  readonly message: string
  readonly code?: string | undefined
}

/** Claude Code looks for this sentence alone, whatever the status: Menci/Floway #166, musistudio/claude-code-router #1799. */
const messagesWords = "prompt is too long"
/** Anthropic's of a prompt that would fit with a lower cap; clients find the cap to send in it. */
const capWords = "`max_tokens` exceed context limit"
const openaiCode = "context_length_exceeded"

/** What providers write of it, one line for each way to say it. */
const tooLong = new RegExp(
  [
    messagesWords,
    "input is too long",
    "maximum (context|prompt) length",
    "exceeds? (the |its )?context (window|limit)",
    "context (window|limit) exceed",
    "token count .*exceeds",
    "exceeded model token limit",
    "prompt exceeds max length",
    "range of input length",
    "input tokens exceed",
    "too many input tokens",
    "reduce the length of the (messages|prompt)",
    "longer than the (maximum model|model's context) length",
    "input length \\d+ exceeds the maximum length",
    "exceeds the available context size"
  ].join("|"),
  "i"
)

/** Any other error stays as it is, and so do words and codes that say it already. */
export const tellTooLong = <Error extends Told>(error: Error, toMessagesClient: boolean): Error => {
  const { code, message, type } = error
  if (type !== "invalid_request_error" && type !== "request_too_large") return error
  if (code !== openaiCode && !tooLong.test(message)) return error
  // A number is a status, or a code of the provider's own.
  if (!toMessagesClient)
    return { ...error, code: code === undefined || /^\d+$/.test(code) ? openaiCode : code }
  return message.toLowerCase().includes(messagesWords) || message.includes(capWords)
    ? error
    : { ...error, message: `${messagesWords}: ${message}` }
}
