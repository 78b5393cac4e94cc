/** What the official clients' types do not know, or what chance seldom makes. */
import type { TextEndpoint } from "../../../src/domain/call.ts"
import type { JsonObject } from "../../../src/formats/json/json.ts"
import { pdf, png } from "./Words.ts"

const image = `data:image/png;base64,${png}`
const hi = { role: "user", content: "hi" }
const mark = { type: "ephemeral", ttl: "5m" }
const place = { type: "approximate", city: "Huế", country: "VN" }
const source = { type: "base64", media_type: "image/png", data: png }
const plain = { type: "text", media_type: "text/plain", data: "x", title: "t" }
const found = { type: "search_result", title: "t", source: "s", content: [{ type: "text", text: "x" }] }

export const rareRequests: Readonly<Record<TextEndpoint, ReadonlyArray<JsonObject>>> = {
  messages: [
    {
      max_tokens: 9,
      system: [{ type: "text", text: "x", cache_control: mark, citations: null }],
      mcp_servers: [
        { type: "url", name: "s", url: "https://x.example", tool_configuration: { enabled: true } }
      ],
      container: { skills: [{ type: "anthropic", skill_id: "pdf", version: "latest" }] },
      context_management: { edits: [{ type: "compact_20260112", instructions: "x" }] },
      output_config: { effort: "low", format: { type: "json_schema", schema: { type: "object" } } },
      thinking: { type: "adaptive", display: "summarized" },
      metadata: { user_id: "u" },
      tools: [
        { type: "web_search_20250305", name: "web_search", user_location: place },
        { name: "f", description: "d", input_schema: { type: "object" }, input_examples: [{ a: 1 }] }
      ],
      tool_choice: { type: "auto", disable_parallel_tool_use: true },
      messages: [hi]
    },
    {
      max_tokens: 9,
      messages: [
        hi,
        {
          role: "assistant",
          content: [
            { type: "thinking", thinking: "x", signature: "" },
            {
              type: "code_execution_tool_result",
              tool_use_id: "s",
              content: { type: "code_execution_result", stdout: "x", return_code: 1 }
            },
            { type: "image", source, note: "x" },
            { type: "novelty", inside: { of: ["x", 1, true] } },
            { type: "tool_use", id: "t", name: "f", input: { a: 1 }, caller: { type: "direct" } }
          ]
        },
        {
          role: "user",
          content: [
            {
              type: "tool_result",
              tool_use_id: "t",
              is_error: true,
              content: [
                { type: "document", source: plain, context: "x", citations: { enabled: true } },
                { type: "document", source: { type: "content", content: [{ type: "text", text: "x" }] } },
                found,
                { type: "image", source, detail: "low" }
              ],
              cache_control: mark
            }
          ]
        }
      ]
    }
  ],
  chat_completions: [
    {
      messages: [hi],
      documents: [{ title: "t", text: "x" }],
      chat_template_kwargs: { enable_thinking: true },
      extra_body: { google: { thinking_config: { include_thoughts: true } } },
      functions: [{ name: "f", description: "d", parameters: {} }],
      function_call: { name: "f" },
      web_search_options: { user_location: { type: "approximate", approximate: place } },
      prediction: { type: "content", content: [{ type: "text", text: "x" }] },
      response_format: { type: "grammar", grammar: "x" },
      reasoning: { effort: "low" },
      stop: ["x"],
      user: "u"
    },
    {
      messages: [
        { role: "system", content: [{ type: "text", text: "x", cache_control: mark }], name: "n" },
        {
          role: "user",
          content: [
            { type: "text", text: "x" },
            { type: "image_url", image_url: { url: image, detail: "low" }, cache_control: mark },
            { type: "file", file: { filename: "a.pdf", file_data: `data:application/pdf;base64,${pdf}` } },
            { type: "file", file: { filename: "a.txt", file_data: "data:text/plain;base64,eA==" } }
          ]
        },
        {
          role: "assistant",
          content: "x",
          reasoning_content: "x",
          refusal: null,
          annotations: [{ url: "x" }]
        }
      ]
    },
    {
      messages: [
        {
          role: "user",
          content: [
            { type: "input_audio", input_audio: { data: "AAAA", format: "wav" } },
            { type: "video_url", video_url: { url: "https://x.example/a.mp4" } },
            { type: "document_url", document_url: "https://x.example/a", document_name: "a" }
          ]
        }
      ]
    }
  ],
  responses: [
    {
      input: [
        { type: "mcp_list_tools", server_label: "s", tools: [{ name: "t", input_schema: {} }], error: null },
        { type: "configuration_update", reasoning: { effort: "low" }, text: { verbosity: "low" } },
        { type: "novelty", inside: { of: ["x", 1, true] } },
        hi
      ],
      tools: [
        { type: "mcp", server_label: "s", server_url: "https://x.example", server_description: "x" },
        { type: "namespace", name: "g", description: "d", tools: [{ type: "function", name: "f" }] }
      ],
      text: { format: { type: "json_schema", name: "n", description: "d", schema: {} } },
      client_metadata: { a: "b" },
      safety_identifier: "s"
    }
  ]
}
