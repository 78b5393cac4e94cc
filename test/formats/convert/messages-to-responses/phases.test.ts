/** What a model said on its way to a call, told from its answers; after the API reference of Responses, `phase`. */
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { chatRequestToResponses } from "../../../../src/formats/convert/chat-to-responses/request.ts"
import { messagesRequestToResponses } from "../../../../src/formats/convert/messages-to-responses/request.ts"
import { type JsonObject, objectsOf } from "../../../../src/formats/json/json.ts"
import { chatModel } from "../../../wire/models.ts"
import { calling, fn, returned } from "../chat-requests.ts"
import { assistant, result, text, use, user } from "../messages-requests.ts"

const refuses = ["sampling", "tools_with_reasoning"] as const
const phased = chatModel({ refuses })
const phasesOf = ({ body }: { readonly body: JsonObject }) =>
  objectsOf(body.input).flatMap(({ phase, role }) => (role === undefined ? [] : [[role, phase]]))
const asked = ["user", undefined]
const before = ["assistant", "commentary"]
const answered = ["assistant", "final_answer"]

describe("the phases of a session", () => {
  const messages = [
    user(text("q")),
    assistant(text("I look")),
    assistant(use("a"), text("and wait")),
    user(result("a", "1")),
    assistant(text("it is 1")),
    user(text("thanks"))
  ]
  const request = { model: "m", max_tokens: 100, messages }

  it("of a Messages client are told: all that was said in the turn of a call is no answer", () => {
    const sent = Result.getOrThrow(messagesRequestToResponses(request, phased))
    assert.deepStrictEqual(phasesOf(sent), [asked, before, before, answered, asked])
  })

  it("of a chat client are told", () => {
    const chat = [
      { role: "user", content: "q" },
      { ...calling("a"), content: "I look" },
      returned("a", "1"),
      { role: "assistant", content: "it is 1" },
      { role: "user", content: "thanks" }
    ]
    const body = { model: "m", messages: chat, tools: [fn("f")] }
    const sent = Result.getOrThrow(chatRequestToResponses(body, phased))
    assert.deepStrictEqual(phasesOf(sent), [asked, before, answered, asked])
  })

  it("are not told to models from before them", () => {
    const sent = Result.getOrThrow(messagesRequestToResponses(request, chatModel()))
    for (const [, phase] of phasesOf(sent)) assert.strictEqual(phase, undefined)
  })
})
