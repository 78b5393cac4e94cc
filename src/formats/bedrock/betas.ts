/** The beta flags of the Messages protocol that Bedrock knows. One that it does not know fails the whole request there. */

const known: ReadonlySet<string> = new Set([
  "compact-2026-01-12",
  "computer-use-2024-10-22",
  "computer-use-2025-01-24",
  "computer-use-2025-11-24",
  "context-1m-2025-08-07",
  "context-management-2025-06-27",
  "dev-full-thinking-2025-05-14",
  "effort-2025-11-24",
  "fine-grained-tool-streaming-2025-05-14",
  "interleaved-thinking-2025-05-14",
  "output-128k-2025-02-19",
  "token-efficient-tools-2025-02-19",
  "tool-examples-2025-10-29",
  "tool-search-tool-2025-10-19"
])

/** Flags that Bedrock knows by another name. */
const renamed: ReadonlyMap<string, string> = new Map([
  ["advanced-tool-use-2025-11-20", "tool-search-tool-2025-10-19"]
])

/** The flags to send to Bedrock, each once, in the order given. `header` is the value of `anthropic-beta`. */
export const bedrockBetas = (header: string | undefined): ReadonlyArray<string> => {
  const flags = (header ?? "").split(",").map((flag) => flag.trim())
  return [...new Set(flags.map((flag) => renamed.get(flag) ?? flag).filter((flag) => known.has(flag)))]
}

/** Needed on Bedrock for tools that are loaded on demand, where the protocol itself asks for no flag any more. */
export const toolSearchBeta = "tool-search-tool-2025-10-19"

/** Needed on Bedrock for tool inputs that are streamed as they are written. */
export const eagerInputBeta = "fine-grained-tool-streaming-2025-05-14"
