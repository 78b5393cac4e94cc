/** The token count of the Messages interface: the same figure as the call's own usage. */
import { plainJson } from "../http/Answer.ts"
import { isMissing } from "../models.ts"
import { firstComplaint, type Protocol } from "../Protocol.ts"
import { messages } from "./messages.ts"
import { inputTokens } from "./read-ask.ts"
import { successHeaders } from "./refuse.ts"
import { countRules } from "./rules.ts"

export const countTokens: Protocol = {
  ...messages,
  answer: (request) => {
    if (isMissing(request.model)) return { status: 404, message: `model: ${request.model}` }
    return (
      firstComplaint(countRules, request) ??
      plainJson(200, successHeaders(), { input_tokens: inputTokens(request.body) })
    )
  }
}
