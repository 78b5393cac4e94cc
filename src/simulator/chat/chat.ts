/** The chat completions interface. */
import { isJsonObject } from "../../formats/json/json.ts"
import { eventStream, keepAlive, plainJson, type StreamWire } from "../http/Answer.ts"
import { completionId } from "../make-id.ts"
import { isMissing } from "../models.ts"
import { givenNumber } from "../read-json.ts"
import { firstComplaint, type Protocol } from "../Protocol.ts"
import { composeTurn } from "../turn/compose-turn.ts"
import { promptOf, readAsk } from "./read-ask.ts"
import { openai, secondsNow } from "../openai/openai.ts"
import { errorBody } from "../openai/refuse.ts"
import { chatRules } from "./rules.ts"
import { type Completion, writeBody, writeChunks } from "./write-answer.ts"
import { missingModel } from "../openai/complaints.ts"
import { serverError } from "../openai/words.ts"
import { successHeaders } from "../openai/headers.ts"

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
      created: secondsNow(),
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
  failure: () => [`data: ${JSON.stringify(errorBody({ message: serverError, type: "server_error" }))}\n\n`],
  rubbish: 'data: {"id":"chatcmpl-rubbish","object":"chat.comp\n\n',
  ping: keepAlive
}
