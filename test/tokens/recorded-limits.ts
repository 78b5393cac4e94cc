/** The recordings whose usage no count from outside can meet, each with its reason. */
import type { Recorded } from "./recorded.ts"

const input: ReadonlyArray<readonly [pattern: RegExp, reason: string]> = [
  [/websearch|mcp-servers|server-tool/, "what the provider's own tools fetched is in it"],
  [/image-url$/, "the size of an image by URL is not known"],
  [/openai-responses\/tools-parallel/, "the same tool costs 39 tokens less than on the chat endpoint"],
  [
    /tools-four-parallel|tools-parallel|converse-thinking-tool|invoke-stream-claude-tool/,
    "models before Claude 4.5 and some early 4.5 had a tool prompt of 300 tokens instead of 500; the catalogue has none of them"
  ]
]

const output: ReadonlyArray<readonly [pattern: RegExp, reason: string]> = [
  [/redacted|stop-refusal-midstream|server-tool-advisor/, "reasoning that is not shown is in it"],
  [/websearch/, "citations are in it"],
  [/two-tools-nova/, "the usage is twice what its text and calls come to"],
  [/reasoning-encrypted/, "four answers follow each other, and the usage is that of the last"]
]

const absent = (list: typeof input, recorded: Pick<Recorded, "name">) =>
  !list.some(([pattern]) => pattern.test(recorded.name))

export const countableInput = (recorded: Pick<Recorded, "name">): boolean =>
  // The OpenAI twins of the Claude recordings are named alike.
  (recorded.name.startsWith("openai-chat") && !recorded.name.endsWith("image-url")) || absent(input, recorded)

export const countableOutput = (recorded: Pick<Recorded, "name">): boolean => absent(output, recorded)

/** Why a recording is left out, for the table of errors. */
export const reasonLeftOut = (name: string, kind: "input" | "output"): string | undefined => {
  if (kind === "input" ? countableInput({ name }) : countableOutput({ name })) return undefined
  return (kind === "input" ? input : output).find(([pattern]) => pattern.test(name))?.[1]
}
