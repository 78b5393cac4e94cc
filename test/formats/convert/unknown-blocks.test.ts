import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { messagesRequestToResponses } from "../../../src/formats/convert/messages-to-responses/request.ts"
import { chatModel } from "../../wire/models.ts"
import { convert as toConverse } from "../bedrock-convert.ts"
import { assistant, messagesOf, refused as refusedByChat, text, user } from "./messages-requests.ts"

const unknown = { type: "hologram", data: "x" }

describe("content blocks", () => {
  it.each([
    ["of a type nobody knows", unknown],
    ["without a type", { text: "x" }],
    ["whose type is no text", { type: null, text: "x" }]
  ])("%s are refused by name in a user's turn, on the way to every protocol", (_, block) => {
    const messages = [user(text("see"), block)]
    const field = "messages.0.content.1.type"
    assert.strictEqual(refusedByChat({ messages }).field, field)
    assert.strictEqual(toConverse({ messages }).refused?.field, field)
    const request = { model: "m", max_tokens: 99, messages }
    const result = messagesRequestToResponses(request, chatModel())
    assert.strictEqual(Result.isFailure(result) ? result.failure.field : undefined, field)
  })

  it("of a type nobody knows are told as text where the model said them", () => {
    assert.deepStrictEqual(messagesOf([user(text("q")), assistant(unknown), user(text("go on"))]), [
      { role: "user", content: "q" },
      { role: "assistant", content: "[hologram] x" },
      { role: "user", content: "go on" }
    ])
  })
})
