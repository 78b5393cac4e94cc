/** A Messages request as a chat provider takes it, of which some take the bytes of files only. */
import { Result } from "effect"
import { type FileAddress, filesAtHand, hasFilesByUrl, withFileData } from "../../images/file-sources.ts"
import { chatTraitsOf } from "../../chat/chat-traits.ts"
import { type InvalidRequest, refusable } from "../../json/fields.ts"
import type { JsonObject } from "../../json/json.ts"
import type { RequestConverted } from "../conversion.ts"
import {
  type MessagesRequest,
  renamedBefore,
  type RequestOptions,
  upstreamBody,
  type UpstreamBody
} from "../requests.ts"
import { messagesRequestToChat } from "./request.ts"

export const toChat = (
  request: MessagesRequest,
  { files: fetched, model }: RequestOptions
): Result.Result<UpstreamBody, InvalidRequest> => {
  const convert = (body: JsonObject, missing: ReadonlyArray<FileAddress> = []) =>
    Result.map(messagesRequestToChat(body, model), (chat) =>
      upstreamBody(renamedBefore(request.toolNames, withFormat(chat, request.chatFormat)), missing)
    )
  const { bytesOnly } = chatTraitsOf(model)
  if (!hasFilesByUrl(request.body, bytesOnly)) return convert(request.body)
  const { files, missing } = filesAtHand(request.body, fetched, bytesOnly)
  return Result.flatMap(
    refusable(() => ({ ...request.body, messages: withFileData(request.body.messages, files, bytesOnly) })),
    (body) => convert(body, missing)
  )
}

const withFormat = (chat: RequestConverted, format: JsonObject | undefined): RequestConverted =>
  format === undefined ? chat : { ...chat, body: { ...chat.body, response_format: format } }
