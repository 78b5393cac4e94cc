import { assert, describe, it } from "@effect/vitest"
import type { JsonObject } from "../../../../src/formats/json/json.ts"
import { calling, convert, refused, returned, text, user } from "../chat-requests.ts"

const lowly = { thinking: { type: "adaptive" }, output_config: { effort: "low" } }

describe("settings of a chat request, as Messages settings", () => {
  it("C59 a schema becomes the output format: closed, and what the grammar lacks in words", () => {
    const schema = {
      type: "object",
      properties: {
        n: { type: "integer", minimum: 1, description: "N" },
        o: { type: ["object", "null"], properties: { p: { properties: {} } }, additionalProperties: true },
        s: { oneOf: [{ type: "string", format: "date" }] }
      },
      required: ["n"]
    }
    const closed = { additionalProperties: false }
    const body = convert({
      response_format: { type: "json_schema", json_schema: { name: "x", schema, strict: true } }
    })
    assert.deepStrictEqual(body.output_config, {
      format: {
        type: "json_schema",
        schema: {
          type: "object",
          properties: {
            n: { type: "integer", description: `N\n\n{"minimum":1}` },
            o: { type: ["object", "null"], properties: { p: { properties: {}, ...closed } }, ...closed },
            s: { anyOf: [{ type: "string", format: "date" }] }
          },
          required: ["n"],
          ...closed
        }
      }
    })
    const box = { properties: { kind: { const: "box" } } }
    const narrowed = {
      type: "object",
      properties: { kind: { type: "string" }, size: { type: "number" } },
      anyOf: [box]
    }
    const open = { ...narrowed, additionalProperties: {} }
    const format = { type: "json_schema", json_schema: { name: "x", schema: open } }
    assert.deepStrictEqual(
      convert({ response_format: format }).output_config,
      { format: { type: "json_schema", schema: { ...narrowed, additionalProperties: false } } },
      "what only says more of an object is not closed by itself"
    )
    const described = { name: "x", description: "What to tell.", schema: { type: "object" } }
    assert.deepStrictEqual(
      convert({ response_format: { type: "json_schema", json_schema: described } }).output_config,
      { format: { type: "json_schema", schema: { type: "object", description: "What to tell.", ...closed } } }
    )
    assert.notProperty(convert({ response_format: { type: "text" } }), "output_config")
  })

  it.each(["schema", "response_schema"])("the JSON mode with a %s beside it is bound to that", (name) => {
    const format = { type: "json_object", [name]: { type: "object", properties: {} } }
    const { output_config, system } = convert({ response_format: format })
    assert.deepStrictEqual(output_config, {
      format: {
        type: "json_schema",
        schema: { type: "object", properties: {}, additionalProperties: false }
      }
    })
    assert.isUndefined(system)
  })

  it("the JSON mode is put into words", () => {
    assert.include(JSON.stringify(convert({ response_format: { type: "json_object" } }).system), "JSON")
    const bare = convert({ response_format: { type: "json_object", schema: { type: "object" } } })
    assert.include(JSON.stringify(bare.system), "JSON")
    assert.notProperty(bare, "output_config")
  })

  it("C68 without a cap it is the model's maximum; of two the smaller; never above the maximum", () => {
    const cap = (more: JsonObject) => convert(more, { maxOutputTokens: 1_000 }).max_tokens
    assert.strictEqual(cap({}), 1_000)
    assert.strictEqual(cap({ max_tokens: 50, max_completion_tokens: 40 }), 40)
    assert.strictEqual(cap({ max_completion_tokens: 60 }), 60)
    assert.strictEqual(cap({ max_tokens: 9_999 }), 1_000)
    for (const name of ["max_output_tokens", "max_new_tokens"]) {
      assert.strictEqual(cap({ max_tokens: 50, [name]: 30 }), 30, "another protocol's name")
      assert.strictEqual(refused({ [name]: "x" }).field, name)
    }
    assert.strictEqual(refused({ max_tokens: 0 }).field, "max_tokens")
    assert.strictEqual(refused({ max_completion_tokens: "x" }).field, "max_completion_tokens")
  })

  it("C70 stop is a list without white space alone", () => {
    assert.deepStrictEqual(convert({ stop: "a" }).stop_sequences, ["a"])
    assert.deepStrictEqual(convert({ stop: ["a", " \n", "b"] }).stop_sequences, ["a", "b"])
    assert.notProperty(convert({ stop: ["  "] }), "stop_sequences")
    assert.strictEqual(refused({ stop: "a" }, { refuses: ["stop"] }).field, "stop")
  })

  it("C71 sampling is clamped, and left out with thinking or where the model refuses it", () => {
    const sampling = { temperature: 1.5, top_p: 0.5, top_k: 3 }
    assert.deepInclude(convert(sampling), { temperature: 1, top_p: 0.5, top_k: 3 })
    for (const body of [
      convert({ ...sampling, reasoning_effort: "high" }),
      convert(sampling, { refuses: ["sampling"] })
    ]) {
      for (const field of Object.keys(sampling)) assert.notProperty(body, field)
    }
    assert.property(convert({ ...sampling, reasoning_effort: "none" }), "temperature")
    assert.notProperty(convert({ temperature: 0.5, top_p: 1 }), "top_p")
    for (const top_k of [0, -1]) assert.notProperty(convert({ top_k }), "top_k")
    assert.deepInclude(convert({ temperature: 0.5, top_p: 0.9 }), { temperature: 0.5, top_p: 0.9 })
    assert.strictEqual(convert({ top_p: 1 }).top_p, 1)
  })

  it.each([
    [
      { reasoning_effort: "medium" },
      [],
      { thinking: { type: "adaptive" }, output_config: { effort: "medium" } }
    ],
    [
      { reasoning_effort: "minimal" },
      [],
      { thinking: { type: "adaptive" }, output_config: { effort: "low" } }
    ],
    [
      { reasoning_effort: "xhigh" },
      [],
      { thinking: { type: "adaptive" }, output_config: { effort: "high" } }
    ],
    [
      { reasoning_effort: "xhigh" },
      ["sampling"],
      { thinking: { type: "adaptive", display: "summarized" }, output_config: { effort: "xhigh" } }
    ],
    [
      { reasoning_effort: "high", thinking: { type: "adaptive" } },
      ["sampling"],
      { thinking: { type: "adaptive" }, output_config: { effort: "high" } }
    ],
    [{ reasoning_effort: "none" }, [], { thinking: { type: "disabled" } }],
    [{ reasoning_effort: "none" }, ["thinking_disabled"], { output_config: { effort: "low" } }],
    [
      { thinking: { type: "enabled", budget_tokens: 2_000 } },
      [],
      { thinking: { type: "enabled", budget_tokens: 2_000 } }
    ],
    [
      { thinking: { type: "enabled", budget_tokens: 2_000 } },
      ["thinking_budget"],
      { thinking: { type: "adaptive" } }
    ],
    [{ thinking: { type: "enabled", clear_thinking: false } }, [], { thinking: { type: "adaptive" } }],
    [
      { reasoning: { effort: "high" } },
      ["sampling"],
      { thinking: { type: "adaptive", display: "summarized" }, output_config: { effort: "high" } }
    ],
    [
      { reasoning: { effort: "low", exclude: true, enabled: true, max_tokens: null } },
      ["sampling"],
      { thinking: { type: "adaptive" }, output_config: { effort: "low" } }
    ],
    [{ reasoning: { effort: "none" } }, [], { thinking: { type: "disabled" } }],
    [{ reasoning: { enabled: false } }, [], { thinking: { type: "disabled" } }],
    [{ reasoning: { enabled: false } }, ["thinking_disabled"], { output_config: { effort: "low" } }],
    [{ reasoning: { enabled: true } }, [], { thinking: { type: "adaptive" } }],
    [{ reasoning: { max_tokens: 2_000 } }, [], { thinking: { type: "enabled", budget_tokens: 2_000 } }],
    [{ reasoning: { max_tokens: 500 } }, [], { thinking: { type: "enabled", budget_tokens: 1_024 } }],
    [{ reasoning: { max_tokens: 500 } }, ["thinking_budget"], { thinking: { type: "adaptive" } }],
    [{ reasoning: { max_tokens: 500 }, max_tokens: 1_000 }, [], { thinking: { type: "adaptive" } }],
    [{ reasoning: { exclude: true } }, [], {}],
    [{ reasoning: { enabled: false }, reasoning_effort: "low" }, [], lowly],
    [{ enable_thinking: false }, [], { thinking: { type: "disabled" } }],
    [{ chat_template_kwargs: { enable_thinking: false } }, [], { thinking: { type: "disabled" } }],
    [{ chat_template_kwargs: { thinking: true } }, [], { thinking: { type: "adaptive" } }],
    [{ chat_template_kwargs: { add_generation_prompt: true } }, [], {}]
  ] as const)("%j for a model that refuses %j is %j", (asked, refuses, expected) => {
    const { thinking, output_config } = convert(asked as JsonObject, { refuses })
    assert.deepStrictEqual(JSON.parse(JSON.stringify({ thinking, output_config })), expected)
  })

  it("a budget for thinking is left to the model behind calls that were made without a thought", () => {
    const thinking = { type: "enabled", budget_tokens: 2_000, display: "summarized" }
    const thought = { thinking_blocks: [{ type: "thinking", thinking: "hm", signature: "s" }] }
    const thinkingOf = (more: JsonObject, family = "claude", after: ReadonlyArray<JsonObject> = []) => {
      const messages = [{ ...calling("a"), ...more }, returned("a", "r"), ...after]
      return convert({ thinking, messages }, { family }).thinking
    }
    assert.deepStrictEqual(thinkingOf({}), { type: "adaptive", display: "summarized" })
    assert.deepStrictEqual(thinkingOf(thought), thinking)
    assert.deepStrictEqual(thinkingOf({}, "minimax"), thinking)
    const answered = [{ role: "assistant", content: "so" }, user(text("and?"))]
    assert.deepStrictEqual(thinkingOf({}, "claude", answered), thinking)
  })

  it.each([
    [{ n: 2 }, "n"],
    [{ n: "2" }, "n"],
    [{ n: [2] }, "n"],
    [{ logprobs: true }, "logprobs"],
    [{ moderation: { model: "omni-moderation-latest" } }, "moderation"],
    [{ logit_bias: { "50256": -100 } }, "logit_bias"],
    [{ modalities: ["text", "audio"] }, "modalities"],
    [{ guided_json: { type: "object" } }, "guided_json"],
    [{ guided_choice: ["a", "b"] }, "guided_choice"],
    [{ structured_outputs: { regex: "a+" } }, "structured_outputs"],
    [{ data_sources: [{ type: "azure_search" }] }, "data_sources"],
    [{ mock_response: "ok" }, "mock_response"],
    [{ response_format: { type: "grammar" } }, "response_format.type"]
  ])("%j is refused, since its loss would change the answer", (more, field) => {
    const failure = refused(more as JsonObject)
    assert.strictEqual(failure.field, field)
    assert.include(failure.message, field)
  })

  it("hints without a counterpart are left out", () => {
    const body = convert({
      n: 1,
      seed: 1,
      frequency_penalty: 1,
      store: true,
      metadata: { a: "b" },
      verbosity: "low",
      guided_json: null,
      structured_outputs: true,
      data_sources: [],
      mock_response: false,
      x: 1,
      user: "u"
    })
    assert.hasAllKeys(body, ["model", "max_tokens", "messages", "metadata"])
    assert.deepStrictEqual(body.metadata, { user_id: "u" })
  })
})
