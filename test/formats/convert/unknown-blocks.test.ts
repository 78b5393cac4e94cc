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
    ["whose type is no text", { type: null, text: "x" }],
    ["of a file in a container", { type: "container_upload", file_id: "f" }]
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

  // A call holds for a picture, a file or a sound as such, and not for words in it.
  it("of another protocol's pictures, files and sounds are told by their address at most", () => {
    const said = (block: object) => {
      const messages = messagesOf([user(text("q")), assistant({ ...block, note: "a note" })])
      return (messages as ReadonlyArray<{ readonly content: string }>)[1]?.content
    }
    assert.strictEqual(
      said({ type: "input_image", image_url: "https://x/a.png" }),
      "[input_image] https://x/a.png"
    )
    assert.strictEqual(
      said({ type: "image", source: { type: "url", url: "https://x/a.png" } }),
      "[image] https://x/a.png"
    )
    assert.strictEqual(said({ type: "input_audio", input_audio: { data: "a b" } }), "[input_audio]")
    assert.strictEqual(
      said({ type: "hologram", held: { type: "file", note: "a note" } }),
      "[hologram] a note"
    )
    const page = { type: "document", title: "T", source: { type: "text", data: "page" } }
    assert.strictEqual(
      said({ type: "web_fetch_tool_result", content: page }),
      "[web_fetch_tool_result] T page a note"
    )
  })
})
