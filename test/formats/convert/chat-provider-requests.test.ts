/** What chat providers refuse that OpenAI takes, and what is sent to them instead. */
import { assert, describe, it } from "@effect/vitest"
import type { Json, JsonObject } from "../../../src/formats/json.ts"
import {
  assistant,
  call,
  convert,
  messagesOf,
  png,
  pngPart,
  result,
  text,
  use,
  user
} from "./messages-requests.ts"

const rolesAndContents = (messages: Json, provider: string, more: JsonObject = {}) =>
  (convert({ ...more, messages }, { provider }).messages as ReadonlyArray<JsonObject>).map(
    ({ role, content }) => [role, content]
  )

describe("a conversation for Mistral", () => {
  it("has an answer between a tool's result and what the user says behind it", () => {
    const id = "abcdefgh1"
    const messages = messagesOf(
      [user(text("q")), assistant(use(id)), user(result(id, "r"), text("and"), png), user(text("so?"))],
      { provider: "mistral" }
    )
    assert.deepStrictEqual(messages, [
      { role: "user", content: "q" },
      { role: "assistant", content: null, tool_calls: [call(id)] },
      { role: "tool", tool_call_id: id, content: "r" },
      { role: "assistant", content: "I have read the results." },
      user(text("and"), pngPart),
      { role: "user", content: "so?" }
    ])
  })

  it("ends with a tool's result where nothing was said behind it", () => {
    const messages = [assistant(use("a")), user(result("a", "r")), assistant(text("ok")), user(text("q"))]
    assert.deepStrictEqual(rolesAndContents(messages, "mistral"), [
      ["assistant", null],
      ["tool", "r"],
      ["assistant", "ok"],
      ["user", "q"]
    ])
  })
})

describe("a system message in the midst of a conversation", () => {
  const messages = [
    { role: "user", content: "q" },
    { role: "system", content: "S1" },
    assistant(use("a")),
    user(result("a", "r")),
    { role: "system", content: [text("S2"), text("S3")] }
  ]

  it.each([
    ["mistral", [["assistant", "I have read the results."]]],
    ["alibaba", []]
  ])(
    "keeps its place in the user's voice for %s, which takes them at the beginning alone",
    (provider, bridge) => {
      assert.deepStrictEqual(rolesAndContents(messages, provider, { system: "S0" }), [
        ["system", "S0"],
        ["user", "q"],
        ["user", "<system>\nS1\n</system>"],
        ["assistant", null],
        ["tool", "r"],
        ...bridge,
        ["user", "<system>\nS2\n\nS3\n</system>"]
      ])
    }
  )

  it("joins the first one for Qwen, which takes but one", () => {
    const leading = [
      { role: "system", content: "S1" },
      { role: "user", content: "q" }
    ]
    assert.deepStrictEqual(rolesAndContents(leading, "alibaba", { system: "S0" }), [
      ["system", "S0\n\nS1"],
      ["user", "q"]
    ])
  })
})
