/** Each kind of item of a Responses input, as turns of Messages. */
import { assert, describe, it } from "@effect/vitest"
import { forChat } from "../../../../src/formats/convert/messages-dialect.ts"
import type { JsonObject } from "../../../../src/formats/json/json.ts"
import { assistant, result, text, use, user } from "../messages-requests.ts"
import {
  asks,
  calls,
  convertResponses,
  functionTool,
  gives,
  refusalOf,
  saidText,
  says,
  told,
  turnsOf
} from "../responses-requests.ts"

const png = "iVBORw0KGgoAAAANSUhEUg=="
const image = { type: "image", source: { type: "base64", media_type: "image/png", data: png } }
const pdf = `data:application/pdf;base64,${Buffer.from("%PDF-1.4").toString("base64")}`

it("C83 calls go by their own ids, not by those of their items", () => {
  const input = [
    asks(told("q")),
    { ...calls("call_1"), id: "fc_1" },
    { ...calls("call_2"), id: "call_1" },
    { ...gives("call_1", "one"), id: "fc_1" },
    gives("call_2", "two")
  ]
  const answered = [
    assistant(use("call_1"), use("call_2")),
    user(result("call_1", "one"), result("call_2", "two"))
  ]
  assert.deepStrictEqual(turnsOf(input).slice(1), answered)
})

describe("messages", () => {
  it("are turns of their roles, and texts in a row one turn", () => {
    assert.deepStrictEqual(
      turnsOf([
        asks(told("a"), told("b")),
        { role: "user", content: "c" },
        says(saidText("d")),
        asks(told("e"))
      ]),
      [user(text("a"), text("b"), text("c")), assistant(text("d")), user(text("e"))]
    )
  })

  it("of the model in a row stay apart where the texts of a turn become one", () => {
    const search = { type: "web_search_call", id: "ws_1", action: { type: "search", query: "cats" } }
    const input = [asks(told("q")), says(saidText("a")), search, gives("x", "1"), says(saidText("b"))]
    const said = [text("a"), text("[web_search_call] search cats")]
    assert.deepStrictEqual(turnsOf(input)[1], assistant(...said))
    const [, first, , second] = turnsOf(input, {}, forChat)
    assert.deepStrictEqual(first, assistant(said[0]!, text("\n\n"), said[1]!))
    assert.deepStrictEqual(second, assistant(text("b")))
    const turns = turnsOf(
      [asks(told("q")), says(saidText("a")), asks(told("q")), says(saidText("b"))],
      {},
      forChat
    )
    assert.deepStrictEqual(turns[3], assistant(text("b")))
  })

  it("of the system are the system prompt behind the instructions, or stay where they stand", () => {
    const input = [
      { role: "system", content: "S" },
      asks(told("q")),
      { role: "developer", content: [told("D"), told("E")] },
      asks(told("r"))
    ]
    const { messages, system } = convertResponses({ input, instructions: "I" })
    assert.deepStrictEqual(system, [text("I"), text("S"), text("D\n\nE")])
    assert.deepStrictEqual(messages, [user(text("q"), text("r"))])
    const roles = turnsOf(input, {}, forChat).map(({ role }) => role)
    assert.deepStrictEqual(roles, ["system", "user", "system", "user"])
  })

  it("of the system that hold an image have the user show it, where it stands", () => {
    const shown = { type: "input_image", image_url: "data:image/jpeg;base64,AAAA" }
    const image = { type: "image", source: { type: "base64", media_type: "image/jpeg", data: "AAAA" } }
    const input = [asks(told("q")), { role: "developer", content: [told("D"), shown] }, asks(told("r"))]
    const { messages, system } = convertResponses({ input })
    assert.deepStrictEqual(system, [text("D")])
    assert.deepStrictEqual(messages, [user(text("q"), image, text("r"))])
    const [, prompt, behind] = turnsOf(input, {}, forChat)
    assert.strictEqual(prompt!.role, "system")
    assert.deepStrictEqual(behind, user(image, text("r")))
  })

  it("of nothing but the system are what the user wants answered", () => {
    const { messages, system } = convertResponses({
      input: [{ role: "developer", content: "D" }],
      instructions: "I"
    })
    assert.isUndefined(system)
    assert.deepStrictEqual(messages, [user(text("I"), text("D"))])
  })

  it("of the system show their images to the user's side, where images can be shown", () => {
    const shown = { type: "input_image", image_url: `data:image/png;base64,${png}` }
    const input = [{ role: "developer", content: [told("D"), shown] }, asks(told("q"))]
    const { messages, system } = convertResponses({ input })
    assert.deepStrictEqual(system, [text("D")])
    assert.deepStrictEqual(messages, [user(image, text("q"))])
    const [first, second] = turnsOf(input, {}, forChat)
    assert.deepStrictEqual(
      [first, second],
      [{ role: "system", content: [text("D")] }, user(image, text("q"))]
    )
  })

  it("without words are left out, and refusals are what was said", () => {
    assert.deepStrictEqual(
      turnsOf([
        asks(told("")),
        asks(told("q")),
        says(saidText("")),
        says({ type: "refusal", refusal: "No." }),
        asks(told("why?"))
      ]),
      [user(text("q")), assistant(text("No.")), user(text("why?"))]
    )
  })

  it("hold images and files", () => {
    const file = { type: "input_file", filename: "a.pdf", file_data: pdf }
    const input = [
      asks(
        { type: "input_image", image_url: `data:image/png;base64,${png}` },
        { type: "input_image", image_url: "https://example.com/a.png", detail: "low" },
        file
      )
    ]
    const [turn] = turnsOf(input)
    const [first, second, third] = turn!.content as ReadonlyArray<JsonObject>
    assert.deepStrictEqual(first, image)
    assert.deepStrictEqual(second, {
      type: "image",
      source: { type: "url", url: "https://example.com/a.png" }
    })
    assert.strictEqual(third!.type, "document")
  })

  it.each([
    [{ role: "tool", content: "x" }, "input.0.role"],
    [{ role: "user", content: 7 }, "input.0.content"],
    [{ role: "user", content: [{ type: "sound" }] }, "input.0.content.0"],
    [{ type: "function_call", name: "f", arguments: "{}" }, "input.0.call_id"],
    [{ type: "function_call", call_id: "a", arguments: "{}" }, "input.0.name"],
    [{ type: "function_call_output", output: "x" }, "input.0.call_id"],
    [asks({ type: "input_image", image_url: null, file_id: "f" }), "input.0.content.0.file_id"],
    [asks({ type: "input_file", file_data: null, file_id: "f" }), "input.0.content.0.file_id"],
    [{ type: "item_reference", id: "msg_1" }, "input.0"],
    [{ id: "msg_1" }, "input.0"],
    [7, "input.0"]
  ])("as %j are refused by the name of the field %s", (item, field) => {
    const refusal = refusalOf({ input: [item as JsonObject] })
    assert.strictEqual(refusal.field.slice(0, field.length), field)
    assert.include(refusal.message, field)
  })

  it("with an image elsewhere than on the web are refused by the field that holds its address", () => {
    const refusal = refusalOf({ input: [asks({ type: "input_image", image_url: "ftp://x" })] })
    assert.strictEqual(refusal.field, "input.0.content.0.image_url")
  })
})

describe("calls and outputs", () => {
  it("at once are one turn each, the outputs in the order of the calls", () => {
    assert.deepStrictEqual(
      turnsOf([asks(told("q")), calls("a"), calls("b", "g", '{"x":1}'), gives("b", "2"), gives("a", "1")]),
      [
        user(text("q")),
        assistant(use("a"), { ...use("b"), name: "g", input: { x: 1 } }),
        user(result("a", "1"), result("b", "2"))
      ]
    )
  })

  it("that do not fit each other are put right", () => {
    const noAnswer = result("a", "(this call was not answered)")
    assert.deepStrictEqual(turnsOf([asks(told("q")), calls("a")]), [
      user(text("q")),
      assistant(use("a")),
      user(noAnswer)
    ])
    const [turn] = turnsOf([gives("x", "lost")])
    assert.deepStrictEqual(turn, user(text("Result of the tool call x:"), text("lost")))
    assert.deepStrictEqual(
      turnsOf([asks(told("q")), calls("a"), gives("a", "1"), gives("a", "2")]).at(-1),
      user(result("a", "2"))
    )
  })

  it("of a tool that nobody called are told under the tool's name", () => {
    const tick = { type: "function_call_output", id: "fco_1", name: "clock", output: "tick" }
    assert.deepStrictEqual(turnsOf([asks(told("q")), calls("a"), tick, gives("a", "1")]), [
      user(text("q")),
      assistant(use("a")),
      user(result("a", "1"), text("Result of the tool call clock:"), text("tick"))
    ])
  })

  it("keep what was said between them, and arguments that are no object", () => {
    assert.deepStrictEqual(turnsOf([calls("a", "f", "[1]"), says(saidText("wait")), gives("a", "1")]), [
      assistant({ ...use("a"), input: { INVALID_JSON: "[1]" } }, text("wait")),
      user(result("a", "1"))
    ])
    for (const empty of ["", "{}", " "])
      assert.deepStrictEqual(turnsOf([calls("a", "f", empty), gives("a", "1")])[0], assistant(use("a")))
  })

  it("of custom tools are calls of one text", () => {
    const custom = { type: "custom_tool_call", call_id: "a", name: "patch", input: 'a "b"' }
    const output = { type: "custom_tool_call_output", call_id: "a", output: "done" }
    const tools = [{ type: "custom", name: "patch" }]
    assert.deepStrictEqual(turnsOf([custom, output], { tools }), [
      assistant({ ...use("a"), name: "patch", input: { input: 'a "b"' } }),
      user(result("a", "done"))
    ])
  })

  it("of a group go by the name that the group's tool is sent under", () => {
    const tools = [{ type: "namespace", name: "crm", description: "d", tools: [functionTool("find")] }]
    const [turn] = turnsOf([{ ...calls("a", "find"), namespace: "crm" }, gives("a", "1")], { tools })
    const sent = (convertResponses({ tools }).tools as ReadonlyArray<JsonObject>)[0]!.name
    assert.deepStrictEqual(turn, assistant({ ...use("a"), name: String(sent) }))
  })

  it("go by the name of the tool that is offered now, be it of another kind or called without its group", () => {
    const custom = { type: "custom_tool_call", call_id: "a", name: "patch", input: "x" }
    const input = [custom, calls("b", "find"), gives("a", "1"), gives("b", "2")]
    const namesIn = (tools: ReadonlyArray<JsonObject>) =>
      (turnsOf(input, { tools })[0]!.content as ReadonlyArray<JsonObject>).map(({ name }) => name)
    const group = (name: string) => ({ type: "namespace", name, tools: [functionTool("find")] })
    assert.deepStrictEqual(namesIn([functionTool("patch"), group("crm")]), ["patch", "crm__find"])
    assert.deepStrictEqual(namesIn([group("crm"), group("shop")]), ["patch", "find"])
    assert.deepStrictEqual(namesIn([functionTool("find"), group("crm")]), ["patch", "find"])
  })

  it("hold parts and images", () => {
    const output = [told("a"), { type: "input_image", image_url: `data:image/png;base64,${png}` }]
    assert.deepStrictEqual(turnsOf([calls("a"), gives("a", output)]).at(-1), {
      role: "user",
      content: [{ type: "tool_result", tool_use_id: "a", content: [text("a"), image] }]
    })
  })
})
