/** A Responses request on its way by Messages, and what is told beside it where chat is spoken behind. */
import { Result } from "effect"
import type { Model } from "../../../domain/catalogue.ts"
import { type InvalidRequest, refusable } from "../../json/fields.ts"
import type { JsonObject } from "../../json/json.ts"
import type { MessagesRequest } from "../requests.ts"
import { chatFormat } from "./chat-format.ts"
import { withLastConfiguration } from "./configuration.ts"
import type { MessagesDialect } from "../messages-dialect.ts"
import { responsesRequestToMessages, textFormat } from "./request.ts"

export const responsesToMessages = (
  request: JsonObject,
  model: Model,
  dialect: MessagesDialect
): Result.Result<MessagesRequest, InvalidRequest> => {
  const body = withLastConfiguration(request)
  return Result.flatMap(
    refusable(() => (dialect.chatFormats ? chatFormat(textFormat(body), model) : undefined)),
    (format) => {
      if (format === undefined) return responsesRequestToMessages(body, model, dialect)
      const { text: _, ...rest } = body
      return Result.map(responsesRequestToMessages(rest, model, dialect), (messages) => ({
        ...messages,
        chatFormat: format
      }))
    }
  )
}
