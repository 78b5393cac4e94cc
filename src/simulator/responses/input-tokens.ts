/** The token count of the Responses interface: the same figure as the call's own usage. */
import { plainJson } from "../http/Answer.ts"
import { firstComplaint, type Protocol } from "../Protocol.ts"
import { countRequest } from "./read-ask.ts"
import { responses } from "./responses.ts"
import { responsesRules } from "./rules.ts"
import { successHeaders } from "../openai/headers.ts"

export const inputTokens: Protocol = {
  ...responses,
  answer: (request) =>
    firstComplaint(responsesRules, request) ??
    plainJson(200, successHeaders(), {
      object: "response.input_tokens",
      input_tokens: countRequest(request.body)
    })
}
