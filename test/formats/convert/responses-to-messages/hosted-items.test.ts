/** What another model reads of tools that only OpenAI runs: what was done, and how it ended. */
import { assert, describe, it } from "@effect/vitest"
import { textOfItem } from "../../../../src/formats/convert/responses-to-messages/hosted-items.ts"
import type { JsonObject } from "../../../../src/formats/json/json.ts"

const cases: ReadonlyArray<readonly [type: string, item: JsonObject, told: string]> = [
  ["apply_patch_call", { operation: { type: "delete_file", path: "a.py" } }, "delete_file a.py"],
  ["apply_patch_call_output", { call_id: "a", status: "completed" }, "completed"],
  ["apply_patch_call_output", { status: "failed", output: "no such file" }, "failed no such file"],
  ["apply_patch_call_output", { status: "completed", output: "done" }, "done"],
  ["shell_call_output", { output: [{ stdout: "", outcome: { type: "exit", exit_code: 1 } }] }, "exit 1"],
  ["shell_call_output", { output: [{ stdout: "a", outcome: { type: "timeout" } }] }, "a timeout"],
  ["shell_call", { action: { commands: ["ls"], timeout_ms: 1000 } }, "ls"],
  ["computer_call", { action: { type: "click", button: "left", x: 10, y: 20 } }, "click left 10 20"],
  [
    "computer_call",
    { actions: [{ type: "click", button: "left", x: 1, y: 2 }, { type: "screenshot" }] },
    "click left 1 2 screenshot"
  ],
  ["web_search_call", { status: "failed", action: { type: "search", query: "cats" } }, "failed search cats"],
  ["mcp_approval_response", { approval_request_id: "m", approve: false }, "declined"],
  ["mcp_approval_response", { approval_request_id: "m", approve: true }, "approved"],
  ["mcp_call", { name: "draw", output: "data:image/png;base64,iVBORw0KGgo=" }, "draw"],
  ["image_generation_call", { id: "ig_1", status: "completed", result: "A".repeat(500) }, ""]
]

describe("an item of a hosted tool", () => {
  it.each(cases)("%s %j is told as %j", (type, item, told) => {
    assert.strictEqual(textOfItem({ type, ...item }), `[${type}] ${told}`.trim())
  })

  it("of no tool is empty where nothing can be read of it", () => {
    for (const type of ["compaction", "of_tomorrow"])
      assert.strictEqual(textOfItem({ type, id: "a", status: "failed", encrypted_content: "gAAAA" }), "")
  })

  // Calls hold for a picture, a file or a sound, and not for what else stands in it.
  it("that is a picture, a file or a sound is its address at most", () => {
    const note = "a note"
    const image = { type: "image", url: "https://x/a.png", note }
    assert.strictEqual(textOfItem(image), "[image] https://x/a.png")
    assert.strictEqual(
      textOfItem({ type: "code_interpreter_call", code: "plot()", outputs: [image] }),
      "[code_interpreter_call] plot() https://x/a.png"
    )
    for (const item of [
      { type: "image_url", image_url: { url: `https://x/${"a".repeat(2_500)}` }, note },
      { type: "input_file", file_data: "", note },
      { type: "input_audio", input_audio: { data: note } },
      { type: "redacted_thinking", data: "", note },
      {
        type: "of_tomorrow",
        cache_control: { note },
        held: [
          { type: "input_image", note },
          { type: "configuration_update", note }
        ]
      }
    ])
      assert.strictEqual(textOfItem(item), "")
  })
})
