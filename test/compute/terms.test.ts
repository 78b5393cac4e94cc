/** On what terms calls go up, from each endpoint over each protocol: what is not priced is not bought. */
import { assert, describe, it } from "@effect/vitest"
import { prepareCall } from "../../src/compute/prepare-call.ts"
import { Unprepared } from "../../src/compute/read-body.ts"
import type { TextEndpoint } from "../../src/domain/call.ts"
import type { Model } from "../../src/domain/catalogue.ts"
import { readTiers } from "../../src/domain/surcharge-records.ts"
import type { Surcharges } from "../../src/domain/surcharges.ts"
import { wayTo } from "../../src/formats/pairs.ts"
import { modelNamed } from "../catalogue.ts"
import { noSurcharges } from "../wire/models.ts"

const bodies = {
  messages: { max_tokens: 10, messages: [{ role: "user", content: "Hi" }] },
  chat_completions: { messages: [{ role: "user", content: "Hi" }] },
  responses: { input: "Hi" }
}

const all = readTiers({ priority: 2, flex: 0.5, fast: 6, us: 1.1 })

const prepare = (
  endpoint: TextEndpoint,
  id: string,
  members: object,
  surcharges: Partial<Surcharges> = {}
) => {
  const model: Model = { ...modelNamed(id), surcharges: { ...noSurcharges, ...surcharges } }
  const body = Buffer.from(JSON.stringify({ model: id, ...bodies[endpoint], ...members }))
  return prepareCall({ way: wayTo(endpoint, model)!, body, model, anthropicBeta: "" })
}

const sentBy = (...call: Parameters<typeof prepare>) => {
  const { bytes, terms } = prepare(...call)
  const sent = JSON.parse(Buffer.from(bytes).toString()) as Record<string, unknown>
  return [sent["service_tier"], sent["speed"], sent["inference_geo"], terms.tier, terms.speed, terms.region]
}

const claude = "claude-sonnet-5"
const gpt = "gpt-6.1-sol"
const none = undefined

type Row = [endpoint: TextEndpoint, id: string, members: object, sent: ReadonlyArray<unknown>]

describe("without factors", () => {
  it.each<Row>([
    ["messages", claude, {}, [none, none, none, none, none, none]],
    [
      "messages",
      claude,
      { service_tier: "auto" },
      ["standard_only", none, none, "standard_only", none, none]
    ],
    [
      "messages",
      claude,
      { service_tier: "priority" },
      ["standard_only", none, none, "standard_only", none, none]
    ],
    [
      "messages",
      claude,
      { service_tier: "standard_only" },
      ["standard_only", none, none, "standard_only", none, none]
    ],
    ["messages", claude, { service_tier: null }, [null, none, none, none, none, none]],
    ["messages", claude, { speed: "fast" }, [none, none, none, none, none, none]],
    ["messages", claude, { speed: "standard" }, [none, "standard", none, none, "standard", none]],
    ["messages", claude, { inference_geo: "global" }, [none, none, "global", none, none, none]],
    ["chat_completions", gpt, { service_tier: "priority" }, ["default", none, none, "default", none, none]],
    [
      "chat_completions",
      gpt,
      { service_tier: "of-tomorrow" },
      ["default", none, none, "default", none, none]
    ],
    ["chat_completions", gpt, { service_tier: "flex" }, ["flex", none, none, "flex", none, none]],
    ["chat_completions", gpt, { service_tier: "auto" }, ["auto", none, none, "auto", none, none]],
    [
      "chat_completions",
      "deepseek-v4-flash",
      { service_tier: "priority" },
      ["default", none, none, "default", none, none]
    ],
    ["responses", gpt, { service_tier: "priority" }, ["default", none, none, "default", none, none]],
    ["responses", gpt, { service_tier: "flex" }, ["flex", none, none, "flex", none, none]],
    // Other protocols' words for it do not go along.
    ["messages", gpt, { service_tier: "auto", speed: "fast" }, [none, none, none, none, none, none]],
    ["chat_completions", claude, { service_tier: "priority" }, [none, none, none, none, none, none]],
    ["responses", claude, { service_tier: "priority" }, [none, none, none, none, none, none]],
    [
      "messages",
      "svc/claude-sonnet-5",
      { service_tier: "auto", speed: "fast" },
      [none, none, none, none, none, none]
    ],
    ["chat_completions", "svc/nova-pro", { service_tier: "priority" }, [none, none, none, none, none, none]]
  ])("%s of %s with %j is like any other", (endpoint, id, members, sent) => {
    assert.deepStrictEqual(sentBy(endpoint, id, members), sent)
  })

  it.each<[TextEndpoint, string]>([
    ["messages", claude],
    ["messages", gpt],
    ["messages", "svc/claude-sonnet-5"],
    ["chat_completions", gpt],
    ["chat_completions", claude],
    ["responses", gpt],
    ["responses", claude]
  ])("a region on %s of %s is refused by its name", (endpoint, id) => {
    const refused = ["us", "eu", 7].map((place) => {
      try {
        return prepare(endpoint, id, { inference_geo: place }).terms
      } catch (error) {
        if (!(error instanceof Unprepared)) throw error
        return error.field
      }
    })
    assert.deepStrictEqual(refused, ["inference_geo", "inference_geo", "inference_geo"])
  })

  it("changes no other byte", () => {
    const model = modelNamed(claude)
    const text = `{"model":"${claude}", "speed" : "fast","max_tokens":5,"messages":[{"role":"user","content":"1.00"}],"service_tier":"auto" }`
    const { bytes } = prepareCall({
      way: wayTo("messages", model)!,
      body: Buffer.from(text),
      model,
      anthropicBeta: ""
    })
    const expected = text.replace('"speed" : "fast",', "").replace('"auto"', '"standard_only"')
    assert.strictEqual(Buffer.from(bytes).toString(), expected)
  })

  it("reads a name however it is escaped, and each only once", () => {
    const model = modelNamed(gpt)
    const sent = (members: string) =>
      Buffer.from(
        prepareCall({
          way: wayTo("chat_completions", model)!,
          body: Buffer.from(`{"model":"${gpt}",${members},"messages":[{"role":"user","content":"Hi"}]}`),
          model,
          anthropicBeta: ""
        }).bytes
      ).toString()
    assert.include(sent('"service\\u005ftier":"priority"'), '"service\\u005ftier":"default"')
    assert.throws(() => sent('"service_tier":"flex","service\\u005ftier":"priority"'), Unprepared)
  })

  it("leaves the cap where it belongs", () => {
    const { bytes, cap } = prepare("messages", claude, { service_tier: "auto", max_tokens: 1e9 })
    const { start, end } = cap.edits[0]!
    assert.strictEqual(Buffer.from(bytes).toString("utf8", start, end), "1000000000")
  })
})

describe("with factors", () => {
  it.each<Row>([
    ["messages", claude, { service_tier: "auto" }, ["auto", none, none, "auto", none, none]],
    ["messages", claude, { speed: "fast" }, [none, "fast", none, none, "fast", none]],
    ["messages", claude, { inference_geo: "us" }, [none, none, "us", none, none, "us"]],
    ["chat_completions", gpt, { service_tier: "priority" }, ["priority", none, none, "priority", none, none]],
    ["responses", gpt, { service_tier: "flex" }, ["flex", none, none, "flex", none, none]],
    ["messages", gpt, { service_tier: "auto", speed: "fast" }, [none, none, none, none, none, none]],
    ["chat_completions", claude, { service_tier: "priority" }, [none, none, none, none, none, none]]
  ])("%s of %s with %j goes up as it was sent, where it goes up", (endpoint, id, members, sent) => {
    assert.deepStrictEqual(sentBy(endpoint, id, members, { tiers: all }), sent)
  })
})

describe("tools that the provider runs", () => {
  it.each<[TextEndpoint, string, object, ReadonlyArray<readonly [tool: string, usesMax: number]>]>([
    [
      "messages",
      claude,
      { tools: [{ type: "web_search_20250305", name: "web_search", max_uses: 3 }] },
      [["web_search", 3]]
    ],
    [
      "messages",
      claude,
      { tools: [{ type: "code_execution_20250825", name: "x" }] },
      [["code_execution", 5]]
    ],
    ["messages", claude, { tools: [{ type: "bash_20250124", name: "bash" }] }, []],
    ["messages", claude, { tools: [{ name: "web_search", input_schema: { type: "object" } }] }, []],
    [
      "messages",
      claude,
      { mcp_servers: [{ type: "url", url: "https://example.com", name: "x" }] },
      [["mcp", 5]]
    ],
    ["chat_completions", gpt, { web_search_options: {} }, [["web_search", 5]]],
    ["chat_completions", "qwen3.7-plus", { enable_search: true }, [["web_search", 5]]],
    ["chat_completions", "qwen3.7-plus", { enable_search: false }, []],
    ["chat_completions", "qwen3.7-plus", { enable_code_interpreter: true }, [["code_interpreter", 5]]],
    [
      "chat_completions",
      "kimi-k2.6",
      { tools: [{ type: "builtin_function", function: { name: "$web_search" } }] },
      [["web_search", 5]]
    ],
    ["chat_completions", "grok-4.3", { search_parameters: { mode: "auto" } }, [["live_search", 5]]],
    ["chat_completions", "grok-4.3", { search_parameters: { mode: "off" } }, []],
    ["chat_completions", gpt, { tools: [{ type: "function", function: { name: "web_search" } }] }, []],
    [
      "responses",
      gpt,
      { tools: [{ type: "web_search" }, { type: "image_generation" }] },
      [
        ["web_search", 5],
        ["image_generation", 5]
      ]
    ],
    [
      "responses",
      gpt,
      { tools: [{ type: "shell", environment: { type: "container_auto" } }] },
      [["shell", 5]]
    ],
    ["responses", gpt, { tools: [{ type: "shell", environment: { type: "local" } }, { type: "shell" }] }, []],
    ["responses", gpt, { max_tool_calls: 2, tools: [{ type: "file_search" }] }, [["file_search", 2]]],
    [
      "responses",
      gpt,
      {
        tools: [
          { type: "function", name: "web_search", parameters: {} },
          { type: "custom", name: "x" }
        ]
      },
      []
    ]
  ])("%s of %s with %j are found, and refused where they are not sold", (endpoint, id, members, expected) => {
    const { hostedTools } = prepare(endpoint, id, members)
    assert.deepStrictEqual(
      hostedTools.map(({ tool, usesMax }) => [tool, usesMax] as const),
      expected
    )
    const refused = () => prepare(endpoint, id, members, { refusesHostedTools: true })
    if (expected.length === 0) assert.doesNotThrow(refused)
    else assert.throws(refused, Unprepared)
  })

  it("that ask another model are known by its name", () => {
    const tool = { type: "advisor_20260301", name: "advisor", model: "claude-opus-4-8", max_tokens: 100 }
    const { hostedTools } = prepare("messages", claude, { tools: [tool] })
    assert.deepStrictEqual(hostedTools[0]!.asks, { model: "claude-opus-4-8", outputTokens: 100 })
  })

  it.each([
    [{ output_format: "svg", svg: { model: "gpt-5.4" } }, "gpt-5.4"],
    // The model that is called writes it.
    [{ output_format: "svg" }, ""],
    [{ output_format: "png" }, undefined]
  ])("for an image as %j ask %j", (members, author) => {
    const { hostedTools } = prepare("responses", gpt, { tools: [{ type: "image_generation", ...members }] })
    assert.deepStrictEqual(hostedTools[0]!.asks?.model, author)
  })

  it("are held for no longer than is believed, whatever number a request gives", () => {
    const max_uses = 1_000_000_000
    const tools = [
      { type: "advisor_20260301", name: "advisor", model: claude, max_uses, max_tokens: 1_000_000_000 },
      { type: "web_search_20250305", name: "web_search", max_uses }
    ]
    const { hostedTools } = prepare("messages", claude, { tools })
    assert.deepStrictEqual(
      hostedTools.map(({ asks, tool, usesMax }) => [tool, usesMax, asks?.outputTokens]),
      [
        ["advisor", 1_000, 1_000_000],
        ["web_search", 1_000, undefined]
      ]
    )
    const responses = prepare("responses", gpt, { max_tool_calls: max_uses, tools: [{ type: "web_search" }] })
    assert.strictEqual(responses.hostedTools[0]!.usesMax, 1_000)
  })

  it.each<[TextEndpoint, string, object]>([
    ["messages", gpt, { tools: [{ type: "web_search_20250305", name: "web_search" }] }],
    ["messages", "svc/claude-sonnet-5", { tools: [{ type: "web_search_20250305", name: "web_search" }] }],
    ["messages", gpt, { mcp_servers: [{ type: "url", url: "https://example.com", name: "x" }] }],
    ["chat_completions", claude, { web_search_options: {} }],
    ["responses", claude, { tools: [{ type: "web_search" }] }]
  ])("are neither held for nor refused where %s of %s leaves them out: %j", (endpoint, id, members) => {
    const { bytes, hostedTools } = prepare(endpoint, id, members, { refusesHostedTools: true })
    assert.notInclude(Buffer.from(bytes).toString(), "web_search")
    assert.deepStrictEqual(hostedTools, [])
  })

  it("and models that may answer instead are only those of a request that says so to its provider", () => {
    const members = { fallbacks: [{ model: "claude-opus-4-8" }] }
    assert.deepStrictEqual(prepare("messages", claude, members).fallbacks, ["claude-opus-4-8"])
    assert.deepStrictEqual(prepare("messages", gpt, members).fallbacks, [])
  })
})
