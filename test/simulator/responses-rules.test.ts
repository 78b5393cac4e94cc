/** The simulator's Responses interface refuses what its provider refuses: members, items, their order, tools and settings. */
import { assert, describe, it } from "@effect/vitest"
import { useSimulator } from "./ask.ts"

const simulator = useSimulator()

const answered = async (body: object) => {
  const response = await simulator.post("/v1/responses", { model: "gpt-5.5", ...body })
  const { error } = JSON.parse(await response.text()) as { error: { message: string } | null }
  return `${response.status} ${error?.message ?? "accepted"}`
}

const question = { role: "user", content: "q" }
const call = { type: "function_call", call_id: "a", name: "f", arguments: "{}" }
const output = { type: "function_call_output", call_id: "a", output: "1" }
const custom = { type: "custom_tool_call", call_id: "b", name: "patch", input: "x" }
const customOutput = { type: "custom_tool_call_output", call_id: "b", output: "done" }
const said = { type: "message", role: "assistant", content: [{ type: "output_text", text: "t" }] }
const picture = (image: object) => [{ role: "user", content: [{ type: "input_image", ...image }] }]

describe("calls and outputs", () => {
  it.each([
    [[question, call, output, custom, customOutput], "200 accepted"],
    [[question, output], "400 No tool call found for function call output with call_id a."],
    [[question, customOutput], "400 No tool call found for custom tool call output with call_id b."],
    [[question, call], "400 No tool output found for function call a."],
    [[question, custom], "400 No tool output found for custom tool call b."],
    // An output answers a call of its own kind.
    [[question, call, { ...customOutput, call_id: "a" }], "400 No tool output found for function call a."],
    [[question, output, call], "400 No tool call found for function call output with call_id a."],
    [[question, call, output, call, output], "400 Duplicate function call found with call_id a."],
    [[question, call, output, output], "400 Duplicate function call output found with call_id a."],
    [[question, { ...custom, input: undefined }], "400 Missing required parameter: 'input[1].input'."],
    [
      [question, custom, { ...customOutput, call_id: 1 }],
      "400 Invalid type for 'input[2].call_id': expected a string, but got number instead."
    ],
    [
      [question, { ...call, call_id: "c".repeat(65) }],
      "400 Invalid 'input[1].call_id': string too long. Expected a string with maximum length 64, but got a string with length 65 instead."
    ],
    [
      [question, { ...call, name: "a.b" }, output],
      "400 Invalid 'input[1].name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'."
    ],
    [
      [question, { ...call, id: "call_1" }, output],
      "400 Invalid 'input[1].id': 'call_1'. Expected an ID that begins with 'fc'."
    ]
  ])("of %j are answered %s", async (input, expected) => {
    assert.strictEqual(await answered({ input }), expected)
  })
})

describe("items", () => {
  it.each([
    [[said, question], "200 accepted"],
    [[{ ...question, name: "x" }], "400 Unknown parameter: 'input[0].name'."],
    [[{ ...question, content: null }], /^400 Invalid type for 'input\[0\]\.content'/],
    [[{ ...question, role: "tool" }], /^400 Invalid value: 'tool'\. Supported values are: 'assistant'/],
    [[{ type: "thing" }], /^400 Invalid value: 'thing'\. Supported values are: 'message', 'function_call'/],
    [
      [{ role: "user", content: [{ type: "text", text: "q" }] }],
      "400 Invalid value: 'text'. Supported values are: 'input_text', 'input_image', 'output_text', 'refusal', 'input_file', 'computer_screenshot', and 'summary_text'."
    ],
    [
      [{ role: "assistant", content: [{ type: "input_text", text: "a" }] }],
      "400 Invalid value: 'input_text'. Supported values are: 'output_text' and 'refusal'."
    ],
    [
      [{ role: "user", content: [{ type: "input_text", text: "q", cache_control: {} }] }],
      "400 Unknown parameter: 'input[0].content[0].cache_control'."
    ],
    [[question, call, { ...output, is_error: true }], "400 Unknown parameter: 'input[2].is_error'."],
    [picture({}), "400 Missing required parameter: 'input[0].content[0].image_url'."],
    [
      picture({ image_url: "ftp://x" }),
      /^400 Invalid 'input\[0\]\.content\[0\]\.image_url'\. Expected a valid URL/
    ],
    [picture({ image_url: "data:image/png,x" }), /^400 Invalid .* Expected a base64-encoded data URL/],
    [
      picture({ image_url: { url: "https://x" } }),
      /^400 Invalid type for 'input\[0\]\.content\[0\]\.image_url'/
    ],
    [picture({ image_url: "https://example.com/a.png", detail: "auto" }), "200 accepted"],
    [
      [{ role: "user", content: [{ type: "input_file", filename: "a.pdf" }] }],
      "400 Missing required parameter: 'input[0].content[0].file_id'."
    ],
    [
      [{ ...said, id: "msg_1" }, { ...said, id: "msg_1" }, question],
      "400 Duplicate item found with id msg_1. Remove duplicate items from your input and try again."
    ]
  ] as ReadonlyArray<readonly [unknown, string | RegExp]>)("%j are answered %s", async (input, expected) => {
    const answer = await answered({ input })
    if (typeof expected === "string") assert.strictEqual(answer, expected)
    else assert.match(answer, expected)
  })
})

const grammar = { type: "grammar", syntax: "lark", definition: "start: /.+/" }
const plain = { type: "function", name: "f", parameters: { type: "object", properties: {} } }
const search = { type: "web_search" }

describe("tools", () => {
  it.each([
    [{ tools: [plain, search, { type: "custom", name: "patch", format: grammar }] }, "200 accepted"],
    [{ tools: [{ type: "custom", name: "patch" }] }, "200 accepted"],
    [{ tools: [{ type: "custom" }] }, "400 Missing required parameter: 'tools[0].name'."],
    [
      { tools: [{ type: "function", function: { name: "f" } }] },
      "400 Missing required parameter: 'tools[0].name'."
    ],
    [{ tools: [{ ...plain, input_schema: {} }] }, "400 Unknown parameter: 'tools[0].input_schema'."],
    [
      { tools: [{ type: "bash_20250124" }] },
      /^400 Invalid value: 'bash_20250124'\. Supported values are: 'function'/
    ],
    [{ tools: [{ type: "file_search" }] }, "400 Missing required parameter: 'tools[0].vector_store_ids'."],
    [
      { tools: [{ type: "custom", name: "p", format: { ...grammar, syntax: "ebnf" } }] },
      "400 Invalid value: 'ebnf'. Supported values are: 'lark' and 'regex'."
    ],
    [
      { tools: [{ type: "namespace", name: "n", description: "d", tools: [{ ...plain, name: "a b" }] }] },
      /^400 Invalid 'tools\[0\]\.tools\[0\]\.name': string does not match pattern/
    ],
    [
      { tools: [{ ...plain, strict: true }] },
      /^400 Invalid schema for function 'f': In context=\(\), 'additionalProperties' is required/
    ],
    [{ tools: [plain], tool_choice: { type: "function", name: "f" } }, "200 accepted"],
    [
      { tools: [plain], tool_choice: { type: "function", name: "g" } },
      "400 Tool choice 'g' not found in 'tools' parameter."
    ],
    [
      { tools: [plain], tool_choice: { type: "function", function: { name: "f" } } },
      "400 Missing required parameter: 'tool_choice.name'."
    ],
    [
      { tool_choice: "any" },
      "400 Invalid value: 'any'. Supported values are: 'none', 'auto', and 'required'."
    ],
    [{ tool_choice: "required" }, "400 Tool choice 'required' must be specified with 'tools' parameter."],
    [
      { tools: [plain, search], tool_choice: { type: "allowed_tools", mode: "auto", tools: [search] } },
      "200 accepted"
    ],
    [
      { tools: [plain], tool_choice: { type: "allowed_tools", mode: "auto", tools: [search] } },
      "400 Tool choice 'web_search' not found in 'tools' parameter."
    ]
  ] as ReadonlyArray<readonly [object, string | RegExp]>)("%j are answered %s", async (body, expected) => {
    const answer = await answered({ input: "q", ...body })
    if (typeof expected === "string") assert.strictEqual(answer, expected)
    else assert.match(answer, expected)
  })
})

describe("settings", () => {
  it.each([
    [{ messages: [] }, "400 Unknown parameter: 'messages'."],
    [{ max_tokens: 100 }, "400 Unknown parameter: 'max_tokens'."],
    [{ reasoning: { effort: "high", budget: 1 } }, "400 Unknown parameter: 'reasoning.budget'."],
    [{ reasoning: { effort: "huge" } }, /^400 Invalid value: 'huge'\. Supported values are: 'none'/],
    [
      { text: { format: { type: "json_schema", schema: {} } } },
      "400 Missing required parameter: 'text.format.name'."
    ],
    [
      { text: { format: { type: "json_object" } } },
      /^400 Response input messages must contain the word 'json'/
    ],
    [{ include: ["everything"] }, /^400 Invalid value: 'everything'\. Supported values are/],
    [{ stream_options: {} }, "400 The 'stream_options' parameter is only allowed when 'stream' is enabled."],
    [{ metadata: { a: 1 } }, "400 Invalid type for 'metadata.a': expected a string, but got number instead."],
    [{ top_logprobs: 21 }, /^400 Invalid 'top_logprobs': decimal above maximum value/],
    [{ safety_identifier: "s".repeat(65) }, /^400 Invalid 'safety_identifier': string too long/],
    [{ store: "no" }, "400 Invalid type for 'store': expected a boolean, but got string instead."],
    [{ truncation: "auto", service_tier: "flex", store: false, include: null, user: null }, "200 accepted"]
  ] as ReadonlyArray<readonly [object, string | RegExp]>)("%j are answered %s", async (body, expected) => {
    const answer = await answered({ input: "q", ...body })
    if (typeof expected === "string") assert.strictEqual(answer, expected)
    else assert.match(answer, expected)
  })
})
