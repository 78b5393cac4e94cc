/** AWS takes fewer betas than the provider itself, and refuses the others. */
export const knownBetas: ReadonlySet<string> = new Set([
  "computer-use-2024-10-22",
  "computer-use-2025-01-24",
  "computer-use-2025-11-24",
  "token-efficient-tools-2025-02-19",
  "interleaved-thinking-2025-05-14",
  "output-128k-2025-02-19",
  "dev-full-thinking-2025-05-14",
  "context-1m-2025-08-07",
  "context-management-2025-06-27",
  "effort-2025-11-24",
  "tool-search-tool-2025-10-19",
  "tool-examples-2025-10-29",
  "fine-grained-tool-streaming-2025-05-14",
  "compact-2026-01-12",
  "fallback-credit-2026-06-09",
  "dangerous-tool-use-2026-09-03",
  "mid-conversation-output-config-2026-07-01",
  "mid-conversation-tool-changes-2026-07-01",
  "inline-tools-2026-09-15",
  "thinking-binding-controls-2026-08-01",
  "thinking-display-updates-2026-08-18"
])
