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
  ["web_search_call", { status: "failed", action: { type: "search", query: "cats" } }, "failed search cats"],
  ["mcp_approval_response", { approval_request_id: "m", approve: false }, "declined"],
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
})
