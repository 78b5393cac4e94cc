/** Requests of the chat client, made by chance of all that its types know. */
import type {
  ChatCompletionContentPart,
  ChatCompletionCreateParamsBase,
  ChatCompletionMessageParam
} from "openai/resources/chat/completions/completions"
import type { JsonObject } from "../../../src/formats/json/json.ts"
import { pdf, png, schemaOf, toolNames, type Words } from "./Words.ts"

const textPart = (words: Words): JsonObject => ({
  type: "text",
  text: words.textOrBlank(),
  ...words.maybe(0.05, () => ({ prompt_cache_breakpoint: { type: "explicit" } }))
})

const parts: { readonly [T in ChatCompletionContentPart["type"]]: (words: Words) => JsonObject } = {
  text: textPart,
  image_url: (words) => ({
    type: "image_url",
    image_url: {
      url: words.pick([`data:image/png;base64,${png}`, "https://example.com/a.png"]),
      ...words.maybe(0.3, () => ({ detail: words.pick(["auto", "low", "high"]) }))
    }
  }),
  input_audio: () => ({ type: "input_audio", input_audio: { data: "AAAA", format: "wav" } }),
  file: () => ({
    type: "file",
    file: { filename: "a.pdf", file_data: `data:application/pdf;base64,${pdf}` }
  })
}

const userParts = ["text", "text", "text", "image_url", "file"] as const

let ids = 0
const newId = (words: Words): string =>
  words.pick([`call_${++ids}`, `toolu_${++ids}`, `functions.f:${++ids}`, `${"long_".repeat(20)}${++ids}`])

interface Call extends JsonObject {
  readonly id: string
}

const functionCall = (words: Words): Call => ({
  id: newId(words),
  type: "function",
  function: {
    name: words.pick(toolNames),
    arguments: words.pick(["", "{}", "[1]", '{"a":', JSON.stringify({ a: words.text() })])
  }
})
const customCall = (words: Words): Call => ({
  id: newId(words),
  type: "custom",
  custom: { name: "patch", input: words.textOrBlank() }
})

/** What stands in a message of each role. */
const messages: { readonly [R in ChatCompletionMessageParam["role"]]: (words: Words) => JsonObject } = {
  developer: (words) => ({ content: textContent(words) }),
  system: (words) => ({ content: textContent(words), ...words.maybe(0.1, () => ({ name: "n" })) }),
  user: (words) => ({
    content: words.pick<() => string | Array<JsonObject>>([
      () => words.text(),
      () => words.some(1, 3, () => parts[words.pick(userParts)](words))
    ])(),
    ...words.maybe(0.05, () => ({ name: "n" }))
  }),
  assistant: (words) => ({
    content: words.pick<() => string | null | Array<JsonObject>>([
      () => null,
      () => words.textOrBlank(),
      () => words.some(1, 2, () => textPart(words)),
      () => [{ type: "refusal", refusal: words.text() }]
    ])(),
    ...words.maybe(0.05, () => ({ refusal: words.pick([null, words.text()]) })),
    ...words.maybe(0.5, () => ({
      tool_calls: words.some(1, 3, () => words.pick([functionCall, functionCall, customCall])(words))
    })),
    ...words.maybe(0.05, () => ({ audio: null, function_call: null }))
  }),
  tool: (words) => ({ content: textContent(words) }),
  function: (words) => ({ name: "f", content: words.pick([null, words.text()]) })
}

const textContent = (words: Words): string | Array<JsonObject> =>
  words.chance(0.7) ? words.textOrBlank() : words.some(1, 2, () => textPart(words))

/** What came of calls may be told in their order, and so counts as said at once. */
const message = (words: Words, role: ChatCompletionMessageParam["role"]): JsonObject => {
  if (role !== "tool") words.turn++
  return { role, ...messages[role](words) }
}

const conversation = (words: Words): ReadonlyArray<JsonObject> => {
  const all: Array<JsonObject> = words.some(0, 2, () => message(words, words.pick(["system", "developer"])))
  words.turn++
  // OpenAI wants the word where it is to answer in JSON.
  all.push({ role: "user", content: `${words.text()} JSON` })
  for (let left = words.below(4); left > 0; left--) {
    const said = message(words, "assistant")
    all.push(said)
    words.turn++
    for (const { id } of words.shuffled((said.tool_calls ?? []) as unknown as ReadonlyArray<Call>))
      if (words.chance(0.95)) all.push({ ...message(words, "tool"), tool_call_id: id })
    if (words.chance(0.1)) all.push(message(words, "system"))
    if (left > 1 || words.chance(0.9)) all.push(message(words, "user"))
  }
  if (words.chance(0.05)) {
    all.push({ role: "assistant", content: null, function_call: { name: "f", arguments: "{}" } })
    all.push(message(words, "function"))
  }
  return all
}

const declared = (words: Words, name: string): JsonObject => ({
  name,
  ...(words.members(
    {
      description: () => "Does it.",
      strict: () => words.pick([false, null])
    },
    0.3
  ) as JsonObject),
  ...words.maybe(0.9, () => ({ parameters: schemaOf(words) as JsonObject }))
})

const customTool = (words: Words): JsonObject => ({
  type: "custom",
  custom: {
    name: "patch",
    ...words.maybe(0.5, () => ({ description: "Patches." })),
    ...words.maybe(0.5, () => ({
      format: words.pick<JsonObject>([
        { type: "text" },
        { type: "grammar", grammar: { syntax: "lark", definition: 'start: "a"' } }
      ])
    }))
  }
})

const tools = (words: Words): ReadonlyArray<JsonObject> => [
  ...words
    .shuffled(toolNames)
    .slice(0, 1 + words.below(3))
    .map((name) => ({ type: "function", function: declared(words, name) })),
  ...(words.chance(0.2) ? [customTool(words)] : [])
]

const named = (tool: JsonObject): JsonObject =>
  tool.type === "custom"
    ? { type: "custom", custom: { name: "patch" } }
    : { type: "function", function: { name: (tool.function as JsonObject).name } }

const choice = (words: Words, given: ReadonlyArray<JsonObject>): string | JsonObject =>
  words.pick<string | JsonObject>([
    "auto",
    "none",
    "required",
    named(words.pick(given)),
    {
      type: "allowed_tools",
      allowed_tools: { mode: words.pick(["auto", "required"]), tools: [named(words.pick(given))] }
    }
  ])

type Optional = Exclude<keyof ChatCompletionCreateParamsBase, "model" | "messages" | "tools" | "tool_choice">

const fieldsOf = (words: Words): { readonly [F in Optional]-?: () => unknown } => ({
  audio: () => words.pick([null, { format: "mp3", voice: "alloy" }]),
  frequency_penalty: () => words.pick([null, 0, 1]),
  function_call: () => "auto",
  functions: () => [{ name: "older", parameters: schemaOf(words) }],
  logit_bias: () => words.pick<unknown>([null, {}, { "50256": -100 }]),
  logprobs: () => words.pick([null, false, true]),
  max_completion_tokens: () => words.pick([null, 1, 16, 2_048, 9_999_999]),
  max_tokens: () => words.pick([null, 1, 2_048]),
  metadata: () => ({ a: "b" }),
  modalities: () => words.pick([null, ["text"], ["text", "audio"]]),
  moderation: () => null,
  n: () => words.pick([null, 1, 2]),
  parallel_tool_calls: () => words.chance(0.5),
  prediction: () => ({ type: "content", content: "x" }),
  presence_penalty: () => words.pick([null, 0, -1]),
  prompt_cache_key: () => "k",
  prompt_cache_options: () => ({ mode: "implicit", ttl: "30m" }),
  prompt_cache_retention: () => words.pick(["in_memory", "24h", null]),
  reasoning_effort: () => words.pick([null, "none", "minimal", "low", "medium", "high", "xhigh", "max"]),
  response_format: () =>
    words.pick<() => unknown>([
      () => ({ type: "text" }),
      () => ({ type: "json_object" }),
      () => ({
        type: "json_schema",
        json_schema: { name: "n", schema: schemaOf(words), strict: words.pick([null, false]) }
      })
    ])(),
  safety_identifier: () => words.pick([null, "someone@example.com", "s".repeat(64)]),
  seed: () => words.pick([null, 7]),
  service_tier: () => words.pick([null, "auto", "default", "flex", "priority", "fast"]),
  stop: () => words.pick([null, "stop", ["a", "b"], [" "], []]),
  store: () => words.pick([null, true, false]),
  stream: () => words.pick([null, true, false]),
  stream_options: () => null,
  temperature: () => words.pick([null, 0, 0.7, 2]),
  top_logprobs: () => words.pick([null, 2]),
  top_p: () => words.pick([null, 1]),
  user: () => "u".repeat(64),
  verbosity: () => words.pick([null, "low", "high"]),
  web_search_options: () => ({ search_context_size: "low" })
})

const rare = { logit_bias: 0.05, logprobs: 0.05, n: 0.05, modalities: 0.05, audio: 0.03, functions: 0.05 }

export const chatRequest = (words: Words): JsonObject => {
  const given = words.chance(0.5) ? tools(words) : []
  return {
    ...(words.members(fieldsOf(words), 0.12, rare) as JsonObject),
    ...(given.length > 0 && { tools: given }),
    ...(given.length > 0 && words.chance(0.4) && { tool_choice: choice(words, given) }),
    messages: conversation(words)
  }
}
