import { assert } from "@effect/vitest"
import { Result } from "effect"
import { chatResponseToMessages } from "../../../src/formats/convert/chat-to-messages/answer.ts"
import { messagesRequestToChat } from "../../../src/formats/convert/messages-to-chat/request.ts"
import type { JsonObject } from "../../../src/formats/json/json.ts"
import { chatModel, contextFor } from "../models.ts"
import type { Direction, OracleCase } from "../oracle-case.ts"

const convert = (input: JsonObject) =>
  Result.getOrThrow(messagesRequestToChat(input, chatModel({ id: String(input.model) })))

const namesSent = (body: JsonObject) =>
  (body.tools as ReadonlyArray<{ readonly function: { readonly name: string } }>).map(
    (tool) => tool.function.name
  )

const longNamesAreMapped = (oracleCase: OracleCase) => {
  const input = oracleCase.input as JsonObject & { readonly tools: ReadonlyArray<JsonObject> }
  const long = String(input.tools[0]!.name)
  const other = { ...input.tools[0]!, name: `${long}-other` }
  const history = { role: "assistant", content: [{ type: "tool_use", id: "t", name: long, input: {} }] }
  const { body, toolNames } = convert({
    ...input,
    tools: [input.tools[0]!, other],
    messages: [...(input.messages as ReadonlyArray<JsonObject>), history],
    tool_choice: { type: "tool", name: long }
  })
  const [sent, otherSent] = namesSent(body)
  assert.match(sent!, /^[a-zA-Z0-9_-]{1,64}$/)
  assert.match(otherSent!, /^[a-zA-Z0-9_-]{1,64}$/)
  assert.notStrictEqual(sent, otherSent)
  assert.deepStrictEqual(body.tool_choice, { type: "function", function: { name: sent } })
  assert.include(JSON.stringify(body.messages), `"name":"${sent}"`)
  const call = { id: "c", type: "function", function: { name: sent!, arguments: "{}" } }
  const answer = Result.getOrThrow(
    chatResponseToMessages(
      { choices: [{ message: { tool_calls: [call] }, finish_reason: "tool_calls" }] },
      contextFor("m", { toolNames })
    )
  )
  assert.include(JSON.stringify(answer.content), `"name":"${long}"`)
}

export const direction: Direction = {
  direction: "messages->chat",
  run: (oracleCase) => ({ body: JSON.parse(JSON.stringify(convert(oracleCase.input as JsonObject).body)) }),
  predicates: {
    "req-tool-result-image-array": ({ body }) => {
      const messages = (body as { readonly messages: ReadonlyArray<JsonObject> }).messages
      const tool = messages.findIndex((message) => message.role === "tool")
      assert.isAtLeast(tool, 0)
      assert.isString(messages[tool]!.content)
      const after = messages.slice(tool + 1).find((message) => message.role === "user")
      assert.include(JSON.stringify(after?.content), `"image_url"`)
      assert.notInclude(JSON.stringify(messages[tool]), "base64")
    },
    "req-tool-name-over-64": (_, oracleCase) => longNamesAreMapped(oracleCase),
    "req-cache-control-stripped": ({ body }) => assert.notInclude(JSON.stringify(body), "cache_control"),
    "req-unknown-top-level-fields": ({ body }) => {
      const unknown = ["context_management", "thinking", "output_config", "top_k", "metadata"]
      for (const field of unknown) assert.notProperty(body, field)
    },
    "req-server-tool-not-forwarded-as-function": ({ body }) =>
      assert.notInclude(JSON.stringify(body), `"web_search"`)
  }
}
