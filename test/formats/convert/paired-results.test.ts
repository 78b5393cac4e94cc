import { assert, describe, it } from "@effect/vitest"
import { pairItems } from "../../../src/formats/convert/pair-items.ts"
import { chatModel } from "../../wire/models.ts"
import { convert as toConverse } from "../bedrock-convert.ts"
import { messagesOf as fromChat, calling, returned } from "./chat-requests.ts"
import { assistant, call, messagesOf as toChat, result, text, use, user } from "./messages-requests.ts"

const unanswered = "(this call was not answered)"
const orphan = "Result of the tool call x:"
const tool = (id: string, content: string) => ({ role: "tool", tool_call_id: id, content })
const calls = (...ids: ReadonlyArray<string>) => ({
  role: "assistant",
  content: null,
  tool_calls: ids.map((id) => call(id))
})

describe("calls and results that do not fit each other", () => {
  it("a result without its call is told as text of the user's turn", () => {
    assert.deepStrictEqual(toChat([user(text("q"), result("x", "r"))]), [
      { role: "user", content: `q\n\n${orphan}\n\nr` }
    ])
    assert.deepStrictEqual(fromChat({ role: "user", content: "q" }, returned("x", "r")), [
      user(text("q"), text(orphan), text("r"))
    ])
  })

  it("a call without a result gets one that says so, also behind the last turn", () => {
    const said = [assistant(use("a"), use("b")), user(result("b", "2"), text("q"))]
    assert.deepStrictEqual(toChat(said), [
      calls("a", "b"),
      tool("a", unanswered),
      tool("b", "2"),
      { role: "user", content: "q" }
    ])
    assert.deepStrictEqual(toChat([assistant(use("a"))]), [calls("a"), tool("a", unanswered)])
    assert.deepStrictEqual(fromChat(calling("a", "b"), returned("b", "2"), { role: "user", content: "q" }), [
      assistant(use("a", "f", { a: 1 }), use("b", "f", { a: 1 })),
      user(result("a", unanswered), result("b", "2"), text("q"))
    ])
  })

  it("a result that comes late goes to its call, and of two the last counts", () => {
    const late = [
      assistant(use("a")),
      user(text("q")),
      assistant(text("w")),
      user(result("a", "1"), result("a", "2"))
    ]
    assert.deepStrictEqual(toChat(late), [
      calls("a"),
      tool("a", "2"),
      { role: "user", content: "q" },
      { role: "assistant", content: "w" }
    ])
  })

  it("an id that is used again is another call, in another turn and in the same", () => {
    const again = [
      assistant(use("a")),
      user(result("a", "1")),
      assistant(use("a"), use("a")),
      user(result("a", "2"), result("a", "3"))
    ]
    assert.deepStrictEqual(toChat(again), [
      calls("a"),
      tool("a", "1"),
      calls("a", "a_2"),
      tool("a", "2"),
      tool("a_2", "3")
    ])
    const once = { role: "assistant", content: again[2]!.content! }
    assert.deepStrictEqual(toChat([once, user(result("a", "2"), result("a", "3"), result("a", "4"))]), [
      calls("a", "a_2"),
      tool("a", "2"),
      tool("a_2", "4")
    ])
    const { messages } = toConverse({ messages: again }).body
    const idsOf = (turn: {
      readonly content: ReadonlyArray<Record<string, { readonly toolUseId: string }>>
    }) => turn.content.map(({ toolResult, toolUse }) => (toolUse ?? toolResult)!.toolUseId)
    assert.deepStrictEqual(messages.slice(-2).map(idsOf), [
      ["a", "a_2"],
      ["a", "a_2"]
    ])
  })

  it("Converse gets the same", () => {
    const messages = [assistant(use("a")), user(text("q"), result("x", "r"))]
    assert.deepStrictEqual(toConverse({ messages }).body.messages.at(-1).content, [
      { toolResult: { toolUseId: "a", content: [{ text: unanswered }] } },
      { text: "q" },
      { text: orphan },
      { text: "r" }
    ])
  })

  it("Responses gets no id that is longer than OpenAI takes, however often one is used again", () => {
    const items = Array.from({ length: 1_100 }, () => ({ type: "function_call", call_id: "c".repeat(64) }))
    const sent = pairItems(items, chatModel()).map((item) => String(item["call_id"]))
    assert.isAtMost(Math.max(...sent.map((id) => id.length)), 64)
    assert.strictEqual(new Set(sent).size, items.length)
  })
})
