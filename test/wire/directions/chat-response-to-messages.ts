import { assert } from "@effect/vitest"
import { Result } from "effect"
import { chatResponseToMessages } from "../../../src/formats/convert/chat-to-messages/answer.ts"
import type { JsonObject } from "../../../src/formats/json/json.ts"
import { contextFor } from "../models.ts"
import type { Direction } from "../oracle-case.ts"

export const direction: Direction = {
  direction: "chat_response->messages_response",
  run: ({ input }) => {
    const body = input as JsonObject
    return Result.match(chatResponseToMessages(body, contextFor(String(body.model))), {
      onSuccess: (message) => ({ body: message }),
      onFailure: ({ type }) => ({ status: 502, body: { error: { type } } })
    })
  },
  predicates: {
    "cres-no-choices": (outcome) =>
      assert.deepStrictEqual(outcome, { status: 502, body: { error: { type: "api_error" } } })
  }
}
