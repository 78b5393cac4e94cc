/** The chat completions interface. */
import { isJsonObject } from "../../formats/json/json.ts"
import { plainJson, type StreamWire } from "../http/Answer.ts"
import { completionId } from "../make-id.ts"
import { isMissing } from "../models.ts"
import { givenNumber } from "../read-json.ts"
import { firstComplaint, type Protocol } from "../Protocol.ts"
import { composeTurn } from "../turn/compose-turn.ts"
import { promptOf, readAsk } from "./read-ask.ts"
import { openai } from "./openai.ts"
import { eventStream, missingModel, successHeaders } from "./refuse.ts"
import { chatRules } from "./rules.ts"
import { type Completion, writeBody, writeChunks } from "./write-answer.ts"

export const chat: Protocol = {
  ...openai,
  prompt: promptOf,
  answer: (request) => {
    const { body, model, settings } = request
    if (isMissing(model)) return missingModel(model)
    const complaint = firstComplaint(chatRules, request)
    if (complaint !== undefined) return complaint
    const turn = composeTurn(readAsk(request))
    const options = body["stream_options"]
    const completion: Completion = {
      id: completionId(),
      model,
      created: Math.floor(Date.now() / 1000),
      settings,
      choices: givenNumber(body["n"]) ?? 1,
      includeUsage: isJsonObject(options) && options["include_usage"] === true
    }
    const headers = successHeaders()
    if (body["stream"] !== true) return plainJson(200, headers, writeBody(completion, turn))
    return {
      kind: "stream",
      status: 200,
      headers: [eventStream, ...headers],
      frames: writeChunks(completion, turn),
      wire
    }
  }
}

const wire: StreamWire = {
  textual: true,
  failure: () => [
    'data: {"error":{"message":"The server had an error while processing your request. Sorry about that!","type":"server_error","param":null,"code":null}}\n\n'
  ],
  rubbish: 'data: {"id":"chatcmpl-rubbish","object":"chat.comp\n\n',
  ping: ": keep-alive\n\n"
}
