/** The Responses interface, with what it stores. */
import { type JsonObject, listOf } from "../../formats/json/json.ts"
import { openai, secondsNow } from "../openai/openai.ts"
import { eventStream, keepAlive, plainJson } from "../http/Answer.ts"
import { storedId } from "../make-id.ts"
import { isMissing } from "../models.ts"
import { firstComplaint, type Protocol } from "../Protocol.ts"
import { composeTurn } from "../turn/compose-turn.ts"
import { accountOf } from "./encrypted-content.ts"
import { keep, keepItem } from "./kept.ts"
import { continued, conversationId, ownItems, promptOf, readAsk } from "./read-ask.ts"
import { responsesRules } from "./rules.ts"
import { type Draft, finalStatus, outputItems, responseObject } from "./write-answer.ts"
import { ResponseStream } from "./write-events.ts"
import { missingModel } from "../openai/complaints.ts"
import { successHeaders } from "../openai/headers.ts"

export const responses: Protocol = {
  ...openai,
  prompt: promptOf,
  answer: (request) => {
    const { body, call, model } = request
    if (isMissing(model)) return missingModel(model)
    const complaint = firstComplaint(responsesRules, request)
    if (complaint !== undefined) return complaint
    const draft: Draft = {
      id: storedId("resp"),
      created: secondsNow(),
      request: body,
      model,
      turn: composeTurn(readAsk(request)),
      encryptsFor: listOf(body["include"]).includes("reasoning.encrypted_content")
        ? accountOf(call)
        : undefined
    }
    const headers = successHeaders()
    if (body["stream"] === true) {
      const stream = new ResponseStream(draft, (output) => store(draft, output))
      return {
        kind: "stream",
        status: 200,
        headers: [eventStream, ...headers],
        frames: stream.frames(),
        wire: { textual: true, failure: () => stream.failure(), rubbish, ping: keepAlive }
      }
    }
    const output = outputItems(draft, false).map(({ finished }) => finished)
    store(draft, output)
    return plainJson(200, headers, responseObject(draft, finalStatus(draft.turn), output))
  }
}

const rubbish = 'event: response.output_text.delta\ndata: {"type":"response.output_te\n\n'

const store = ({ id, request, turn }: Draft, output: ReadonlyArray<JsonObject>): void => {
  const stored = {
    items: [...continued(request).items, ...ownItems(request), ...output],
    tokens: (turn.usage?.input ?? 0) + (turn.usage?.output ?? 0)
  }
  if (request["store"] !== false) {
    keep(id, stored)
    for (const item of output) keepItem(item)
  }
  const conversation = conversationId(request)
  if (conversation !== undefined) keep(conversation, stored)
}
