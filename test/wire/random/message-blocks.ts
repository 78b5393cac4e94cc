/** Blocks of the Messages client's conversations, made by chance: one of each type that its types know. */
import type { BetaContentBlockParam } from "@anthropic-ai/sdk/resources/beta/messages/messages"
import type { JsonObject } from "../../../src/formats/json/json.ts"
import { pdf, png, removedTool, toolNames, type Words } from "./Words.ts"

export type Block = JsonObject
export type BlockType = BetaContentBlockParam["type"]

const mark = (words: Words) => words.maybe(0.1, () => ({ cache_control: { type: "ephemeral" } }))
const input = (words: Words): JsonObject => words.maybe(0.8, () => ({ a: words.text() })) as JsonObject
export const textBlock = (words: Words): Block => ({
  type: "text",
  text: words.textOrBlank(),
  ...mark(words)
})
const imageBlock = (words: Words): Block => ({
  type: "image",
  source: words.pick<JsonObject>([
    { type: "base64", media_type: "image/png", data: png },
    { type: "url", url: "https://example.com/a.png" }
  ]),
  ...mark(words),
  ...words.maybe(0.1, () => ({ transformations: null }))
})

const documentSource = (words: Words): JsonObject =>
  words.pick<() => JsonObject>([
    () => ({ type: "base64", media_type: "application/pdf", data: pdf }),
    () => ({ type: "text", media_type: "text/plain", data: words.text() }),
    () => ({ type: "content", content: words.some(1, 2, () => ({ type: "text", text: words.text() })) }),
    () => ({ type: "content", content: words.text() }),
    () => ({ type: "url", url: "https://example.com/a.pdf" })
  ])()

const documentBlock = (words: Words): Block => ({
  type: "document",
  ...words.maybe(0.3, () => ({ title: words.pick([null, "A title_1.pdf", "Báo cáo"]) })),
  ...words.maybe(0.3, () => ({ context: words.text() })),
  source: documentSource(words),
  ...words.maybe(0.2, () => ({ citations: { enabled: words.chance(0.5) } })),
  ...mark(words)
})

const searchResult = (words: Words): Block => ({
  type: "search_result",
  title: "T",
  source: "https://example.com",
  content: words.some(1, 2, () => ({ type: "text", text: words.text() })),
  ...words.maybe(0.2, () => ({ citations: { enabled: true } }))
})

const resultContent = (words: Words): JsonObject =>
  words.pick<() => JsonObject>([
    () => ({}),
    () => ({ content: words.textOrBlank() }),
    () => ({
      content: words.some(0, 3, () =>
        words.pick([textBlock, textBlock, imageBlock, documentBlock, searchResult, toolReference])(words)
      )
    })
  ])()

const toolReference = (words: Words): Block => ({ type: "tool_reference", tool_name: words.pick(toolNames) })

let ids = 0
const newId = (words: Words): string =>
  words.pick([`toolu_${++ids}`, `call_${++ids}`, `functions.f:${++ids}`, `${"long_".repeat(20)}${++ids}`])
const serverId = () => `srvtoolu_${++ids}`

/** What its provider wrote by itself. */
const signature = `E${"a".repeat(60)}`
export const blocks: { readonly [T in BlockType]: (words: Words) => Block } = {
  text: textBlock,
  image: imageBlock,
  document: documentBlock,
  search_result: searchResult,
  thinking: () => ({ type: "thinking", thinking: "hm", signature }),
  redacted_thinking: () => ({ type: "redacted_thinking", data: signature }),
  tool_use: (words) => ({
    type: "tool_use",
    id: newId(words),
    name: words.pick(toolNames),
    input: input(words),
    ...mark(words),
    ...words.maybe(0.1, () => ({ caller: { type: "direct" } }))
  }),
  tool_result: (words) => ({
    type: "tool_result",
    tool_use_id: newId(words),
    ...resultContent(words),
    ...words.maybe(0.3, () => ({ is_error: words.chance(0.5) })),
    ...mark(words)
  }),
  server_tool_use: (words) => ({
    type: "server_tool_use",
    id: serverId(),
    name: "web_search",
    input: { query: words.text() }
  }),
  web_search_tool_result: (words) => ({
    type: "web_search_tool_result",
    tool_use_id: serverId(),
    content: words.pick<() => JsonObject | ReadonlyArray<JsonObject>>([
      () => [
        { type: "web_search_result", title: words.text(), url: "https://example.com", encrypted_content: "x" }
      ],
      () => ({ type: "web_search_tool_result_error", error_code: "unavailable" })
    ])() as JsonObject
  }),
  web_fetch_tool_result: (words) => ({
    type: "web_fetch_tool_result",
    tool_use_id: serverId(),
    content: {
      type: "web_fetch_result",
      url: "https://example.com",
      content: {
        type: "document",
        source: { type: "text", media_type: "text/plain", data: words.text() }
      }
    }
  }),
  advisor_tool_result: (words) => ({
    type: "advisor_tool_result",
    tool_use_id: serverId(),
    content: { type: "advisor_result", text: words.text() }
  }),
  code_execution_tool_result: (words) => ({
    type: "code_execution_tool_result",
    tool_use_id: serverId(),
    content: { type: "code_execution_result", stdout: words.text(), stderr: "", return_code: 1, content: [] }
  }),
  bash_code_execution_tool_result: (words) => ({
    type: "bash_code_execution_tool_result",
    tool_use_id: serverId(),
    content: {
      type: "bash_code_execution_result",
      stdout: words.text(),
      stderr: "",
      return_code: 0,
      content: []
    }
  }),
  text_editor_code_execution_tool_result: (words) => ({
    type: "text_editor_code_execution_tool_result",
    tool_use_id: serverId(),
    content: {
      type: "text_editor_code_execution_view_result",
      content: words.text(),
      file_type: "text",
      num_lines: 1,
      start_line: 1,
      total_lines: 1
    }
  }),
  tool_search_tool_result: () => ({
    type: "tool_search_tool_result",
    tool_use_id: serverId(),
    content: {
      type: "tool_search_tool_search_result",
      tool_references: [{ type: "tool_reference", tool_name: "f" }]
    }
  }),
  mcp_tool_use: (words) => ({
    type: "mcp_tool_use",
    id: serverId(),
    name: "f",
    server_name: "s",
    input: input(words)
  }),
  mcp_tool_result: (words) => ({
    type: "mcp_tool_result",
    tool_use_id: serverId(),
    is_error: words.chance(0.5),
    content: words.pick<() => string | ReadonlyArray<Block>>([
      () => words.text(),
      () => [{ type: "text", text: words.text() }]
    ])() as string
  }),
  container_upload: () => ({ type: "container_upload", file_id: "file_1" }),
  compaction: () => ({ type: "compaction", content: "A summary.", signature }),
  tool_addition: (words) => ({
    type: "tool_addition",
    tool: words.pick<JsonObject>([
      { type: "tool_reference", name: "f" },
      { type: "tool_definition", definition: { name: "added", input_schema: { type: "object" } } }
    ])
  }),
  tool_removal: () => ({ type: "tool_removal", tool: { type: "tool_reference", name: removedTool } }),
  mcp_tool_listing: () => ({
    type: "mcp_tool_listing",
    mcp_server_name: "s",
    tools: [{ name: "t", description: "d", input_schema: { type: "object" } }]
  }),
  fallback: () => ({ type: "fallback", from: { model: "a" }, to: { model: "b" } })
}
