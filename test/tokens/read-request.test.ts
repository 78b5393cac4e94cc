/** Every text that a model will read is counted, wherever it stands in a request, and nothing else is. */
import { assert, describe, it } from "@effect/vitest"
import type { Json, JsonObject } from "../../src/formats/json/json.ts"
import { exactTextTokens } from "../../src/tokens/count-input-tokens.ts"
import { measureInput } from "../../src/tokens/measure-input.ts"
import { readRequest } from "../../src/tokens/read-request.ts"
import { png } from "./make-images.ts"
import { modelNamed } from "../catalogue.ts"

const wide = { ...modelNamed("claude-sonnet-4-6"), contextWindow: 1_000_000_000 }

const marker = "an unmistakable sentence about seventeen purple elephants in the garden"

const textsOf = (body: JsonObject) => {
  const texts: Array<string> = []
  readRequest(body, (text) => texts.push(text))
  return texts
}

describe("the texts of a request", () => {
  const user = (content: Json) => ({ messages: [{ role: "user", content }] })
  const places: ReadonlyArray<readonly [string, JsonObject]> = [
    ["a system prompt", { system: marker }],
    ["system blocks", { system: [{ type: "text", text: marker, cache_control: { type: "ephemeral" } }] }],
    ["a system message among the others", { messages: [{ role: "system", content: marker }] }],
    ["a message of plain text", user(marker)],
    ["a text block", user([{ type: "text", text: marker }])],
    ["a tool result", user([{ type: "tool_result", tool_use_id: "t", content: marker }])],
    [
      "a tool result of blocks",
      user([{ type: "tool_result", tool_use_id: "t", content: [{ type: "text", text: marker }] }])
    ],
    [
      "a tool's input",
      user([{ type: "tool_use", id: "t", name: "n", input: { deep: [{ deeper: marker }] } }])
    ],
    ["a key of a tool's input", user([{ type: "tool_use", id: "t", name: "n", input: { [marker]: 1 } }])],
    ["thinking", user([{ type: "thinking", thinking: marker, signature: "c2ln" }])],
    ["a document of text", user([{ type: "document", source: { type: "text", data: marker } }])],
    [
      "a document of blocks",
      user([{ type: "document", source: { type: "content", content: [{ type: "text", text: marker }] } }])
    ],
    ["a document's title", user([{ type: "document", title: marker, source: { type: "text", data: "" } }])],
    [
      "a search result",
      user([{ type: "search_result", title: "t", source: "s", content: [{ type: "text", text: marker }] }])
    ],
    ["a block nobody knows", user([{ type: "novelty", inside: { of: [marker] } }])],
    [
      "the arguments of a chat tool call",
      {
        messages: [
          { role: "assistant", tool_calls: [{ id: "c", function: { name: "f", arguments: marker } }] }
        ]
      }
    ],
    ["a chat refusal", { messages: [{ role: "assistant", refusal: marker }] }],
    ["chat reasoning", { messages: [{ role: "assistant", reasoning_content: marker }] }],
    ["a participant's name", { messages: [{ role: "user", name: marker, content: "" }] }],
    ["a prediction", { prediction: { type: "content", content: marker } }],
    ["instructions", { instructions: marker }],
    ["plain input", { input: marker }],
    ["an input item", { input: [{ role: "user", content: [{ type: "input_text", text: marker }] }] }],
    ["the output of a function", { input: [{ type: "function_call_output", call_id: "c", output: marker }] }],
    [
      "the input of a custom tool",
      { input: [{ type: "custom_tool_call", call_id: "c", name: "n", input: marker }] }
    ],
    [
      "a reasoning summary",
      { input: [{ type: "reasoning", summary: [{ type: "summary_text", text: marker }] }] }
    ],
    ["prompt variables", { prompt: { id: "p", variables: { topic: marker } } }],
    ["a tool's description", { tools: [{ name: "n", description: marker, input_schema: {} }] }],
    [
      "a tool's schema",
      {
        tools: [
          {
            type: "function",
            function: { name: "n", parameters: { properties: { a: { description: marker } } } }
          }
        ]
      }
    ],
    [
      "what a server of tools is for",
      {
        tools: [
          { type: "mcp", server_label: "s", server_url: "https://x.example", server_description: marker }
        ]
      }
    ],
    [
      "where a search is made from",
      { tools: [{ type: "web_search", user_location: { type: "approximate", city: marker } }] }
    ],
    [
      "where a search of chat is made from",
      { web_search_options: { user_location: { type: "approximate", approximate: { city: marker } } } }
    ],
    [
      "how a conversation is to be summed up",
      { context_management: { edits: [{ type: "compact_20260112", instructions: marker }] } }
    ],
    ["an old-style function", { functions: [{ name: "n", description: marker }] }],
    [
      "the schema of a Messages answer",
      { output_format: { type: "json_schema", schema: { description: marker } } }
    ],
    [
      "the schema in an output config",
      { output_config: { format: { type: "json_schema", schema: { description: marker } } } }
    ],
    [
      "the schema of a chat answer",
      {
        response_format: { type: "json_schema", json_schema: { name: "n", schema: { description: marker } } }
      }
    ],
    [
      "a schema beside another form",
      {
        response_format: {
          type: "json_schema",
          format: {},
          schema: {},
          json_schema: { name: "n", schema: { description: marker } }
        }
      }
    ],
    [
      "the schema of a response",
      { text: { format: { type: "json_schema", name: "n", schema: { description: marker } } } }
    ],
    [
      "what the schema of a response is for",
      { text: { format: { type: "json_schema", name: "n", description: marker, schema: {} } } }
    ],
    [
      "the schema that is given on the way",
      {
        input: [
          {
            type: "configuration_update",
            text: { format: { type: "json_schema", name: "n", schema: { description: marker } } }
          }
        ]
      }
    ],
    [
      "the name of a file",
      { input: [{ role: "user", content: [{ type: "input_file", filename: marker }] }] }
    ],
    ["a file's name in chat", user([{ type: "file", file: { filename: marker, file_data: "" } }])],
    ["a document's name", user([{ type: "document_url", document_url: "https://x", document_name: marker }])],
    [
      "what else stands in a document of text",
      user([{ type: "document", note: marker, source: { type: "text", data: "" } }])
    ],
    ["a state much too long for one", { input: [{ type: "tool_search_output", status: marker, tools: [] }] }],
    [
      "why a server's tools could not be listed",
      { input: [{ type: "mcp_list_tools", id: "m", server_label: "s", tools: [], error: marker }] }
    ],
    [
      "a label much too long for one",
      user([{ type: "tool_result", tool_use_id: marker.repeat(3), content: "" }])
    ],
    ["messages that are not a list", { messages: { content: marker } }],
    ["a message that is only a text", { messages: [marker] }]
  ]

  it.each(places)("include %s", (_, body) => {
    assert.isTrue(textsOf(body).some((text) => text.includes(marker)))
    const without: JsonObject = JSON.parse(JSON.stringify(body).replaceAll(marker, ""))
    assert.isAtLeast(
      measureInput(body, wide).bound - measureInput(without, wide).bound,
      exactTextTokens(marker) - 1
    )
  })

  it("leave out what no model reads", () => {
    const body = {
      model: marker,
      metadata: { user_id: marker },
      stop_sequences: [marker],
      user: marker,
      messages: [
        {
          role: "user",
          content: [{ type: "image", source: { type: "base64", data: png(10, 10).toString("base64") } }]
        }
      ]
    }
    assert.deepStrictEqual(textsOf(body), [])
  })
})

describe("tools that Codex gives in the input", () => {
  const parameters = { type: "object", properties: { cmd: { type: "string", description: marker } } }
  const tools: Json = [
    { type: "namespace", name: "shell", tools: [{ type: "function", name: "run", parameters }] },
    { type: "web_search" }
  ]
  const [asItem, asFound, asTools] = [
    { input: [{ type: "additional_tools", role: "developer", tools }] },
    { input: [{ type: "tool_search_output", call_id: "c", execution: "client", tools }] },
    { input: [{ type: "message", role: "developer", content: [] }], tools }
  ].map((body) => measureInput(body, modelNamed("gpt-5.5")))

  it("count as much as tools do elsewhere", () => {
    for (const measured of [asItem, asFound]) {
      // What an item calls itself weighs a little.
      assert.approximately(measured!.bound, asTools!.bound, 10)
      assert.deepStrictEqual({ ...measured, bound: asTools!.bound }, asTools)
    }
    assert.isAbove(asItem!.bound, 10_000)
  })
})
