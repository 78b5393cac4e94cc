import { assert, describe, it } from "@effect/vitest"
import type { Json, JsonObject } from "../../../../src/formats/json/json.ts"
import {
  convert,
  refused,
  messagesOf,
  user,
  text,
  calling,
  returned,
  use,
  result,
  fn,
  mark,
  image
} from "../chat-requests.ts"

describe("messages of a chat request, as Messages turns", () => {
  it("C54 results of parallel calls make one user turn, with what the user says next", () => {
    assert.deepStrictEqual(
      messagesOf(calling("a", "b"), returned("b", "2"), returned("a", "1"), {
        role: "user",
        content: "next"
      }),
      [
        { role: "assistant", content: [use("a"), use("b")] },
        { role: "user", content: [result("a", "1"), result("b", "2"), text("next")] }
      ]
    )
  })

  it("C55 an image in a result stays in the result", () => {
    const part = { type: "image_url", image_url: { url: "data:image/jpg;base64,AAAA" } }
    assert.deepStrictEqual(messagesOf(calling("a"), returned("a", [text("see"), part])), [
      { role: "assistant", content: [use("a")] },
      { role: "user", content: [result("a", [text("see"), image])] }
    ])
  })

  it("C56 C57 empty texts are left out, and empty or broken arguments are an empty object", () => {
    for (const content of ["", null, [], [text("")], [{ type: "text", text: null }]]) {
      for (const input of ["", "{", "[1]", "7"]) {
        const message = {
          role: "assistant",
          content,
          tool_calls: [{ id: "a", function: { name: "f", arguments: input } }]
        }
        assert.deepStrictEqual(messagesOf(message, returned("a", "r")), [
          { role: "assistant", content: [use("a", {})] },
          user(result("a", "r"))
        ])
      }
    }
    assert.deepStrictEqual(messagesOf({ role: "user", content: "q" }, { role: "assistant", content: "" }), [
      user(text("q"))
    ])
  })

  it("C60 C61 files become documents by their type, and other types are refused by name", () => {
    const file = (file: JsonObject) => user({ type: "file", file })
    const pdf = { type: "document", source: { type: "base64", media_type: "application/pdf", data: "JVBE" } }
    assert.deepStrictEqual(
      messagesOf(file({ file_data: "data:application/pdf;base64,JVBE", filename: "a.pdf" })),
      [user({ ...pdf, title: "a.pdf" })]
    )
    assert.deepStrictEqual(messagesOf(file({ file_data: "JVBE" })), [user(pdf)])
    const note = { type: "text", media_type: "text/plain", data: "xin chào" }
    assert.deepStrictEqual(messagesOf(file({ file_data: "eGluIGNow6Bv", filename: "note.TXT" })), [
      user({ type: "document", source: note, title: "note.TXT" })
    ])
    assert.deepStrictEqual(messagesOf(file({ file_data: "data:text/plain;base64,eGluIGNow6Bv" })), [
      user({ type: "document", source: { type: "text", media_type: "text/plain", data: "xin chào" } })
    ])
    const byAddress = [user({ type: "document", source: { type: "url", url: "https://x/a.pdf" } })]
    assert.deepStrictEqual(messagesOf(file({ file_url: "https://x/a.pdf" })), byAddress)
    for (const name of ["file_data", "file_id"])
      assert.deepStrictEqual(messagesOf(file({ [name]: "https://x/a.pdf" })), byAddress)
    const field = "messages.0.content.0.file"
    for (const file_data of ["data:application/zip;base64,AAAA", "data:text/plain,hello"])
      assert.strictEqual(refused({ messages: [file({ file_data })] }).field, `${field}.file_data`)
    assert.strictEqual(refused({ messages: [file({ file_id: "file-1" })] }).field, `${field}.file_id`)
    assert.strictEqual(refused({ messages: [file({ filename: "a.pdf" })] }).field, `${field}.file_data`)
  })

  it("images come by address or as data, and sound is refused by name", () => {
    const part = (image_url: Json) => user({ type: "image_url", image_url })
    assert.deepStrictEqual(messagesOf(part({ url: "https://x/a.png", detail: "low" })), [
      user({ type: "image", source: { type: "url", url: "https://x/a.png" } })
    ])
    assert.deepStrictEqual(messagesOf(part("data:image/jpeg;base64,AAAA")), [user(image)])
    assert.deepStrictEqual(messagesOf(user({ type: "input_image", image_url: "https://x/a.png" })), [
      user({ type: "image", source: { type: "url", url: "https://x/a.png" } })
    ])
    assert.strictEqual(
      refused({ messages: [part({ url: "ftp://x" })] }).field,
      "messages.0.content.0.image_url.url"
    )
    assert.strictEqual(
      refused({ messages: [user({ type: "input_audio", input_audio: {} })] }).field,
      "messages.0.content.0.type"
    )
  })

  it("C62 cache marks stay on their blocks; a part's own beats that of its message", () => {
    const body = convert({
      messages: [
        { role: "system", content: [text("s", mark)] },
        { role: "user", content: [text("a", { cache_control: { type: "ephemeral", ttl: "1h" } })], ...mark },
        { ...calling("t"), ...mark },
        { ...returned("t", "r"), ...mark },
        { role: "user", content: "b", ...mark }
      ],
      tools: [{ ...fn("f"), ...mark }]
    })
    assert.deepStrictEqual(body.system, [text("s", mark)])
    assert.deepStrictEqual(body.messages, [
      user(text("a", { cache_control: { type: "ephemeral", ttl: "1h" } })),
      { role: "assistant", content: [{ ...use("t"), ...mark }] },
      user({ ...result("t", "r"), ...mark }, text("b", mark))
    ])
    assert.deepInclude((body.tools as ReadonlyArray<JsonObject>)[0], mark)
  })

  it("C62 a cache mark on a call stays on that call", () => {
    const [call] = calling("a").tool_calls as ReadonlyArray<JsonObject>
    const inside = { ...call, function: { ...(call!.function as JsonObject), ...mark } }
    const written = { role: "assistant", content: [text("t"), { ...use("a"), ...mark }, use("b")] }
    const results = user(result("a", "1"), result("b", "2"))
    for (const marked of [{ ...call, ...mark }, inside]) {
      const tool_calls = [marked, { ...call, id: "b" }]
      const message = { role: "assistant", content: "t", tool_calls }
      assert.deepStrictEqual(messagesOf(message, results), [written, results])
    }
    assert.deepStrictEqual(messagesOf(written, results), [written, results])
  })

  it("C62 parts of a system prompt are one text, but none moves before a cache mark that it stood behind", () => {
    const systemOf = (...content: ReadonlyArray<Json>) =>
      convert({ messages: [{ role: "system", content }, user(text("q"))] }).system as unknown
    assert.deepStrictEqual(systemOf(text("a"), text("b")), [text("ab")])
    assert.deepStrictEqual(systemOf(text("a"), text("b", mark), text("c"), text("d")), [
      text("ab", mark),
      text("cd")
    ])
    assert.deepStrictEqual(systemOf(text("a", mark), text("b", mark)), [text("a", mark), text("b", mark)])
  })

  it("C64 an id with forbidden characters is cleaned alike in call and result", () => {
    assert.deepStrictEqual(messagesOf(calling("call.with space:1"), returned("call.with space:1", "r")), [
      { role: "assistant", content: [use("call_with_space_1")] },
      user(result("call_with_space_1", "r"))
    ])
  })

  it("C65 of two results for one call the last wins, and an id used again in a later turn stays apart", () => {
    assert.deepStrictEqual(
      messagesOf(
        calling("a"),
        returned("a", "old"),
        { role: "user", content: "q" },
        returned("a", "new"),
        calling("a"),
        returned("a", "two")
      ),
      [
        { role: "assistant", content: [use("a")] },
        user(result("a", "new"), text("q")),
        { role: "assistant", content: [use("a_2")] },
        user(result("a_2", "two"))
      ]
    )
  })

  it("results of calls that share an id in one turn go to the calls in their order", () => {
    for (const id of ["a", ""]) {
      const [called, answered] = messagesOf(calling(id, id), returned(id, "1"), returned(id, "2")) as [
        JsonObject,
        JsonObject
      ]
      const sent = (called.content as ReadonlyArray<JsonObject>).map((call) => String(call.id))
      assert.strictEqual(new Set(sent).size, 2)
      assert.deepStrictEqual(answered, user(result(sent[0]!, "1"), result(sent[1]!, "2")))
    }
  })

  it("C66 a prompt of system text alone is asked as the user's", () => {
    const body = convert({ messages: [{ role: "system", content: "Say hi" }] })
    assert.deepStrictEqual(body.messages, [user(text("Say hi"))])
    assert.notProperty(body, "system")
    assert.strictEqual(refused({ messages: [{ role: "user", content: " " }] }).field, "messages")
  })

  it("C67 system text goes to the top in its order, and the user's turns around it become one", () => {
    const body = convert({
      messages: [
        { role: "system", content: "one" },
        { role: "user", content: [text("a", mark)] },
        { role: "developer", content: "two" },
        { role: "user", content: "b" }
      ]
    })
    assert.deepStrictEqual(body.system, [text("one"), text("two")])
    assert.deepStrictEqual(body.messages, [user(text("a", mark), text("b"))])
  })

  it("a system prompt that stands where the Messages protocol has it is heeded", () => {
    const asked = { system: [text("a", mark)], messages: [{ role: "system", content: "b" }, user(text("q"))] }
    assert.deepStrictEqual(convert(asked).system as unknown, [text("a", mark), text("b")])
    assert.isUndefined(convert({ system: null }).system)
  })

  it("C79 C80 C81 signed thinking that was given to the client goes back first, each with its own signature and without text too; unsigned thinking does not", () => {
    const signed = { type: "thinking", thinking: "hm", signature: "SIG" }
    const empty = { type: "thinking", thinking: "", signature: "OTHER" }
    const message = {
      ...calling("a"),
      reasoning_content: "hm",
      thinking_blocks: [
        { index: 0, ...signed, cache_control: null },
        { index: 1, type: "thinking", thinking: "x", signature: "unsigned" },
        { index: 2, type: "redacted_thinking", data: "D" },
        { index: 3, ...empty }
      ]
    }
    assert.deepStrictEqual(messagesOf(message, returned("a", "r")), [
      { role: "assistant", content: [signed, { type: "redacted_thinking", data: "D" }, empty, use("a")] },
      user(result("a", "r"))
    ])
  })

  it("calls and results that are written as Messages blocks are calls and results", () => {
    const called = { role: "assistant", content: [text("so"), use("a")] }
    const failed = { ...result("a", [text("1"), image]), is_error: true }
    assert.deepStrictEqual(messagesOf(called, user(failed, text("next"))), [
      called,
      { role: "user", content: [failed, text("next")] }
    ])
    assert.deepStrictEqual(messagesOf(called, user(text("next"), result("a", "1"))), [
      called,
      { role: "user", content: [result("a", "1"), text("next")] }
    ])
    assert.strictEqual(
      refused({ messages: [user({ type: "tool_result", content: "1" })] }).field,
      "messages.0.content.0.tool_use_id"
    )
  })

  it("images, documents and signed thinking that are written as Messages blocks stay what they are", () => {
    const document = { type: "document", source: { type: "text", media_type: "text/plain", data: "d" } }
    const thought = { type: "thinking", thinking: "hm", signature: "SIG" }
    const otherwise = text("hm", { type: "thinking", signature: "SIG" })
    const answered = (...content: ReadonlyArray<Json>) => ({ role: "assistant", content })
    assert.deepStrictEqual(
      messagesOf(
        user({ ...image, ...mark }, document),
        answered({ type: "thinking", thinking: [text("hm")] }, thought, otherwise, text("a")),
        user(text("b"))
      ),
      [user({ ...image, ...mark }, document), answered(thought, thought, text("a")), user(text("b"))]
    )
  })

  it("arguments that a client kept as an object are the same arguments", () => {
    const call = { id: "a", type: "function", function: { name: "f", arguments: { a: 1 } } }
    const message = { role: "assistant", content: null, tool_calls: [call] }
    assert.deepStrictEqual(messagesOf(message, returned("a", "r")), [
      { role: "assistant", content: [use("a")] },
      user(result("a", "r"))
    ])
  })

  it("the older function calls are tool calls", () => {
    const body = convert({
      messages: [
        { role: "assistant", content: null, function_call: { name: "f", arguments: `{"a":1}` } },
        { role: "function", name: "f", content: "r" }
      ],
      functions: [{ name: "f", parameters: { type: "object" } }],
      function_call: { name: "f" }
    })
    assert.deepStrictEqual(body.messages, [
      { role: "assistant", content: [use("function_call")] },
      user(result("function_call", "r"))
    ])
    assert.deepStrictEqual(body.tool_choice, { type: "tool", name: "f", disable_parallel_tool_use: true })
  })

  it("Claude is asked to go on where it spoke last, others get their own words without white space behind", () => {
    const messages = [
      { role: "user", content: "q" },
      { role: "assistant", content: "so \n" }
    ]
    const turns = [user(text("q")), { role: "assistant", content: [text("so")] }]
    assert.deepStrictEqual(messagesOf(...messages), [...turns, user(text("(go on)"))])
    assert.deepStrictEqual(convert({ messages }, { family: "minimax" }).messages, turns)
  })
})
