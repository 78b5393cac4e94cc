/** A client may have its whole request counted: what only a call that is answered takes does not go up with it. */
import { assert, describe, it } from "@effect/vitest"
import { claudeModel } from "../wire/models.ts"
import { preparePlain } from "../../src/compute/prepare-plain.ts"

describe("a request to count tokens", () => {
  it("goes up without what asks for an answer, and with all that the model reads", () => {
    const read = {
      messages: [{ role: "user", content: "Hello" }],
      system: "Be brief.",
      tools: [{ name: "f", input_schema: { type: "object" } }],
      context_management: { edits: [] }
    }
    const asked = {
      max_tokens: 10,
      stream: true,
      fallbacks: "default",
      fallback_credit_token: "t",
      diagnostics: { previous_message_id: null },
      safeguards: [{ type: "dangerous_tool_use" }]
    }
    const body = Buffer.from(JSON.stringify({ model: "m", ...asked, ...read }))
    const { bytes } = preparePlain({ row: "count_tokens", body, model: claudeModel({ id: "theirs" }) })
    assert.deepStrictEqual(JSON.parse(Buffer.from(bytes).toString()), { model: "theirs", ...read })
  })
})
