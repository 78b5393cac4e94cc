/** Which tools a provider runs, by whatever name a request or an answer has for them, and how often they may be used. */
import { assert, describe, it } from "@effect/vitest"
import {
  hostedName,
  type HostedTool,
  hostedToolsOf,
  isHosted
} from "../../../src/formats/particulars/hosted-tools.ts"
import { UseCounts } from "../../../src/formats/particulars/UseCounts.ts"
import type { Json, JsonObject } from "../../../src/formats/json/json.ts"

describe("a tool of a provider's", () => {
  it.each([
    ["web_search", "web_search_20250305", "web_search_call", "web_search_preview", "web_search_requests"],
    ["web_fetch", "web_fetch_20250910", "web_fetch_requests"],
    ["code_execution", "code_execution_20250825", "bash_code_execution", "text_editor_code_execution"],
    ["code_interpreter", "code_interpreter_call"],
    ["file_search", "file_search_call"],
    ["image_generation", "image_generation_call"],
    ["advisor", "advisor_20260301"],
    ["mcp", "mcp_call"],
    ["x_search", "x_search_call"],
    ["collections_search", "collections_search_call"],
    ["live_search"],
    ["browser_search", "browser_search_call"],
    ["google_search", "google_search_retrieval"],
    ["tool_search", "tool_search_tool_regex", "tool_search_call"]
  ])("is %s by all of its names", (tool, ...names) => {
    for (const name of [tool, ...names]) assert.strictEqual(hostedName(name), tool)
  })

  it("is none by another name, and none that the caller runs", () => {
    for (const name of ["", "function", "custom", "bash_20250124", "my_web_search", "computer_use"])
      assert.isUndefined(hostedName(name))
    const mine: ReadonlyArray<JsonObject> = [
      { type: "function", name: "web_search" },
      { type: "custom", name: "web_search" },
      { name: "web_search", input_schema: { type: "object" } },
      { type: "web_search", input_schema: { type: "object" } },
      { type: "function", function: { name: "$web_search" } },
      { type: "shell", environment: { type: "local" } },
      { type: "shell" },
      { type: "container", environment: { type: "container_auto" } },
      { type: "bash_20250124", name: "bash" },
      { type: "builtin_function", function: "web_search" },
      { type: "builtin_function", function: { name: "web_$search" } }
    ]
    for (const tool of mine) assert.isFalse(isHosted(tool), JSON.stringify(tool))
  })

  it("is none that costs nothing but its tokens", () => {
    assert.isFalse(isHosted({ type: "tool_search_tool_bm25_20251119", name: "tool_search_tool_bm25" }))
  })

  it.each<[what: string, body: JsonObject, tools: ReadonlyArray<Partial<HostedTool>>]>([
    ["none where there are none", { tools: [] }, []],
    [
      "as many as are usual",
      { tools: [{ type: "web_search" }, { type: "function", name: "f" }] },
      [{ tool: "web_search", field: "tools", usesMax: 5, asks: undefined }]
    ],
    ["as many as it says", { tools: [{ type: "web_search", max_uses: 2 }] }, [{ usesMax: 2 }]],
    ["once", { tools: [{ type: "web_search", max_uses: 1 }] }, [{ usesMax: 1 }]],
    [
      "no more than any answer has",
      { tools: [{ type: "web_search", max_uses: 5_000 }] },
      [{ usesMax: 1_000 }]
    ],
    ["by what all may have", { tools: [{ type: "web_search" }], max_tool_calls: 9 }, [{ usesMax: 9 }]],
    ["of that no more, either", { tools: [{ type: "mcp" }], max_tool_calls: 5_000 }, [{ usesMax: 1_000 }]],
    ["as usual where the number is none", { tools: [{ type: "mcp", max_uses: "2" }] }, [{ usesMax: 5 }]],
    ["as usual where it is zero", { tools: [{ type: "mcp", max_uses: 0 }] }, [{ usesMax: 5 }]],
    [
      "by a member of its own",
      { enable_search: true, max_tool_calls: 3 },
      [{ tool: "web_search", field: "enable_search", usesMax: 3, asks: undefined }]
    ],
    [
      "once where it is said twice",
      { tools: [{ type: "web_search" }], web_search_options: {} },
      [{ field: "tools" }]
    ],
    [
      "apart where another is said",
      { tools: [{ type: "web_search" }], mcp_servers: [{ url: "https://mcp.example" }] },
      [{ tool: "web_search" }, { tool: "mcp", field: "mcp_servers" }]
    ],
    ["of that no more", { enable_search: true, max_tool_calls: 5_000 }, [{ usesMax: 1_000 }]],
    ["not where there is no server", { mcp_servers: [] }, []],
    ["not where it is switched by a word", { enable_search: "on" }, []],
    ["not where it is off", { search_parameters: { mode: "off" } }, []]
  ])("may be used %s", (_, body, tools) => {
    const found = hostedToolsOf(body)
    assert.strictEqual(found.length, tools.length)
    for (const [index, tool] of tools.entries()) assert.deepInclude(found[index], tool)
  })

  it.each<[member: string, value: Json, tool: string]>([
    ["web_search_options", {}, "web_search"],
    ["enable_search", true, "web_search"],
    ["search_parameters", { mode: "auto" }, "live_search"],
    ["enable_code_interpreter", true, "code_interpreter"],
    ["mcp_servers", [{ url: "https://mcp.example" }], "mcp"]
  ])("is switched on by %s", (member, value, tool) => {
    assert.deepStrictEqual(hostedToolsOf({ [member]: value }), [
      { tool, field: member, usesMax: 5, asks: undefined }
    ])
    assert.deepStrictEqual(hostedToolsOf({ [member]: false }), [])
  })

  it.each<[tool: JsonObject, name: string]>([
    [{ type: "shell", environment: { type: "container_auto" } }, "shell"],
    [{ type: "shell_call", environment: { type: "container_reference" } }, "shell"],
    [{ type: "builtin_function", function: { name: "$web_search" } }, "web_search"],
    [{ type: "builtin_function", function: { name: "web_search" } }, "web_search"]
  ])("is the provider's where %j is", (tool, name) => {
    assert.deepStrictEqual(
      hostedToolsOf({ tools: [tool] }).map((each) => each.tool),
      [name]
    )
  })

  it.each<[tool: JsonObject, asks: HostedTool["asks"]]>([
    [
      { type: "advisor_20260301", model: "opus" },
      { model: "opus", outputTokens: 4_096 }
    ],
    [
      { type: "advisor_20260301", model: "opus", max_tokens: 900 },
      { model: "opus", outputTokens: 900 }
    ],
    [
      { type: "advisor_20260301", model: "opus", max_tokens: 9_000_000 },
      { model: "opus", outputTokens: 1_000_000 }
    ],
    [{ type: "advisor_20260301" }, undefined],
    [{ type: "web_search", model: "opus" }, undefined],
    [{ type: "web_search", output_format: "svg" }, undefined],
    [{ type: "image_generation", output_format: "png", model: "gpt-image-2" }, undefined],
    [
      { type: "image_generation", output_format: "svg" },
      { model: "", outputTokens: 16_384 }
    ],
    [
      { type: "image_generation", output_format: "svg", svg: { model: 7 } },
      { model: "", outputTokens: 16_384 }
    ],
    [
      { type: "image_generation", output_format: "svg", svg: { model: "sol" } },
      { model: "sol", outputTokens: 16_384 }
    ]
  ])("asks another model: %j", (tool, asks) => {
    assert.deepStrictEqual(hostedToolsOf({ tools: [tool] })[0]?.asks, asks)
  })
})

describe("the uses of tools", () => {
  it("are those that are told where they are, else those that were seen", () => {
    const uses = new UseCounts()
    for (const name of ["web_search", "web_search", "mcp", "mcp", undefined]) uses.see(name)
    uses.tell("web_search", 7)
    uses.tell("mcp", "3")
    uses.tell(undefined, 4)
    uses.tell("file_search", 2)
    uses.tell("file_search", 0)
    assert.deepStrictEqual(uses.uses, [
      { tool: "web_search", uses: 7 },
      { tool: "mcp", uses: 2 }
    ])
  })
})
