/** The Messages interface. */
import { stringOf } from "../../formats/json/json.ts"
import { eventStream, type Frame, plainJson, type StreamWire } from "../http/Answer.ts"
import { anthropicRequestId, anthropicToolId, messageId } from "../make-id.ts"
import { isMissing } from "../models.ts"
import { type Call, type Complaint, firstComplaint, parseJson, type Protocol } from "../Protocol.ts"
import { composeTurn } from "../turn/compose-turn.ts"
import { promptOf, readAsk } from "./read-ask.ts"
import { refuse, successHeaders } from "./refuse.ts"
import { messagesRules } from "./rules.ts"
import { keepThread, withHistory } from "./threads.ts"
import { contentOf, type Event, writeBody, writeEvents } from "./write-answer.ts"

const authenticate = ({ headers }: Call): Complaint | undefined => {
  const key = headers["x-api-key"] ?? headers["authorization"]?.replace(/^bearer /i, "")
  if (key === undefined || key === "") return { message: "x-api-key header is required" }
  if (key.includes("invalid")) return { message: "invalid x-api-key" }
  return headers["anthropic-version"] === undefined
    ? { status: 400, message: "anthropic-version: header is required" }
    : undefined
}

export const messages: Protocol = {
  refuse,
  overloaded: 529,
  authenticate,
  parse: (call) => parseJson(call, { message: "The request body is not valid JSON." }),
  model: (_, body) => stringOf(body["model"]),
  prompt: promptOf,
  answer: (asked) => {
    if (isMissing(asked.model)) return { status: 404, message: `model: ${asked.model}` }
    const request = withHistory(asked)
    if ("message" in request) return request
    const complaint = firstComplaint(messagesRules, request)
    if (complaint !== undefined) return complaint
    const turn = composeTurn(readAsk(request, anthropicToolId))
    const identity = { id: messageId(), model: request.model }
    keepThread(request, identity.id, contentOf(turn))
    const headers = successHeaders()
    if (request.body["stream"] !== true) return plainJson(200, headers, writeBody(identity, turn))
    const frames = toServerSentEvents(writeEvents(identity, turn))
    return {
      kind: "stream",
      status: 200,
      headers: [eventStream, ["cache-control", "no-cache"], ...headers],
      frames,
      wire
    }
  }
}

const toFrame = ([name, json]: Event): string => `event: ${name}\ndata: ${json}\n\n`

function* toServerSentEvents(events: Iterable<Event>): Generator<Frame> {
  for (const event of events) yield toFrame(event)
}

const wire: StreamWire = {
  textual: true,
  failure: () => [
    toFrame([
      "error",
      `{"type":"error","error":{"details":null,"type":"overloaded_error","message":"Overloaded"},"request_id":"${anthropicRequestId()}"}`
    ])
  ],
  rubbish: 'event: content_block_delta\ndata: {"type":"content_block_del\n\n',
  ping: 'event: ping\ndata: {"type": "ping"}\n\n'
}
