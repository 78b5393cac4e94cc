/** Requests of the Messages client, made by chance of all that its types know. */
import type {
  BetaToolUnion,
  MessageCreateParamsBase
} from "@anthropic-ai/sdk/resources/beta/messages/messages"
import type { JsonObject } from "../../../src/formats/json/json.ts"
import { type Block, type BlockType, blocks, textBlock } from "./message-blocks.ts"
import { removedTool, schemaOf, toolNames, type Words } from "./Words.ts"

const ofUsers = ["text", "text", "text", "image", "document", "search_result"] as const
const ofModels = (Object.keys(blocks) as ReadonlyArray<BlockType>).filter(
  (type) =>
    ![
      ...ofUsers.slice(3),
      "tool_result",
      "container_upload",
      "tool_addition",
      "tool_removal",
      "compaction"
    ].some((other) => other === type)
)

interface Turn extends JsonObject {
  readonly role: "user" | "assistant" | "system"
}

const userTurn = (words: Words, calls: ReadonlyArray<string>): Turn => {
  words.turn++
  const results = words
    .shuffled(calls)
    .filter(() => words.chance(0.95))
    .map((id) => Object.assign(blocks.tool_result(words), { tool_use_id: id }))
  if (results.length === 0 && words.chance(0.4)) return { role: "user", content: words.text() }
  const said = words.some(results.length === 0 ? 1 : 0, 3, () => blocks[words.pick(ofUsers)](words))
  const rare = words.chance(0.02) ? [blocks.container_upload(words)] : []
  return { role: "user", content: [...results, ...said, ...rare] }
}

const modelTurn = (words: Words): Turn => {
  words.turn++
  if (words.chance(0.3)) return { role: "assistant", content: words.text() }
  const made = words.some(1, 4, () => blocks[words.chance(0.6) ? "text" : words.pick(ofModels)](words))
  const thoughts = words.chance(0.3) ? [blocks.thinking(words)] : []
  return { role: "assistant", content: [...thoughts, ...made] }
}

const systemTurn = (words: Words): Turn => {
  words.turn++
  return {
    role: "system",
    content: words.pick<() => string | ReadonlyArray<Block>>([
      () => words.text(),
      () => [textBlock(words)],
      () => [{ type: "text", text: words.text() }, blocks.tool_addition(words), blocks.tool_removal(words)]
    ])() as string
  }
}

const callsOf = ({ content }: JsonObject): ReadonlyArray<string> =>
  Array.isArray(content)
    ? (content as ReadonlyArray<JsonObject>).flatMap(({ id, type }) =>
        type === "tool_use" ? [String(id)] : []
      )
    : []

const conversation = (words: Words): ReadonlyArray<Turn> => {
  const turns: Array<Turn> = words.chance(0.1) ? [] : [userTurn(words, [])]
  for (let left = words.below(4); left > 0; left--) {
    const said = modelTurn(words)
    turns.push(said)
    // Results of calls go before whatever stands between.
    if (callsOf(said).length === 0 && words.chance(0.2)) turns.push(systemTurn(words))
    if (left > 1 || words.chance(0.9)) turns.push(userTurn(words, callsOf(said)))
    if (words.chance(0.1)) turns.push(userTurn(words, []))
  }
  return turns.length === 0 ? [modelTurn(words), userTurn(words, [])] : turns
}

/** What stands beside the type and the name. */
const ownTools: { readonly [T in NonNullable<BetaToolUnion["type"]>]: JsonObject } = {
  custom: { name: "custom_one", input_schema: { type: "object" } },
  bash_20241022: { name: "bash" },
  bash_20250124: { name: "bash" },
  code_execution_20250522: { name: "code_execution" },
  code_execution_20250825: { name: "code_execution" },
  code_execution_20260120: { name: "code_execution" },
  code_execution_20260521: { name: "code_execution" },
  browser_toolset_20260801: {},
  computer_20241022: { name: "computer", display_height_px: 1, display_width_px: 1 },
  computer_20250124: { name: "computer", display_height_px: 1, display_width_px: 1 },
  computer_20251124: { name: "computer", display_height_px: 1, display_width_px: 1 },
  computer_toolset_20260801: {},
  memory_20250818: { name: "memory" },
  text_editor_20241022: { name: "str_replace_editor" },
  text_editor_20250124: { name: "str_replace_editor" },
  text_editor_20250429: { name: "str_replace_based_edit_tool" },
  text_editor_20250728: { name: "str_replace_based_edit_tool", max_characters: 5 },
  web_search_20250305: { name: "web_search", max_uses: 2 },
  web_search_20260209: { name: "web_search", allowed_domains: ["example.com"] },
  web_search_20260318: { name: "web_search" },
  web_fetch_20250910: { name: "web_fetch" },
  web_fetch_20260209: { name: "web_fetch" },
  web_fetch_20260309: { name: "web_fetch" },
  web_fetch_20260318: { name: "web_fetch" },
  advisor_20260301: { name: "advisor", model: "claude-opus-5" },
  tool_search_tool_bm25_20251119: { name: "tool_search_tool_bm25" },
  tool_search_tool_bm25: { name: "tool_search_tool_bm25" },
  tool_search_tool_regex_20251119: { name: "tool_search_tool_regex" },
  tool_search_tool_regex: { name: "tool_search_tool_regex" },
  mcp_toolset: { mcp_server_name: "s" }
}

const functionTool = (words: Words, name: string): JsonObject => ({
  name,
  input_schema: schemaOf(words) as JsonObject,
  ...(words.members(
    {
      description: () => "Does it.",
      type: () => words.pick(["custom", null]),
      strict: () => words.chance(0.5),
      cache_control: () => ({ type: "ephemeral", ttl: "1h" }),
      defer_loading: () => false,
      eager_input_streaming: () => words.pick([true, null]),
      input_examples: () => [{ a: "x" }],
      allowed_callers: () => ["direct"]
    },
    0.15
  ) as JsonObject)
})

const ownTool = (words: Words): JsonObject => {
  const [type, more] = words.pick(Object.entries(ownTools))
  return { type, ...more }
}

const tools = (words: Words): ReadonlyArray<JsonObject> => [
  ...words
    .shuffled(toolNames)
    .slice(0, 1 + words.below(3))
    .map((name) => functionTool(words, name)),
  ...(words.chance(0.2) ? [ownTool(words)] : [])
]

const efforts = ["low", "medium", "high", "xhigh", "max"] as const

/** Beside those of the header; the newest types leave the last three out, which many callers send. */
type Optional =
  | Exclude<
      keyof MessageCreateParamsBase,
      | "model"
      | "messages"
      | "max_tokens"
      | "tools"
      | "tool_choice"
      | "betas"
      | "user_profile_id"
      | "workspace_id"
    >
  | "temperature"
  | "top_p"
  | "top_k"

const fieldsOf = (words: Words): { readonly [F in Optional]-?: () => unknown } => ({
  system: () =>
    words.pick<() => unknown>([() => words.textOrBlank(), () => words.some(0, 3, () => textBlock(words))])(),
  thinking: () =>
    words.pick([
      { type: "enabled", budget_tokens: 1024 },
      { type: "disabled" },
      { type: "adaptive", display: "summarized" },
      { type: "adaptive" },
      { type: "between_tools" }
    ]),
  output_config: () => ({
    ...words.maybe(0.7, () => ({ effort: words.pick([...efforts, null]) })),
    ...words.maybe(0.3, () => ({ format: { type: "json_schema", schema: schemaOf(words) } }))
  }),
  output_format: () => ({ type: "json_schema", schema: schemaOf(words) }),
  metadata: () => words.pick<unknown>([{ user_id: "u".repeat(100) }, { user_id: null }, {}]),
  stop_sequences: () => words.some(0, 4, (place) => `stop${place}`),
  stream: () => words.chance(0.5),
  temperature: () => words.pick([0, 0.5, 1]),
  top_p: () => words.pick([0.1, 1]),
  top_k: () => words.pick([1, 40]),
  service_tier: () => words.pick(["auto", "standard_only"]),
  cache_control: () => ({ type: "ephemeral" }),
  context_management: () => ({ edits: [{ type: "clear_tool_uses_20250919" }] }),
  mcp_servers: () => [{ type: "url", name: "s", url: "https://example.com/mcp" }],
  inference_geo: () => words.pick(["global", "us", null]),
  speed: () => words.pick(["standard", "fast", null]),
  diagnostics: () => ({ previous_message_id: null }),
  fallbacks: () => [{ model: "claude-sonnet-5" }],
  fallback_credit_token: () => null,
  billing_policy: () => ({ type: "billing_policy", bill_to: words.pick(["self", "user_profile"]) }),
  container: () =>
    words.pick<unknown>([null, "container_1", { skills: [{ type: "anthropic", skill_id: "pdf" }] }]),
  compaction: () => words.pick<unknown>([null, { type: "enabled" }]),
  thread: () => words.pick<unknown>([null, { type: "create" }])
})

const choice = (words: Words, given: ReadonlyArray<JsonObject>): JsonObject => {
  const kept = given.filter(({ name }) => name !== removedTool)
  return {
    ...words.pick<JsonObject>([
      { type: "auto" },
      { type: "any" },
      { type: "none" },
      ...(kept.length > 0 ? [{ type: "tool", name: words.pick(kept).name ?? "f" }] : [])
    ]),
    ...words.maybe(0.2, () => ({ disable_parallel_tool_use: true }))
  }
}

const rare = { container: 0.03, compaction: 0.02, thread: 0.02, inference_geo: 0.03, billing_policy: 0.03 }

export const messagesRequest = (words: Words): JsonObject => {
  const given = words.chance(0.5) ? tools(words) : []
  return {
    max_tokens: words.pick([1, 16, 2_048, 500_000]),
    ...(words.members(fieldsOf(words), 0.12, { ...rare, system: 0.5 }) as JsonObject),
    ...(given.length > 0 && { tools: given }),
    ...(given.length > 0 && words.chance(0.4) && { tool_choice: choice(words, given) }),
    messages: conversation(words)
  }
}
