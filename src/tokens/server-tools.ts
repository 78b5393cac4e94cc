/** What tools that the provider itself runs put into the input of a call, beyond anything the client sends. */
import type { JsonObject } from "../formats/json/json.ts"
import { builtinName, isHostedShell } from "../formats/particulars/hosted-tools.ts"

/** Tokens of one use, prompt and typical results, on the high side of what has been recorded and documented. */
const perUse: ReadonlyArray<readonly [prefix: string, tokens: number, uses: number]> = [
  ["web_search", 12_000, 3],
  ["x_search", 12_000, 3],
  ["live_search", 12_000, 3],
  ["web_fetch", 20_000, 2],
  ["file_search", 16_000, 1],
  ["code_execution", 8_000, 1],
  ["code_interpreter", 8_000, 1],
  ["advisor", 6_000, 1],
  ["mcp", 5_000, 1],
  ["computer_toolset", 5_000, 1],
  ["browser_toolset", 7_000, 1],
  ["computer", 2_000, 1],
  ["text_editor", 1_000, 1],
  ["bash", 500, 1],
  ["memory", 2_000, 1],
  ["tool_search", 2_000, 1],
  ["image_generation", 1_000, 1],
  ["skill", 5_000, 1]
]

const usesMax = 10

/** Upper-bound tokens of a server tool; 0 for a tool that the client defines. */
export const serverToolTokens = (tool: JsonObject): number => {
  const type = builtinName(tool) ?? ownType(tool)
  const known = perUse.find(([prefix]) => type?.startsWith(prefix))
  if (known === undefined) return 0
  const [, tokens, usual] = known
  const uses = typeof tool["max_uses"] === "number" ? tool["max_uses"] : usual
  return tokens * Math.min(usesMax, Math.max(1, Math.ceil(uses)))
}

const ownType = (tool: JsonObject): string | undefined => {
  if (isHostedShell(tool)) return "code_execution"
  const isClients = "input_schema" in tool || "parameters" in tool || "function" in tool
  return typeof tool["type"] === "string" && !isClients ? tool["type"] : undefined
}
