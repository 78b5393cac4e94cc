/** The beta flags of the Messages protocol that Bedrock knows. One that it does not know fails the whole request there. */
import { blocksOf } from "../../messages/blocks.ts"
import { isToolChange } from "../../messages/tool-changes.ts"
import { isAbsent, type Json, type JsonObject, objectOf, objectsOf } from "../../json/json.ts"

const known: ReadonlySet<string> = new Set([
  "compact-2026-01-12",
  "computer-use-2024-10-22",
  "computer-use-2025-01-24",
  "computer-use-2025-11-24",
  "context-1m-2025-08-07",
  "context-management-2025-06-27",
  // docs.aws.amazon.com, Bedrock user guide, "Fallback credit for refused requests".
  "fallback-credit-2026-06-09",
  "dev-full-thinking-2025-05-14",
  "effort-2025-11-24",
  "fine-grained-tool-streaming-2025-05-14",
  "interleaved-thinking-2025-05-14",
  "output-128k-2025-02-19",
  "token-efficient-tools-2025-02-19",
  "tool-examples-2025-10-29",
  "tool-search-tool-2025-10-19"
])

/**
 * Needed on Bedrock by who asks for a summary and by who brings one along that was signed: docs.aws.amazon.com, Bedrock user
 * guide, "Compaction".
 */
const summaryBeta = "compact-2026-09-04"

/** Flags that Bedrock knows by another name. */
const renamed: ReadonlyMap<string, string> = new Map([
  ["advanced-tool-use-2025-11-20", "tool-search-tool-2025-10-19"],
  ["per-turn-control-2026-07-01", "mid-conversation-output-config-2026-07-01"]
])

/**
 * Flags that not every model there need know, sent with what they open and refused without: BerriAI/litellm,
 * anthropic_beta_headers_config.json. Claude Code sends them with every call.
 */
const opening: ReadonlyMap<string, (request: JsonObject) => boolean> = new Map([
  [summaryBeta, (request) => !isAbsent(request.compaction) || hasSignedSummary(request.messages)],
  ["dangerous-tool-use-2026-09-03", ({ safeguards }) => safeguards !== undefined],
  ["mid-conversation-output-config-2026-07-01", (request) => hasTurnEffort(request.messages)],
  ["mid-conversation-tool-changes-2026-07-01", (request) => hasToolChange(request.messages)],
  ["inline-tools-2026-09-15", (request) => hasToolChange(request.messages)],
  ["thinking-binding-controls-2026-08-01", ({ thinking }) => objectOf(thinking).block_binding !== undefined],
  ["thinking-display-updates-2026-08-18", ({ thinking }) => objectOf(thinking).display === "updates"]
])

const hasSignedSummary = (messages: Json | undefined): boolean =>
  objectsOf(messages).some((message) =>
    blocksOf(message, "compaction").some(({ signature }) => !isAbsent(signature))
  )

const hasTurnEffort = (messages: Json | undefined): boolean =>
  objectsOf(messages).some((message) => message.output_config !== undefined)

const hasToolChange = (messages: Json | undefined): boolean =>
  objectsOf(messages).some(({ content }) => objectsOf(content).some(({ type }) => isToolChange(type)))

/**
 * The flags to send to Bedrock with this request, each once, in the order given. `header` has them as that of
 * `anthropic-beta` does.
 */
export const bedrockBetas = (header: string, request: JsonObject = {}): ReadonlyArray<string> => {
  const flags = header.split(",").map((flag) => flag.trim())
  const isTaken = (flag: string): boolean => known.has(flag) || opening.get(flag)?.(request) === true
  return [...new Set(flags.map((flag) => renamed.get(flag) ?? flag).filter(isTaken))]
}

/**
 * Flags that Bedrock wants with some tools, where the protocol itself asks for none any more: docs.aws.amazon.com, Bedrock
 * user guide, "Tool use". For inputs that are streamed as they are written it has a flag instead of the tool's field.
 */
const toolFlags: ReadonlyArray<readonly [flag: string, isFor: (tool: JsonObject) => boolean]> = [
  ["tool-search-tool-2025-10-19", (tool) => tool.defer_loading === true || isA("tool_search_tool_", tool)],
  ["tool-examples-2025-10-29", (tool) => tool.input_examples !== undefined],
  ["context-management-2025-06-27", (tool) => isA("memory_", tool)],
  ["fine-grained-tool-streaming-2025-05-14", (tool) => tool.eager_input_streaming === true]
]

const isA = (kind: string, { type }: JsonObject): boolean => typeof type === "string" && type.startsWith(kind)

/** The flags that a request needs on Bedrock whatever its caller named, and others that `bedrockBetas` leaves out. */
export const neededBetas = (tools: ReadonlyArray<JsonObject>): ReadonlyArray<string> => [
  summaryBeta,
  ...toolFlags.flatMap(([flag, isFor]) => (tools.some(isFor) ? [flag] : []))
]
