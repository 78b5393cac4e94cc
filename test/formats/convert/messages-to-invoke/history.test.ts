/** What a conversation brings along to Claude on Bedrock from Anthropic's own service. */
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { invokeEdits } from "../../../../src/formats/convert/messages-to-invoke/request.ts"
import { applyEdits } from "../../../../src/formats/convert/messages-to-invoke/body-edits.ts"
import type { Model } from "../../../../src/domain/catalogue.ts"
import type { Json, JsonObject } from "../../../../src/formats/json/json.ts"
import { modelNamed } from "../../../catalogue.ts"

const newest = "svc/claude-opus-5-5"
const text = (words: string): JsonObject => ({ type: "text", text: words })
const user = (...content: ReadonlyArray<Json>): JsonObject => ({ role: "user", content })
const assistant = (...content: ReadonlyArray<Json>): JsonObject => ({ role: "assistant", content })
const system = (...content: ReadonlyArray<Json>): JsonObject => ({ role: "system", content })

const convert = (request: JsonObject, betas = "", model = newest): JsonObject =>
  convertFor(modelNamed(model), request, betas)
const convertFor = (model: Model, request: JsonObject, betas = ""): JsonObject => {
  const body = { model: model.id, max_tokens: 100, ...request }
  return applyEdits(body, Result.getOrThrow(invokeEdits(body, model, { betas, files: new Map() })))
}

const claudeCode =
  "claude-code-20250219,context-management-2025-06-27,prompt-caching-scope-2026-01-05," +
  "mid-conversation-system-2026-04-07,per-turn-control-2026-07-01,mid-conversation-tool-changes-2026-07-01," +
  "inline-tools-2026-09-15,dangerous-tool-use-2026-09-03,thinking-display-updates-2026-08-18,afk-mode-2026-01-31"

describe("a conversation that goes on with Claude on Bedrock", () => {
  it("carries flags for what it uses alone", () => {
    const plain = { messages: [user(text("hi"))], diagnostics: { previous_message_id: null } }
    assert.notProperty(convert(plain), "diagnostics")
    assert.deepStrictEqual(convert(plain, claudeCode).anthropic_beta, ["context-management-2025-06-27"])
    const safeguards = [{ type: "dangerous_tool_use", classifier_context: { v: 1 } }]
    const addition = { type: "tool_addition", tool: { type: "tool_reference", name: "Read" } }
    const used = {
      safeguards,
      thinking: { type: "adaptive", display: "updates" },
      messages: [user(text("hi")), { ...system(text("Go on."), addition), output_config: { effort: "low" } }]
    }
    const sent = convert(used, claudeCode)
    assert.deepStrictEqual(sent.anthropic_beta, [
      "context-management-2025-06-27",
      "mid-conversation-output-config-2026-07-01",
      "mid-conversation-tool-changes-2026-07-01",
      "inline-tools-2026-09-15",
      "dangerous-tool-use-2026-09-03",
      "thinking-display-updates-2026-08-18"
    ])
    assert.deepStrictEqual(sent.messages, used.messages)
    assert.deepStrictEqual(sent.safeguards, safeguards)
    assert.notProperty(convert(used), "anthropic_beta")
  })

  it("is summed up where that is asked for, and goes on from a summary that Claude has signed", () => {
    const [flag, messages] = ["compact-2026-09-04", [user(text("hi"))]]
    const asks = { messages, compaction: { type: "summarize", instructions: "Keep the names." } }
    for (const betas of [flag, ""])
      assert.deepInclude(convert(asks, betas), { compaction: asks.compaction, anthropic_beta: [flag] })
    const summary = { type: "compaction", content: "So far.", signature: "c2ln" }
    const goesOn = [{ role: "assistant", content: [summary] }, user(text("Go on."))]
    assert.deepInclude(convert({ messages: goesOn }), { messages: goesOn, anthropic_beta: [flag] })
    assert.notProperty(convert({ messages }, flag), "anthropic_beta")
    const { signature: _, ...unsigned } = summary
    const before = [{ role: "assistant", content: [unsigned] }, user(text("Go on."))]
    assert.notProperty(convert({ messages: before }, flag), "anthropic_beta")
  })

  it("has its words before its calls, where it would end in words that were to be continued", () => {
    const [call, more] = ["a", "b"].map((id) => ({ type: "tool_use", id, name: "f", input: {} }))
    const results = user(...["a", "b"].map((id) => ({ type: "tool_result", tool_use_id: id })))
    const sent = (...content: ReadonlyArray<Json>) =>
      convert({ messages: [user(text("q")), assistant(...content), results] }).messages
    const ordered = [user(text("q")), assistant(text("x"), text("y"), call!, more!), results]
    assert.deepStrictEqual(sent(text("x"), call!, more!, text("y")), ordered)
    const between = [text("x"), call!, text("y"), more!]
    assert.deepStrictEqual(sent(...between), [user(text("q")), assistant(...between), results])
  })

  it("sets the effort of a turn where the model takes that, and else leaves it to the request", () => {
    const effort = { output_config: { effort: "low" } }
    const messages = [user(text("a")), { ...system(), ...effort }, { ...user(text("b")), ...effort }]
    const newer = convert({ messages }, claudeCode)
    assert.deepStrictEqual(newer.messages, messages)
    const known = modelNamed("svc/claude-opus-4-6")
    const haiku = { ...known.upstream, model: "anthropic.claude-haiku-4-5-20251001-v1:0" }
    for (const model of [
      modelNamed("svc/claude-opus-5"),
      modelNamed("svc/claude-sonnet-5"),
      known,
      { ...known, upstream: haiku }
    ]) {
      const older = convertFor(model, { messages }, claudeCode)
      assert.deepStrictEqual(older.messages, [user(text("a")), user(text("b"))])
      assert.deepStrictEqual(older.anthropic_beta, ["context-management-2025-06-27"])
    }
  })

  it("tells what the tools that Bedrock does not have were asked and found", () => {
    const mark = { cache_control: { type: "ephemeral" } }
    const cited = {
      type: "web_search_result_location",
      url: "https://a.example",
      encrypted_index: "c2VjcmV0"
    }
    const page = { type: "page_location", cited_text: "x", document_index: 0 }
    const result = {
      type: "web_search_result",
      title: "Tides",
      url: "https://a.example",
      encrypted_content: "c2U"
    }
    const history = assistant(
      { type: "server_tool_use", id: "s", name: "web_search", input: { query: "tides" } },
      { type: "web_search_tool_result", tool_use_id: "s", content: [result], ...mark },
      { ...text("High at noon."), citations: [cited] },
      { ...text("So it says."), citations: [cited, page] },
      { type: "fallback", from: { model: "a" }, to: { model: "b" } }
    )
    const sent = convert({ messages: [user(text("a")), history, user(text("b"))] })
    assert.deepStrictEqual((sent.messages as ReadonlyArray<Json>)[1], {
      role: "assistant",
      content: [
        text('[server_tool_use] web_search {"query":"tides"}'),
        { ...text("[web_search_tool_result] Tides https://a.example"), ...mark },
        text("High at noon."),
        { ...text("So it says."), citations: [page] }
      ]
    })
  })

  it("does not say who made a call", () => {
    const call = { type: "tool_use", id: "toolu_1", name: "f", input: {} }
    const search = { type: "server_tool_use", id: "srvtoolu_1", name: "tool_search_tool_bm25", input: {} }
    const result = user({ type: "tool_result", tool_use_id: "toolu_1", content: "1" })
    const told = (...blocks: ReadonlyArray<JsonObject>) =>
      convert({ messages: [user(text("hi")), assistant(...blocks), result] }).messages
    for (const caller of [
      { type: "direct" },
      { type: "code_execution_20260120", tool_id: "srvtoolu_0" },
      null
    ])
      assert.deepStrictEqual(told({ ...search, caller }, { ...call, caller }), told(search, call))
  })

  it("keeps what Bedrock knows as it is", () => {
    const messages = [
      user(text("a")),
      assistant(
        { type: "compaction", content: "So far." },
        { type: "server_tool_use", id: "s", name: "tool_search_tool_regex", input: { pattern: "x" } },
        { type: "tool_search_tool_result", tool_use_id: "s", content: { tool_references: [] } },
        { type: "tool_use", id: "t", name: "f", input: {} }
      ),
      user({ type: "tool_result", tool_use_id: "t", content: "r" })
    ]
    assert.strictEqual(convert({ messages }).messages, messages)
  })

  it("gives no tool on the way that was left out, nor takes it away", () => {
    const advisor = { type: "advisor_20260301", name: "advisor", model: "claude-fable-5" }
    const read = { name: "Read", input_schema: { type: "object" } }
    const change = (type: string, tool: JsonObject) => ({ type, tool })
    const named = (name: string) => ({ type: "tool_reference", name })
    const kept = change("tool_addition", named("Read"))
    const messages = [
      user(text("a")),
      system(change("tool_addition", named("advisor")), kept),
      assistant(text("b")),
      system(change("tool_removal", named("advisor"))),
      system(change("tool_addition", { type: "tool_definition", definition: advisor }), text("c")),
      system(change("tool_addition", { type: "mcp_toolset_reference", server_name: "crm" }))
    ]
    const sent = convert({ tools: [read, advisor], messages })
    assert.deepStrictEqual(sent.tools, [read])
    assert.deepStrictEqual(sent.messages, [
      user(text("a")),
      system(kept),
      assistant(text("b")),
      system(text("c"))
    ])
  })
})
