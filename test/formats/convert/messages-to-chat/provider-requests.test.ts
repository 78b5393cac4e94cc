/** What chat providers refuse that OpenAI takes, and what is sent to them instead. */
import { assert, describe, it } from "@effect/vitest"
import type { Json, JsonObject } from "../../../../src/formats/json/json.ts"
import {
  assistant,
  call,
  convert,
  messagesOf,
  png,
  pngPart,
  refused,
  result,
  text,
  tool,
  use,
  user
} from "../messages-requests.ts"

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

  it("has files in Mistral's own form, also those of a tool's result", () => {
    const source = { type: "base64", media_type: "application/pdf", data: "JVBE" }
    const file = {
      type: "document_url",
      document_url: "data:application/pdf;base64,JVBE",
      document_name: "a.pdf"
    }
    const document = { type: "document", title: "a.pdf", source }
    const url = "https://a.example/a.pdf"
    const there = { type: "document", source: { type: "url", url } }
    assert.deepStrictEqual(messagesOf([user(there)], { provider: "mistral" }), [
      user({ type: "document_url", document_url: url, document_name: "document.pdf" })
    ])
    assert.deepStrictEqual(messagesOf([user(document, text("read it"))], { provider: "mistral" }), [
      user(file, text("read it"))
    ])
    const read = messagesOf([assistant(use("a")), user(result("a", [document]))], { provider: "mistral" })
    assert.deepInclude((read as ReadonlyArray<JsonObject>).at(-1)!.content as ReadonlyArray<Json>, file)
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
    ["mistral", null, [["assistant", "I have read the results."]]],
    ["alibaba", "", []]
  ])(
    "keeps its place in the user's voice for %s, which takes them at the beginning alone",
    (provider, noWords, bridge) => {
      assert.deepStrictEqual(rolesAndContents(messages, provider, { system: "S0" }), [
        ["system", "S0"],
        ["user", "q"],
        ["user", "<system>\nS1\n</system>"],
        ["assistant", noWords],
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

const tools = [tool("f"), tool("g")]
const named = { type: "tool", name: "g" }
const namedInChat = { type: "function", function: { name: "g" } }

/** What is sent of the tools' names, the choice among them and the thinking. */
const choosing = (tool_choice: JsonObject, provider: string, id: string, more: JsonObject = {}) => {
  const body = convert({ tools, tool_choice, ...more }, { provider, id })
  const sent = (body.tools ?? []) as ReadonlyArray<{ readonly function: { readonly name: string } }>
  const { enable_thinking, reasoning_effort, thinking } = body
  return [
    sent.map((one) => one.function.name).join(""),
    body.tool_choice,
    enable_thinking ?? reasoning_effort ?? (thinking as JsonObject | undefined)?.type
  ]
}

describe("a tool that must be called", () => {
  it.each([
    ["zai", "glm-5.3"],
    ["meta", "muse-spark-1.3"]
  ])(
    "is left to a model of %s (%s), which takes no other choice, and no tool is sent where none may be",
    (provider, id) => {
      for (const choice of [{ type: "any" }, named, { type: "auto" }])
        assert.deepStrictEqual(choosing(choice, provider, id), ["fg", "auto", undefined])
      assert.deepStrictEqual(choosing({ type: "none" }, provider, id), ["", undefined, undefined])
    }
  )

  it.each([
    ["deepseek", "deepseek-v4-pro", "disabled"],
    ["moonshotai", "kimi-k2.6", "disabled"],
    ["alibaba", "qwen3.7-max", false]
  ])(
    "is called without a thought by %s's %s, which refuses both at once and thinks unless told",
    (provider, id, off) => {
      const thinking = { thinking: { type: "adaptive" } }
      for (const more of [{}, thinking]) {
        assert.deepStrictEqual(choosing({ type: "any" }, provider, id, more), ["fg", "required", off])
        assert.deepStrictEqual(choosing(named, provider, id, more), ["fg", namedInChat, off])
      }
      assert.deepStrictEqual(choosing({ type: "auto" }, provider, id), ["fg", "auto", undefined])
    }
  )

  it("is the only one that Kimi K3 gets, which can be forced but not to one by its name", () => {
    assert.deepStrictEqual(choosing({ type: "any" }, "moonshotai", "kimi-k3"), ["fg", "required", undefined])
    assert.deepStrictEqual(choosing(named, "moonshotai", "kimi-k3"), ["g", "required", undefined])
    const unknown = refused(
      { tools, tool_choice: { ...named, name: "h" } },
      { provider: "moonshotai", id: "kimi-k3" }
    )
    assert.strictEqual(unknown.field, "tool_choice.name")
  })

  it("is left to Kimi K2.7 Code, which always thinks", () => {
    for (const choice of [{ type: "any" }, named])
      assert.deepStrictEqual(choosing(choice, "moonshotai", "kimi-k2.7-code"), ["fg", "auto", undefined])
  })
})

it.each(["xai", "alibaba"])(
  "a call without words has empty ones for %s, which refuses a message without any",
  (provider) => {
    const messages = [user(text("q")), assistant(use("t1"))]
    const [, message] = messagesOf(messages, { provider }) as ReadonlyArray<JsonObject>
    assert.deepInclude(message, { role: "assistant", content: "", tool_calls: [call("t1")] })
  }
)

it("an answer that the client began is told as such to Mistral, which refuses it otherwise", () => {
  const begun = [user(text("q")), assistant(text("It is"))]
  const [, mistral] = messagesOf(begun, { provider: "mistral" }) as ReadonlyArray<JsonObject>
  assert.deepStrictEqual(mistral, { role: "assistant", content: "It is", prefix: true })
  assert.notInclude(JSON.stringify(messagesOf(begun)), "prefix")
})

it("Mistral is not asked for the usage of a stream, which it gives unasked and refuses to be asked for", () => {
  const body = convert({ stream: true }, { provider: "mistral" })
  assert.strictEqual(body.stream, true)
  assert.notProperty(body, "stream_options")
})

it("an answer behind a tool's result says for DeepSeek that its reasoning is not known, and for no other", () => {
  const turns = [
    assistant(use("t1")),
    user(result("t1", "r")),
    assistant(text("so")),
    { role: "assistant", content: "done" }
  ]
  const reasoningFor = (provider: string) =>
    (messagesOf(turns, { provider }) as ReadonlyArray<JsonObject>)
      .filter(({ role }) => role === "assistant")
      .map((message) => message.reasoning_content)
  assert.deepStrictEqual(reasoningFor("deepseek"), ["(not recorded)", "", ""])
  assert.deepStrictEqual(reasoningFor("moonshotai"), ["(not recorded)", undefined, undefined])
})
