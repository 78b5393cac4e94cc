/** What a Responses input holds beside messages and calls of functions: hosted tools' items and thoughts, as turns of Messages. */
import { assert, describe, it } from "@effect/vitest"
import { forConverse } from "../../../../src/formats/convert/messages-dialect.ts"
import { markReasoning } from "../../../../src/formats/convert/reasoning-marks.ts"
import type { JsonObject } from "../../../../src/formats/json/json.ts"
import { assistant, result, text, use, user } from "../messages-requests.ts"
import { asks, calls, gives, saidText, says, told, turnsOf } from "../responses-requests.ts"

const png = "iVBORw0KGgoAAAANSUhEUg=="
const image = { type: "image", source: { type: "base64", media_type: "image/png", data: png } }
const goOn = user(text("(go on)"))

describe("items that are no words and no calls of functions", () => {
  it("of hosted tools are told in words, as what the model did or what came of it", () => {
    const search = {
      type: "web_search_call",
      id: "ws_1",
      status: "completed",
      action: { type: "search", query: "cats" }
    }
    const shell = { type: "shell_call_output", call_id: "s", output: [{ stdout: "a.txt" }] }
    assert.deepStrictEqual(turnsOf([asks(told("q")), search, shell]), [
      user(text("q")),
      assistant(text("[web_search_call] search cats")),
      user(text("[shell_call_output] a.txt"))
    ])
  })

  it("of a computer show its screen, or tell what else came of it", () => {
    const screen = (output: JsonObject) => ({ type: "computer_call_output", call_id: "c", output })
    const image_url = `data:image/png;base64,${png}`
    assert.deepStrictEqual(
      turnsOf([
        screen({ type: "computer_screenshot", image_url }),
        screen({ type: "of_tomorrow", text: "no screen" })
      ]),
      [user(image, text("[computer_call_output] no screen"))]
    )
  })

  it("of which nothing can be read are left out", () => {
    const items = [
      { type: "compaction", encrypted_content: "gAAAA" },
      { type: "of_tomorrow", id: "x" }
    ]
    assert.deepStrictEqual(turnsOf([asks(told("q")), ...items]), [user(text("q"))])
  })

  const thought = (encrypted_content: string, summary = "hm") => ({
    type: "reasoning",
    summary: summary === "" ? [] : [{ type: "summary_text", text: summary }],
    encrypted_content
  })

  it("of reasoning come back to the family that made them alone", () => {
    const input = (item: JsonObject) => [asks(told("q")), item, says(saidText("a"))]
    const own = thought(markReasoning("claude", "thought", "sig"))
    const thinking = { type: "thinking", thinking: "hm", signature: "sig" }
    assert.deepStrictEqual(turnsOf(input(own)), [user(text("q")), assistant(thinking, text("a")), goOn])
    const redacted = thought(markReasoning("claude", "redacted", "data"), "")
    assert.deepStrictEqual(
      turnsOf(input(redacted))[1],
      assistant({ type: "redacted_thinking", data: "data" }, text("a"))
    )
    for (const other of [
      thought(markReasoning("gpt", "item", "rs_1:gAAAA")),
      thought("gAAAA of a provider's own"),
      thought(`${markReasoning("claude", "thought", "sig")}x`),
      { type: "reasoning", summary: [{ type: "summary_text", text: "nobody's" }] }
    ])
      assert.deepStrictEqual(turnsOf(input(other)), [user(text("q")), assistant(text("a")), goOn])
  })

  it("of reasoning stay marked where another conversion follows, and never stand last", () => {
    const mark = markReasoning("claude", "thought", "sig")
    const turns = turnsOf(
      [
        asks(told("q")),
        thought(mark),
        calls("a"),
        gives("a", "1"),
        thought(mark),
        thought(markReasoning("claude", "redacted", "data"), "")
      ],
      {},
      forConverse
    )
    assert.deepStrictEqual(turns, [
      user(text("q")),
      assistant({ type: "thinking", thinking: "hm", signature: mark }, use("a")),
      user(result("a", "1"))
    ])
  })
})
