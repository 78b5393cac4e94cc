/** Converse and ConverseStream, for every model of Bedrock. */
import { plainJson } from "../http/Answer.ts"
import { firstComplaint, parseJson, type Protocol } from "../Protocol.ts"
import { composeTurn } from "../turn/compose-turn.ts"
import { bedrock, isUnknown, unknownModel } from "./bedrock.ts"
import { contentType, wire } from "./frames.ts"
import { promptOf, readAsk } from "./read-ask.ts"
import { successHeaders } from "./refuse.ts"
import { converseRules } from "./rules.ts"
import { writeBody, writeFrames } from "./write-answer.ts"

export const bedrockConverse: Protocol = {
  ...bedrock,
  parse: (call) => parseJson(call, { message: "Unexpected token: the request body is not valid JSON." }),
  prompt: promptOf,
  answer: (request) => {
    const { model, call } = request
    if (isUnknown(model)) return unknownModel
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
