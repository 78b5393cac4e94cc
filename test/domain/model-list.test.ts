import { assert, describe, it } from "@effect/vitest"
import type { BetaModelInfo } from "@anthropic-ai/sdk/resources/beta/models"
import type { Models } from "@anthropic-ai/sdk/resources/models"
import { renderMessagesModel } from "../../src/domain/messages-model-list.ts"
import { type ModelPage, renderModel, renderModelList } from "../../src/domain/model-list.ts"
import { catalogue } from "../catalogue.ts"

const { models } = catalogue
const ids = models.map((model) => model.id)
const pageIds = (page: ModelPage) => {
  const list = renderModelList(renderModel, models, page)!
  assert.strictEqual(list.first_id, list.data[0]?.id ?? null)
  assert.strictEqual(list.last_id, list.data.at(-1)?.id ?? null)
  return [list.data.map((model) => model.id), list.has_more] as const
}

describe("renderModelList", () => {
  it("lists the whole catalogue without parameters", () => {
    assert.deepStrictEqual(pageIds({}), [ids, false])
    assert.strictEqual(ids.length, catalogue.models.length)
  })

  it("gives one model every field that both client families read", () => {
    const model = models.find(({ id }) => id === "claude-fable-5")!
    assert.deepStrictEqual<unknown>(renderModel(model), {
      id: "claude-fable-5",
      object: "model",
      type: "model",
      display_name: "Claude Fable 5",
      name: "Claude Fable 5",
      created: 1_767_225_600,
      created_at: "2026-01-01T00:00:00Z",
      owned_by: "claude",
      context_window: 1_000_000,
      max_output_tokens: 128_000,
      price: { currency: "VND", per_mtok: 8300 },
      channel: "standard",
      capabilities: ["reasoning", "vision", "tool_calling", "streaming"]
    })
  })

  it("gives clients of the Messages protocol what their SDK's type wants of each", () => {
    for (const model of models) {
      const listed: Models.ModelInfo & BetaModelInfo = renderMessagesModel(model)
      assert.isObject(listed.capabilities)
      assert.deepStrictEqual(
        [listed.lifecycle, listed.max_input_tokens, listed.max_tokens],
        ["active", model.contextWindow, model.maxOutputTokens]
      )
      assert.deepInclude(listed, { line: null, deprecated_at: null, retires_at: null })
      const { capabilities: labels, ...same } = renderModel(model)
      assert.deepInclude(renderMessagesModel(model), { ...same, labels })
      const { allowed_fallback_models: fallbacks, capabilities } = listed
      assert.deepStrictEqual(fallbacks, capabilities?.compaction?.supported === true ? null : [])
    }
    const page = renderModelList(renderMessagesModel, models, { limit: 2 })!
    assert.deepStrictEqual([page.data.length, page.has_more], [2, true])
  })

  const messagesModel = (id: string) => renderMessagesModel(models.find((model) => model.id === id)!)

  it("tells clients of the Messages protocol all that a model can do, one by one", () => {
    const [no, yes] = [{ supported: false }, { supported: true }]
    assert.deepStrictEqual<unknown>(messagesModel("claude-opus-5").capabilities, {
      batch: no,
      citations: yes,
      code_execution: yes,
      compaction: { summarize: yes, supported: true },
      context_management: {
        clear_thinking_20251015: yes,
        clear_tool_uses_20250919: yes,
        compact_20260112: yes,
        supported: true
      },
      effort: { low: yes, medium: yes, high: yes, xhigh: yes, max: yes, supported: true },
      image_input: yes,
      pdf_input: yes,
      server_tools: { code_execution: yes, web_search: yes, supported: true },
      structured_outputs: yes,
      thinking: {
        supported: true,
        types: { adaptive: yes, between_tools: yes, disabled: yes, enabled: no }
      }
    })
  })

  const ofClaude = ["citations"]
  const itself = ["code_execution", "compaction", "context_management", "server_tools"]
  const thinks = ["effort", "thinking"]
  const sees = ["image_input", "pdf_input"]
  it.each<[id: string, what: ReadonlyArray<string>, thoughts: ReadonlyArray<string>]>([
    ["claude-fable-5", [...ofClaude, ...itself, ...thinks, ...sees], []],
    ["claude-opus-4-8", [...ofClaude, ...itself, ...thinks, ...sees], ["disabled", "enabled"]],
    ["svc/claude-opus-5", [...ofClaude, ...thinks, ...sees], ["disabled"]],
    ["gpt-5.6-sol", [...thinks, ...sees], ["disabled", "enabled"]],
    ["deepseek-v4-pro", thinks, ["disabled", "enabled"]],
    ["mistral-large-2512", sees, []],
    ["qwen3-coder-plus", [], []]
  ])("tells them of %s that it can do %j, and think %j", (id, what, thoughts) => {
    const { capabilities } = messagesModel(id)
    const able = Object.entries(capabilities).flatMap(([name, { supported }]) => (supported ? [name] : []))
    assert.sameMembers(able, [...what, "structured_outputs"])
    const { disabled, enabled } = capabilities.thinking.types
    const switches = Object.entries({ disabled, enabled })
    assert.deepStrictEqual(
      switches.flatMap(([name, { supported }]) => (supported ? [name] : [])),
      thoughts
    )
  })

  it("tells them of models of images and speech that they can do none of it", () => {
    for (const model of models.filter(({ kind }) => kind !== "chat")) {
      const { capabilities } = renderMessagesModel(model)
      assert.notInclude(JSON.stringify(capabilities), "true", model.id)
    }
  })

  it("prices a per-request model by the request", () => {
    const model = models.find(({ price }) => price._tag === "PerRequest")!
    assert.deepStrictEqual(Object.keys(renderModel(model).price), ["currency", "per_request"])
  })

  it("has no context window for image models", () => {
    assert.isNull(renderModel(models.find(({ kind }) => kind === "image")!).context_window)
  })

  it("pages forwards until every model was seen once", () => {
    const seen: Array<string> = []
    let more = true
    while (more) {
      const [page, hasMore] = pageIds({ limit: 10, afterId: seen.at(-1) })
      seen.push(...page)
      more = hasMore
    }
    assert.deepStrictEqual(seen, ids)
  })

  it("pages backwards with the models just before an id", () => {
    assert.deepStrictEqual(pageIds({ limit: 2, beforeId: ids[5] }), [ids.slice(3, 5), true])
    assert.deepStrictEqual(pageIds({ limit: 5, beforeId: ids[3] }), [ids.slice(0, 3), false])
  })

  it("keeps between two ids when both are given", () => {
    assert.deepStrictEqual(pageIds({ afterId: ids[2], beforeId: ids[5] }), [ids.slice(3, 5), false])
    assert.deepStrictEqual(pageIds({ afterId: ids[5], beforeId: ids[2] }), [[], false])
  })

  it("ends with an empty page after the last model", () => {
    assert.deepStrictEqual(pageIds({ limit: 3, afterId: ids.at(-1) }), [[], false])
  })

  it("does not invent a page for an unknown id", () => {
    assert.isUndefined(renderModelList(renderModel, models, { afterId: "no-such-model" }))
    assert.isUndefined(renderModelList(renderModel, models, { beforeId: "no-such-model" }))
  })
})
