/** The usage that a recorded answer tells, read as simply as can be: what the gateway's charge is compared with. */

export interface RecordedUsage {
  readonly input: number
  readonly output: number
}

const advice = /\{"input_tokens":(\d+),"output_tokens":(\d+),(?:[^{}]|\{[^{}]*\})*"type":"advisor_message"/g

/** Tokens that another model read and wrote as an advisor, which the counts around leave out. */
export const advisedTokens = (text: string): number =>
  [...text.matchAll(advice)].reduce((sum, [, input, output]) => sum + Number(input) + Number(output), 0)

export type RecordedProtocol = "messages" | "chat" | "responses"

type Counts = Readonly<Record<string, number>>
interface Anything {
  readonly [key: string]: Anything | undefined
}

export const dataOf = (stream: string): ReadonlyArray<string> =>
  stream
    .split("\n")
    .filter((line) => line.startsWith("data:"))
    .map((line) => line.slice(5).trim())

export const usageOfStream = (protocol: RecordedProtocol, stream: string): RecordedUsage | undefined => {
  const counts: Record<string, number> = {}
  for (const data of dataOf(stream)) {
    if (data === "[DONE]") continue
    const event = JSON.parse(data) as Anything
    const usage = event["usage"] ?? event["message"]?.["usage"] ?? event["response"]?.["usage"]
    for (const [name, value] of Object.entries(usage ?? {})) {
      if (typeof value === "number") counts[name] = value
    }
  }
  return billed(protocol, counts)
}

export const usageOfBody = (protocol: RecordedProtocol, body: unknown): RecordedUsage | undefined => {
  const usage = (body as { readonly usage?: Counts | null }).usage
  return usage ? billed(protocol, usage) : undefined
}

const billed = (protocol: RecordedProtocol, counts: Counts): RecordedUsage | undefined => {
  if (Object.keys(counts).length === 0) return undefined
  const of = (name: string) => (typeof counts[name] === "number" ? counts[name] : 0)
  switch (protocol) {
    case "messages":
      return {
        input: of("input_tokens") + of("cache_creation_input_tokens") + of("cache_read_input_tokens"),
        output: of("output_tokens")
      }
    case "chat":
      return {
        input: of("prompt_tokens"),
        output: Math.max(of("completion_tokens"), of("total_tokens") - of("prompt_tokens"))
      }
    case "responses":
      return { input: of("input_tokens"), output: of("output_tokens") }
  }
}
