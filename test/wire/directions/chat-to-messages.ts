import { assert } from "@effect/vitest"
import { Result } from "effect"
import { chatRequestToMessages } from "../../../src/formats/convert/chat-to-messages/request.ts"
import type { JsonObject } from "../../../src/formats/json/json.ts"
import { claudeModel } from "../models.ts"
import type { Direction, Outcome } from "../oracle-case.ts"

const bodyOf = (outcome: Outcome) => outcome.body as JsonObject

export const direction: Direction = {
  direction: "chat->messages",
  run: ({ input }) => {
    const model = claudeModel({ id: String((input as JsonObject).model) })
    const { body } = Result.getOrThrow(chatRequestToMessages(input as JsonObject, model))
    return { body: JSON.parse(JSON.stringify(body)) }
  },
  predicates: {
    "creq-bad-arguments": (outcome) => assert.include(JSON.stringify(bodyOf(outcome)), `"input":{}`),
    "creq-temperature-range": (outcome) => assert.strictEqual(bodyOf(outcome).temperature, 1),
    "creq-max-tokens-missing": (outcome) => assert.strictEqual(bodyOf(outcome).max_tokens, 64_000),
    "creq-reasoning-effort": (outcome) => {
      const body = bodyOf(outcome)
      assert.deepStrictEqual(body.output_config, { effort: "high" })
      for (const field of ["temperature", "top_p", "top_k"]) assert.notProperty(body, field)
    },
    "creq-empty-assistant": (outcome) => {
      const messages = bodyOf(outcome).messages as ReadonlyArray<JsonObject>
      for (const message of messages) {
        assert.isNotEmpty(message.content as ReadonlyArray<unknown>)
        assert.notInclude(JSON.stringify(message.content), `"text":""`)
      }
    }
  }
}
