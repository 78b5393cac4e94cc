/** A Messages request as a chat provider takes it, of which some take the bytes of images only. */
import { Result } from "effect"
import { hasImagesByUrl, imagesAtHand, withImageData } from "../../images/image-sources.ts"
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
  { images: fetched, model }: RequestOptions
): Result.Result<UpstreamBody, InvalidRequest> => {
  const convert = (body: JsonObject, missing: ReadonlyArray<string> = []) =>
    Result.map(messagesRequestToChat(body, model), (chat) =>
      upstreamBody(renamedBefore(request.toolNames, withFormat(chat, request.chatFormat)), missing)
    )
  if (chatTraitsOf(model).imageUrls || !hasImagesByUrl(request.body)) return convert(request.body)
  const { images, missing } = imagesAtHand(request.body, fetched)
  return Result.flatMap(
    refusable(() => ({ ...request.body, messages: withImageData(request.body.messages, images) })),
    (body) => convert(body, missing)
  )
}

const withFormat = (chat: RequestConverted, format: JsonObject | undefined): RequestConverted =>
  format === undefined ? chat : { ...chat, body: { ...chat.body, response_format: format } }
