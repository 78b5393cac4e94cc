/** The recorded requests of real clients, as they go to a model of the other protocol. */
import { assert, it } from "@effect/vitest"
import { Result } from "effect"
import { readFileSync } from "node:fs"
import { chatRequestToMessages } from "../../src/formats/convert/chat-to-messages/request.ts"
import { messagesRequestToChat } from "../../src/formats/convert/messages-to-chat/request.ts"
import type { JsonObject } from "../../src/formats/json/json.ts"
import { chatModel, claudeModel } from "./models.ts"
import { describeWith, sharedPath } from "../shared-folder.ts"

const folder = sharedPath("fixtures/clients")
const bodyOf = (name: string) =>
  (
    JSON.parse(readFileSync(`${folder}/${name}.json`, "utf8")) as {
      readonly request: { readonly body: JsonObject }
    }
  ).request.body

/** What the catalogue says of OpenAI's models, and of Claude's latest. */
const gpt = chatModel({
  provider: "openai",
  refuses: ["sampling", "stop"],
  outputCapField: "max_completion_tokens"
})
const claude = claudeModel({
  refuses: ["sampling", "forced_tool_choice", "thinking_disabled", "thinking_budget"]
})

const rolesOf = (body: JsonObject) => (body.messages as ReadonlyArray<JsonObject>).map(({ role }) => role)

describeWith("fixtures", "requests of real clients", () => {
  it.each(["claude-code-messages-1", "claude-code-messages-2-tool-result", "claude-code-nonstream-fallback"])(
    "%s reaches a chat model",
    (name) => {
      const asked = bodyOf(name)
      const { body } = Result.getOrThrow(messagesRequestToChat(asked, gpt))
      const own = [
        "model",
        "messages",
        "tools",
        "max_completion_tokens",
        "reasoning_effort",
        "safety_identifier",
        "stream",
        "stream_options"
      ]
      const sent = JSON.parse(JSON.stringify(body)) as JsonObject
      for (const field of Object.keys(sent)) assert.include([...own, "tool_choice"], field)
      assert.notInclude(JSON.stringify(sent.messages), "cache_control")
      assert.strictEqual(rolesOf(sent)[0], "system")
      if (name.includes("tool-result")) assert.includeMembers(rolesOf(sent), ["assistant", "tool"])
    }
  )

  it("opencode's tool loop reaches a Claude model", () => {
    const { body } = Result.getOrThrow(chatRequestToMessages(bodyOf("opencode-chat-2-tool-result"), claude))
    assert.deepStrictEqual(rolesOf(body), ["user", "assistant", "user"])
    const [, called, returned] = body.messages as ReadonlyArray<{
      readonly content: ReadonlyArray<JsonObject>
    }>
    assert.deepStrictEqual(
      called!.content.map(({ type, id }) => [type, id]),
      [["tool_use", "call_stub2"]]
    )
    assert.deepStrictEqual(
      returned!.content.map(({ type, tool_use_id }) => [type, tool_use_id]),
      [["tool_result", "call_stub2"]]
    )
    assert.strictEqual(body.max_tokens, 32_000)
  })
})
