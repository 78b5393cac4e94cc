/** The row of chat clients whose calls go up as Responses calls of the same provider, without Messages between. */
import { Result } from "effect"
import { believedAnswer, writtenAnew } from "./converted.ts"
import type { Exchange } from "./Pair.ts"
import { responsesPieces } from "./responses/piece-form.ts"
import { ResponsesParticulars } from "./responses/ResponsesParticulars.ts"
import { readToldAgain } from "./responses/told-again.ts"
import { ConvertingCodec } from "./stream/ConvertingCodec.ts"
import { SseEventReader } from "./stream/event-reader.ts"
import { WrittenStage } from "./stream/WrittenStage.ts"
import { chatRequestToResponses } from "./convert/chat-to-responses/request.ts"
import { upstreamBody } from "./convert/requests.ts"
import { chunkWriter } from "./convert/messages-to-chat/chunks.ts"
import { responsesResponseToChat } from "./convert/responses-to-chat/answer.ts"
import { ResponsesStreamToChat } from "./convert/responses-to-chat/ResponsesStreamToChat.ts"

export const chatByResponses: Exchange = {
  ...writtenAnew,
  request: ({ parsed }, { model }) =>
    Result.map(chatRequestToResponses(parsed, model), (responses) => upstreamBody(responses)),
  answer: (answer, _bytes, context) =>
    Result.map(responsesResponseToChat(believedAnswer(answer, context), context), (body) =>
      Buffer.from(JSON.stringify(body))
    ),
  stream: (context) =>
    new ConvertingCodec(
      (sink) => new SseEventReader(sink, responsesPieces, readToldAgain),
      undefined,
      new WrittenStage(new ResponsesStreamToChat(context), chunkWriter(context)),
      new ResponsesParticulars()
    )
}
