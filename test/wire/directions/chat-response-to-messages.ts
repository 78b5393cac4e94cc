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
    return { body: Result.getOrThrow(chatResponseToMessages(body, contextFor(String(body.model)))) }
  },
  predicates: {
    "cres-no-choices": ({ body }) => {
      const answer = body as { readonly content: unknown; readonly usage: JsonObject }
      assert.deepStrictEqual(answer.content, [])
      assert.strictEqual(answer.usage.input_tokens, 5)
    }
  }
}
