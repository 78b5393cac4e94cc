/** Tools of the Responses client, made by chance: one of each type that its types know. */
import type { Tool } from "openai/resources/responses/responses"
import type { JsonObject } from "../../../src/formats/json/json.ts"
import { schemaOf, toolNames, type Words } from "./Words.ts"

export const functionTool = (words: Words, name: string): JsonObject => ({
  type: "function",
  name,
  parameters: words.chance(0.9) ? (schemaOf(words) as JsonObject) : null,
  strict: words.pick([false, null]),
  ...words.maybe(0.5, () => ({ description: "Does it." })),
  ...words.maybe(0.05, () => ({ defer_loading: false }))
})
export const customTool = (words: Words): JsonObject => ({
  type: "custom",
  name: "patch",
  ...words.maybe(0.5, () => ({ description: "Does it." })),
  ...words.maybe(0.5, () => ({ format: { type: "grammar", syntax: "regex", definition: "a+" } }))
})
export const group = (words: Words): JsonObject => ({
  type: "namespace",
  name: "crm",
  description: "Customers",
  tools: [functionTool(words, "f"), customTool(words)]
})

const toolTypes: { readonly [T in Tool["type"]]: (words: Words) => JsonObject } = {
  function: (words) => functionTool(words, words.pick(toolNames)),
  custom: customTool,
  namespace: group,
  file_search: () => ({ type: "file_search", vector_store_ids: [] }),
  computer: () => ({ type: "computer" }),
  computer_use_preview: () => ({
    type: "computer_use_preview",
    display_height: 1,
    display_width: 1,
    environment: "browser"
  }),
  web_search: () => ({ type: "web_search", search_context_size: "low" }),
  web_search_2025_08_26: () => ({ type: "web_search_2025_08_26" }),
  web_search_preview: () => ({ type: "web_search_preview" }),
  web_search_preview_2025_03_11: () => ({ type: "web_search_preview_2025_03_11" }),
  mcp: () => ({ type: "mcp", server_label: "s", server_url: "https://example.com" }),
  code_interpreter: () => ({ type: "code_interpreter", container: { type: "auto" } }),
  programmatic_tool_calling: () => ({ type: "programmatic_tool_calling" }),
  image_generation: () => ({ type: "image_generation", quality: "low" }),
  local_shell: () => ({ type: "local_shell" }),
  shell: () => ({ type: "shell" }),
  tool_search: () => ({ type: "tool_search" }),
  apply_patch: () => ({ type: "apply_patch" })
}

export const tools = (words: Words): ReadonlyArray<JsonObject> => {
  const types = words.shuffled(Object.keys(toolTypes) as ReadonlyArray<Tool["type"]>).slice(0, words.below(3))
  return [
    toolTypes.function(words),
    ...types.filter((type) => type !== "function").map((type) => toolTypes[type](words))
  ]
}
