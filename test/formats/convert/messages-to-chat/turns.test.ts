import { assert, describe, it } from "@effect/vitest"
import { markReasoning } from "../../../../src/formats/convert/reasoning-marks.ts"
import type { Json, JsonObject } from "../../../../src/formats/json/json.ts"
import {
  convert,
  refused,
  messagesOf,
  user,
  assistant,
  text,
  use,
  result,
  call,
  png,
  pngPart,
  marked
} from "../messages-requests.ts"

describe("messages of a Messages request, as chat messages", () => {
  it("C29 C44 texts with cache marks become plain strings, and an empty one nothing", () => {
    const body = convert({
      system: [text("one", marked), text(""), text("two")],
      messages: [user(text("a", marked), text("b"))]
    })
    assert.deepStrictEqual(body.messages, [
      { role: "system", content: "one\n\ntwo" },
      { role: "user", content: "a\n\nb" }
    ])
    assert.deepStrictEqual(convert({ system: "" }).messages, [{ role: "user", content: "hi" }])
  })

  it("C30 C31 an image in a tool result goes into the user's message after the results", () => {
    const messages = [
      assistant(use("t1"), use("t2")),
      user(
        result("t1", [text("seen"), png]),
        result("t2", [{ type: "image", source: { type: "url", url: "https://x/y.png" } }])
      )
    ]
    assert.deepStrictEqual(messagesOf(messages), [
      { role: "assistant", content: null, tool_calls: [call("t1"), call("t2")] },
      { role: "tool", tool_call_id: "t1", content: "seen" },
      { role: "tool", tool_call_id: "t2", content: "(the result is attached to the next message)" },
      {
        role: "user",
        content: [
          { type: "text", text: "Attached to the result of tool call t1:" },
          pngPart,
          { type: "text", text: "Attached to the result of tool call t2:" },
          { type: "image_url", image_url: { url: "https://x/y.png" } }
        ]
      }
    ])
  })

  it("an attached image names its call by the id that the model knows it by", () => {
    for (const provider of ["mistral", "openai"]) {
      const id = "toolu_bdrk_01".padEnd(50, "x")
      const messages = messagesOf([assistant(use(id)), user(result(id, [png]))], {
        provider
      }) as ReadonlyArray<JsonObject>
      const sent = messages.find(({ role }) => role === "tool")!.tool_call_id as string
      assert.notStrictEqual(sent, id)
      const label = text(`Attached to the result of tool call ${sent}:`)
      assert.deepStrictEqual(messages.at(-1), user(label, pngPart))
    }
  })

  it("C32 an unknown block leaves a mark and takes nothing with it", () => {
    const messages = [
      assistant(use("t1")),
      user(result("t1", [text("a"), { type: "tool_reference", tool_name: "Read" }]))
    ]
    assert.deepInclude(messagesOf(messages) as Array<Json>, {
      role: "tool",
      tool_call_id: "t1",
      content: "a\n[tool_reference] Read"
    })
    const searched = {
      type: "web_search_tool_result",
      tool_use_id: "s",
      content: [{ type: "web_search_result", title: "T" }]
    }
    assert.deepStrictEqual(messagesOf([assistant(searched, text("so"))]), [
      { role: "assistant", content: "[web_search_tool_result] T\nso" }
    ])
    const summary = { type: "compaction", content: "They spoke of Huế." }
    assert.deepStrictEqual(messagesOf([assistant(summary)]), [
      { role: "assistant", content: "[compaction] They spoke of Huế." }
    ])
  })

  it("C33 a failed tool result says so", () => {
    const messages = [assistant(use("t1")), user(result("t1", "no", { is_error: true }))]
    assert.deepInclude(messagesOf(messages) as Array<Json>, {
      role: "tool",
      tool_call_id: "t1",
      content: "[tool error] no"
    })
  })

  it("C34 C35 results come right after their calls, from one user turn or several, before what else is said", () => {
    const messages = [
      assistant(use("t1"), use("t2")),
      user(text("first"), result("t1", "a")),
      user(result("t2", "b"), text("then"))
    ]
    assert.deepStrictEqual(messagesOf(messages), [
      { role: "assistant", content: null, tool_calls: [call("t1"), call("t2")] },
      { role: "tool", tool_call_id: "t1", content: "a" },
      { role: "tool", tool_call_id: "t2", content: "b" },
      { role: "user", content: "first" },
      { role: "user", content: "then" }
    ])
  })

  it("C36 documents become files or text, and what can not be sent is refused by name", () => {
    const document = (source: JsonObject, more: JsonObject = {}) =>
      user({ type: "document", source, ...more })
    const pdf = { type: "base64", media_type: "application/pdf", data: "JVBE" }
    assert.deepStrictEqual(messagesOf([document(pdf, { title: "a.pdf", context: "read it" })]), [
      user(text("read it"), {
        type: "file",
        file: { filename: "a.pdf", file_data: "data:application/pdf;base64,JVBE" }
      })
    ])
    assert.deepStrictEqual(
      messagesOf([document({ type: "text", media_type: "text/plain", data: "body" }, { title: "T" })]),
      [{ role: "user", content: "T\nbody" }]
    )
    const encoded = { type: "base64", media_type: "text/markdown", data: "eGluIGNow6Bv" }
    assert.deepStrictEqual(messagesOf([document(encoded, { title: "T" })]), [
      { role: "user", content: "T\nxin chào" }
    ])
    assert.deepStrictEqual(messagesOf([document({ type: "content", content: [text("x"), png] })]), [
      user(text("x"), pngPart)
    ])
    const titled = { title: "T", context: "read it" }
    assert.deepStrictEqual(messagesOf([document({ type: "content", content: "x" }, titled)]), [
      { role: "user", content: "read it\n\nT\n\nx" }
    ])
    const found = { type: "search_result", title: "T", source: "https://x/a", content: [text("x")] }
    assert.deepStrictEqual(messagesOf([user(found)]), [{ role: "user", content: "T\nhttps://x/a\n\nx" }])
    assert.strictEqual(
      refused({ messages: [document({ type: "url", url: "file:///a.pdf" })] }).field,
      "messages.0.content.0.source.url"
    )
    const stored = { type: "document", source: { type: "file", file_id: "f" } }
    assert.strictEqual(
      refused({ messages: [user(text("x"), stored)] }).field,
      "messages.0.content.1.source.type"
    )
  })

  it("takes an image from the web alone, and none that the provider keeps under an address of its own", () => {
    const image = (url: string) => ({ type: "image", source: { type: "url", url } })
    for (const url of ["ms://d1234", "oss://bucket/a.png", "file:///a.png", ""])
      assert.strictEqual(
        refused({ messages: [user(text("x"), image(url))] }).field,
        "messages.0.content.1.source.url"
      )
    for (const url of ["HTTPS://x/y.png", "http://x/y.png", "data:image/png;base64,iVBORw0KGgo="])
      assert.deepStrictEqual(messagesOf([user(text("x"), image(url))]), [
        user(text("x"), { type: "image_url", image_url: { url } })
      ])
  })

  it("C37 reasoning goes back to providers that want it, to the family that made it and to no other", () => {
    const thought = (signature: string) => ({ type: "thinking", thinking: "hm", signature })
    const others = ["", "s", "unsigned", markReasoning("another", "thought", "")].map(thought)
    const messages = [
      user(text("q")),
      assistant(...others, thought(markReasoning("example", "thought", "")), use("t1")),
      assistant(...others, use("t2"))
    ]
    const reasoningFor = (provider: string) =>
      (messagesOf(messages, { provider }) as ReadonlyArray<JsonObject>)
        .filter(({ role }) => role === "assistant")
        .map((message) => message.reasoning_content)
    for (const provider of ["deepseek", "moonshotai", "zai", "alibaba"]) {
      assert.deepStrictEqual(reasoningFor(provider), ["hm", "(not recorded)"])
    }
    for (const provider of ["openai", "google", "mistral"])
      assert.deepStrictEqual(reasoningFor(provider), [undefined, undefined])
  })

  it("C38 a turn of nothing but thinking is left out", () => {
    const messages = [
      user(text("q")),
      assistant({ type: "thinking", thinking: "hm" }, { type: "redacted_thinking", data: "x" })
    ]
    assert.deepStrictEqual(messagesOf(messages), [{ role: "user", content: "q" }])
  })

  it("C56 blank texts go nowhere, and a request of nothing else is refused", () => {
    const blanks = ["", " ", "\n\t"].map((blank) => text(blank))
    const messages = [
      { role: "user", content: " " },
      user(...blanks, { type: "text", text: null }, text("q")),
      assistant(...blanks, use("a")),
      user(result("a", blanks), ...blanks),
      { role: "assistant", content: " \n" },
      assistant(text(" keep "), text("\n"), text("this "))
    ]
    const body = convert({ system: blanks, messages })
    assert.deepStrictEqual(body.messages, [
      { role: "user", content: "q" },
      { role: "assistant", content: null, tool_calls: [call("a")] },
      { role: "tool", tool_call_id: "a", content: "" },
      { role: "assistant", content: " keep \nthis " }
    ])
    for (const nothing of [user(...blanks), { role: "user", content: "" }])
      assert.strictEqual(refused({ messages: [nothing] }).field, "messages")
  })

  it("C39 text around a tool call stays in one message with it", () => {
    const messages = [assistant(text("a"), use("t1"), text("b")), user(result("t1", "r"))]
    assert.deepStrictEqual(messagesOf(messages), [
      { role: "assistant", content: "ab", tool_calls: [call("t1")] },
      { role: "tool", tool_call_id: "t1", content: "r" }
    ])
  })

  it("C45 a system message keeps its place, but never between a call and its result", () => {
    const messages = [
      { role: "user", content: "q" },
      { role: "system", content: "S1" },
      assistant(use("t1")),
      { role: "system", content: [text("S2", marked)] },
      user(result("t1", "r"), text("next")),
      { role: "system", content: "S3" }
    ]
    assert.deepStrictEqual(
      (messagesOf(messages) as ReadonlyArray<JsonObject>).map(({ role, content }) => [role, content]),
      [
        ["user", "q"],
        ["system", "S1"],
        ["assistant", null],
        ["tool", "r"],
        ["system", "S2"],
        ["user", "next"],
        ["system", "S3"]
      ]
    )
  })

  it("C49 C50 parts keep their order, and texts under other names are texts", () => {
    const messages = [user({ type: "input_text", text: "a" }, png, { type: "output_text", text: "b" })]
    assert.deepStrictEqual(messagesOf(messages), [user(text("a"), pngPart, text("b"))])
  })

  it("ids that a provider forbids are changed alike in call and result", () => {
    const long = `toolu_${"x".repeat(60)}`
    for (const [provider, pattern] of [
      ["openai", /^[\w-]{1,40}$/],
      ["mistral", /^[a-zA-Z0-9]{9}$/]
    ] as const) {
      const [first, second] = messagesOf([assistant(use(long)), user(result(long, "r"))], {
        provider
      }) as ReadonlyArray<JsonObject>
      const id = (first!.tool_calls as ReadonlyArray<JsonObject>)[0]!.id
      assert.match(String(id), pattern)
      assert.strictEqual(second!.tool_call_id, id)
    }
  })

  it("Gemini gets its thought signature back, or is told that there is none", () => {
    const signed = { type: "redacted_thinking", data: markReasoning("example", "call", "SIG") }
    const callsOf = (...content: ReadonlyArray<Json>) =>
      (
        messagesOf([user(text("q")), assistant(...content)], {
          provider: "google"
        }) as ReadonlyArray<JsonObject>
      )[1]!.tool_calls
    const extra = (signature: string) => ({ extra_content: { google: { thought_signature: signature } } })
    assert.deepStrictEqual(callsOf(signed, use("t1"), use("t2")), [
      { ...call("t1"), ...extra("SIG") },
      call("t2")
    ])
    const former = { type: "redacted_thinking", data: "google-thought-signature:SIG" }
    const traits = { provider: "google", family: "gemini" }
    const messages = messagesOf([user(text("q")), assistant(former, use("t1"))], traits)
    assert.deepStrictEqual((messages as ReadonlyArray<JsonObject>)[1]!.tool_calls, [
      { ...call("t1"), ...extra("SIG") }
    ])
    const foreign = { type: "redacted_thinking", data: markReasoning("another", "call", "SIG") }
    assert.deepStrictEqual(callsOf(foreign, use("t1")), [
      { ...call("t1"), ...extra("skip_thought_signature_validator") }
    ])
  })
})
