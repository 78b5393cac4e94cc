/** Converse and ConverseStream, for every model of Bedrock. */
import { plainJson } from "../http/Answer.ts"
import { isMissing } from "../models.ts"
import { firstComplaint, parseJson, type Protocol } from "../Protocol.ts"
import { composeTurn } from "../turn/compose-turn.ts"
import { authenticate } from "./authenticate.ts"
import { contentType, wire } from "./frames.ts"
import { modelOf } from "./invoke.ts"
import { promptOf, readAsk } from "./read-ask.ts"
import { refuse, successHeaders } from "./refuse.ts"
import { converseRules } from "./rules.ts"
import { writeBody, writeFrames } from "./write-answer.ts"

export const bedrockConverse: Protocol = {
  refuse,
  overloaded: 503,
  authenticate,
  parse: (call) => parseJson(call, { message: "Unexpected token: the request body is not valid JSON." }),
  model: (call) => modelOf(call),
  prompt: promptOf,
  answer: (request) => {
    const { model, call } = request
    if (isMissing(model) || model === "") return { message: "The provided model identifier is invalid." }
    const complaint = firstComplaint(converseRules, request)
    if (complaint !== undefined) return complaint
    const turn = composeTurn(readAsk(request))
    if (!call.path.endsWith("/converse-stream")) return plainJson(200, successHeaders(), writeBody(turn))
    return {
      kind: "stream",
      status: 200,
      headers: [contentType, ...successHeaders()],
      frames: writeFrames(turn),
      wire
    }
  }
}
