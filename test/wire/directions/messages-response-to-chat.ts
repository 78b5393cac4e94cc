import { Result } from "effect"
import { messagesResponseToChat } from "../../../src/formats/convert/messages-to-chat/answer.ts"
import type { JsonObject } from "../../../src/formats/json/json.ts"
import { contextFor } from "../models.ts"
import type { Direction } from "../oracle-case.ts"

export const direction: Direction = {
  direction: "messages_response->chat_response",
  run: ({ input }) => {
    const body = input as JsonObject
    return { body: Result.getOrThrow(messagesResponseToChat(body, contextFor(String(body.model)))) }
  },
  predicates: {}
}
