/** Requests of the Responses client, made by chance of all that its types know. */
import type { ResponseCreateParamsBase } from "openai/resources/responses/responses"
import type { JsonObject } from "../../../src/formats/json/json.ts"
import { items, type ItemType } from "./response-items.ts"
import { tools } from "./response-tools.ts"
import { schemaOf, type Words } from "./Words.ts"

const refused = new Set<string>(["compaction_trigger", "item_reference"])
const others = (Object.keys(items) as ReadonlyArray<ItemType>).filter((type) => !refused.has(type))

const input = (words: Words): string | Array<JsonObject> => {
  // OpenAI wants the word where it is to answer in JSON.
  if (words.chance(0.15)) return `${words.text()} JSON`
  const all: Array<JsonObject> = []
  for (let left = 1 + words.below(5); left > 0; left--) {
    words.turn++
    const type = words.chance(0.5)
      ? "message"
      : words.chance(0.02)
        ? words.pick([...refused] as Array<ItemType>)
        : words.pick(others)
    all.push(...items[type](words))
  }
  words.turn++
  return [...all, { role: "user", content: `${words.text()} JSON` }]
}

const choice = (words: Words, [first]: ReadonlyArray<JsonObject>): string | JsonObject => {
  const named = { type: "function", name: first!.name as string }
  return words.pick<string | JsonObject>([
    "auto",
    "none",
    "required",
    named,
    { type: "allowed_tools", mode: words.pick(["auto", "required"]), tools: [named] }
  ])
}

type Optional = Exclude<keyof ResponseCreateParamsBase, "model" | "input" | "tools" | "tool_choice">

const fieldsOf = (words: Words): { readonly [F in Optional]-?: () => unknown } => ({
  access_programs: () => null,
  background: () => words.pick([null, false, true]),
  background_options: () => ({ completion_window: "soonest" }),
  context_management: () => words.pick([null, [{ type: "compaction", compact_threshold: 1_000 }]]),
  conversation: () => words.pick([null, "conv_1"]),
  image: () => ({}),
  include: () => words.pick([null, ["reasoning.encrypted_content"]]),
  instructions: () => words.pick([null, words.textOrBlank()]),
  max_output_tokens: () => words.pick([null, 16, 2_048, 9_999_999]),
  max_tool_calls: () => 1,
  metadata: () => words.pick([null, { a: "b" }]),
  moderation: () => null,
  parallel_tool_calls: () => words.pick([null, true, false]),
  previous_response_id: () => words.pick([null, "resp_1"]),
  prompt: () => words.pick([null, { id: "pmpt_1" }]),
  prompt_cache_key: () => "k",
  prompt_cache_options: () => ({ mode: "implicit", prewarm: words.chance(0.2) }),
  prompt_cache_retention: () => words.pick(["in_memory", "24h", null]),
  reasoning: () =>
    words.pick<unknown>([
      null,
      {},
      {
        effort: words.pick([null, "none", "minimal", "low", "medium", "high", "xhigh", "max"]),
        summary: words.pick([null, "auto", "concise", "detailed"])
      }
    ]),
  safety_identifier: () => "someone@example.com",
  service_tier: () => words.pick([null, "auto", "flex", "priority"]),
  store: () => words.pick([null, true, false]),
  stream: () => words.pick([null, true, false]),
  stream_options: () => null,
  temperature: () => words.pick([null, 0, 0.7, 2]),
  text: () =>
    words.pick<() => unknown>([
      () => ({ verbosity: "low" }),
      () => ({ format: { type: "text" } }),
      () => ({ format: { type: "json_object" } }),
      () => ({ format: { type: "json_schema", name: "n", schema: schemaOf(words), strict: false } })
    ])(),
  top_logprobs: () => words.pick([null, 0, 2]),
  top_p: () => words.pick([null, 1]),
  truncation: () => words.pick([null, "auto", "disabled"]),
  user: () => "u".repeat(64)
})

const rare = {
  background: 0.04,
  conversation: 0.04,
  previous_response_id: 0.04,
  prompt: 0.04,
  instructions: 0.3
}

export const responsesRequest = (words: Words): JsonObject => {
  const given = words.chance(0.5) ? tools(words) : []
  return {
    ...(words.members(fieldsOf(words), 0.12, rare) as JsonObject),
    ...(given.length > 0 && { tools: given }),
    ...(given.length > 0 && words.chance(0.4) && { tool_choice: choice(words, given) }),
    input: input(words)
  }
}
