/** What the tests of a running gateway ask, and how they wait for what becomes of it. */

export const ask = (prompt: string, fields: Record<string, unknown> = {}) => ({
  model: "claude-sonnet-5",
  max_tokens: 4_000,
  messages: [{ role: "user", content: prompt }],
  ...fields
})

/** So many tokens, one every `interval` ms. */
export const stream = (tokens: number, interval: number) =>
  ask(`[sim: tokens=${tokens} interval=${interval}]`, { stream: true })

/** Lines of a log that are not JSON; the last may have come in part only. */
export const plainLinesOf = (log: string): ReadonlyArray<string> =>
  log
    .split("\n")
    .slice(0, -1)
    .filter((line) => !isJson(line))

const isJson = (line: string): boolean => {
  try {
    return typeof JSON.parse(line) === "object"
  } catch {
    return false
  }
}
