/** Tools and settings that the documentation of Responses allows, and what models reached by conversion can not do. */
import { parameters, f, g, patch, group, hi, user, person, allowed, refused } from "./parts.ts"

export const offers = allowed({
  "a function": { input: "hi", tools: [f] },
  "a function of nothing": {
    input: "hi",
    tools: [{ type: "function", name: "f", parameters: {}, strict: false }]
  },
  "a function whose schema is null": { input: "hi", tools: [{ ...f, parameters: null, strict: null }] },
  "a function without a schema": { input: "hi", tools: [{ type: "function", name: "f" }] },
  "a function whose words are null": { input: "hi", tools: [{ ...f, description: null }] },
  "a name with dots": { input: "hi", tools: [{ ...f, name: "a.b.c" }] },
  "a name of 64 letters": { input: "hi", tools: [{ ...f, name: "n".repeat(64) }] },
  "no tools": { input: "hi", tools: [] },
  "tools that are null": { input: "hi", tools: null, tool_choice: null },
  "a custom tool": { input: "hi", tools: [patch] },
  "a custom tool of any text": {
    input: "hi",
    tools: [{ type: "custom", name: "p", format: { type: "text" } }]
  },
  "a custom tool with a pattern": {
    input: "hi",
    tools: [{ ...patch, format: { type: "grammar", syntax: "regex", definition: "a+" } }]
  },
  "a group": { input: "hi", tools: [group] },
  "a group and a tool of one name": { input: "hi", tools: [group, { ...f, name: "crm__f" }] },
  "hosted tools beside functions": {
    input: "hi",
    tools: [
      f,
      { type: "web_search" },
      { type: "code_interpreter", container: { type: "auto" } },
      { type: "image_generation" }
    ]
  },
  "hosted tools alone": {
    input: "hi",
    tools: [{ type: "web_search" }, { type: "apply_patch" }, { type: "shell" }]
  },
  "an MCP server": {
    input: "hi",
    tools: [{ type: "mcp", server_label: "s", server_url: "https://example.com" }]
  },
  "choice auto": { input: "hi", tools: [f], tool_choice: "auto" },
  "choice auto without tools": { input: "hi", tool_choice: "auto" },
  "choice none": { input: "hi", tools: [f], tool_choice: "none" },
  "choice none without tools": { input: "hi", tool_choice: "none" },
  "choice required": { input: "hi", tools: [f, g], tool_choice: "required" },
  "choice of a function": { input: "hi", tools: [f, g], tool_choice: { type: "function", name: "g" } },
  "choice of a custom tool": {
    input: "hi",
    tools: [f, patch],
    tool_choice: { type: "custom", name: "patch" }
  },
  "choice among some": {
    input: "hi",
    tools: [f, g],
    tool_choice: { type: "allowed_tools", mode: "auto", tools: [{ type: "function", name: "g" }] }
  },
  "choice among some, required": {
    input: "hi",
    tools: [f, g, patch],
    tool_choice: {
      type: "allowed_tools",
      mode: "required",
      tools: [
        { type: "function", name: "g" },
        { type: "custom", name: "patch" }
      ]
    }
  },
  "choice among hosted tools alone": {
    input: "hi",
    tools: [f, { type: "web_search" }],
    tool_choice: { type: "allowed_tools", mode: "auto", tools: [{ type: "web_search" }] }
  },
  "one call at a time": { input: "hi", tools: [f], parallel_tool_calls: false },
  "one call at a time without tools": { input: "hi", parallel_tool_calls: false },
  "one call at a time, required": {
    input: "hi",
    tools: [f],
    parallel_tool_calls: false,
    tool_choice: "required"
  },
  "at most so many calls": { input: "hi", tools: [f], max_tool_calls: 1 }
})

export const settings = allowed({
  "a tiny cap": { input: "hi", max_output_tokens: 16 },
  "a huge cap": { input: "hi", max_output_tokens: 9_999_999 },
  "no cap at all": { input: "hi", max_output_tokens: null },
  "a cap and thought": { input: "hi", max_output_tokens: 16, reasoning: { effort: "high" } },
  ...Object.fromEntries(
    ["none", "minimal", "low", "medium", "high", "xhigh", "max"].map((effort) => [
      `effort ${effort}`,
      { input: "hi", reasoning: { effort } }
    ])
  ),
  "effort with a forced tool": {
    input: "hi",
    reasoning: { effort: "high" },
    tools: [f],
    tool_choice: { type: "function", name: "f" }
  },
  ...Object.fromEntries(
    ["auto", "concise", "detailed", null].map((summary) => [
      `summary ${summary}`,
      { input: "hi", reasoning: { effort: "low", summary } }
    ])
  ),
  "reasoning of nothing": { input: "hi", reasoning: {} },
  "reasoning that is null": { input: "hi", reasoning: null },
  "an effort that is null": { input: "hi", reasoning: { effort: null, summary: "auto" } },
  "reasoning of another turn and mode": {
    input: "hi",
    reasoning: { effort: "low", context: "auto", mode: "standard" }
  },
  text: { input: "hi", text: { format: { type: "text" }, verbosity: "low" } },
  "text of nothing": { input: "hi", text: {} },
  JSON: { input: "as JSON", text: { format: { type: "json_object" } } },
  temperature: { input: "hi", temperature: 0.3 },
  "temperature of two": { input: "hi", temperature: 2 },
  "temperature of nothing": { input: "hi", temperature: 0, top_p: 1 },
  top_p: { input: "hi", top_p: 0.5 },
  "temperature with thought": { input: "hi", temperature: 0.3, reasoning: { effort: "high" } },
  "all that has no counterpart": {
    input: "hi",
    store: true,
    truncation: "auto",
    metadata: { a: "b" },
    prompt_cache_key: "k",
    prompt_cache_retention: "24h",
    safety_identifier: "s",
    user: "u",
    service_tier: "auto",
    client_metadata: { x: "y" },
    include: ["reasoning.encrypted_content", "message.output_text.logprobs"],
    background: false,
    background_options: { completion_window: "soonest", continuation_id: "c" },
    context_management: [{ type: "compaction", compact_threshold: 1000 }],
    moderation: null,
    max_tool_calls: 3,
    top_logprobs: 0
  },
  "a cache of a prompt": {
    input: "hi",
    prompt_cache_options: { mode: "implicit", prewarm: false, ttl: "30m", comparison_response_id: null }
  },
  "a stream without obfuscation": {
    input: "hi",
    stream: true,
    stream_options: { include_obfuscation: false }
  },
  nulls: {
    input: "hi",
    instructions: null,
    previous_response_id: null,
    conversation: null,
    prompt: null,
    temperature: null,
    top_p: null,
    metadata: null,
    include: null,
    store: null,
    stream: null,
    stream_options: null,
    truncation: null,
    user: null,
    parallel_tool_calls: null,
    background: null
  },
  "members of tomorrow": { input: "hi", tomorrow: { a: 1 } },
  "a long user": { input: "hi", user: "u".repeat(300) },
  "a user of mail": { input: "hi", safety_identifier: "someone@example.com" }
})

/** Some models can not be kept to a form. */
export const schemas = allowed({
  "a strict schema": { input: "hi", text: { format: person } },
  "a loose schema": {
    input: "hi",
    text: { format: { ...person, strict: false, schema: { type: "object" } } }
  },
  "a schema with references": {
    input: "hi",
    text: {
      format: {
        ...person,
        schema: {
          ...parameters,
          properties: { a: { $ref: "#/$defs/b" } },
          $defs: { b: { anyOf: [{ type: "string", enum: ["x"] }, { type: "null" }] } }
        }
      }
    }
  },
  "a schema and tools": { input: "hi", tools: [f], text: { format: person } }
})

export const impossible = [
  ...refused("previous_response_id", { "what came before": { input: "hi", previous_response_id: "resp_1" } }),
  ...refused("conversation", { "a conversation": { input: "hi", conversation: { id: "conv_1" } } }),
  ...refused("prompt", { "a stored prompt": { input: "hi", prompt: { id: "pmpt_1" } } }),
  ...refused("background", { "work behind the answer": { input: "hi", background: true } }),
  ...refused("prompt_cache_options.prewarm", {
    "a prompt to be cached alone": { input: "hi", prompt_cache_options: { prewarm: true } }
  }),
  ...refused("input.1", { "a summary to be made": { input: [hi, { type: "compaction_trigger" }] } }),
  ...refused("input.0", { "a reference": { input: [{ type: "item_reference", id: "msg_1" }, hi] } }),
  ...refused("input.0.content.0", {
    "an image of a file": { input: user({ type: "input_image", file_id: "file_1" }) },
    "a stored file": { input: user({ type: "input_file", file_id: "file_1" }) }
  }),
  ...refused("tool_choice", {
    "a forced hosted tool": {
      input: "hi",
      tools: [{ type: "web_search" }],
      tool_choice: { type: "web_search" }
    },
    "a tool forced among none": { input: "hi", tool_choice: "required" },
    "a tool forced that is not there": {
      input: "hi",
      tools: [f],
      tool_choice: { type: "function", name: "x" }
    }
  }),
  ...refused("input", { "nothing to answer": { input: [] }, "nothing at all": {} })
]
