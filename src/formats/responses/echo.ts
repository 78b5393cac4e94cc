/**
 * What a response repeats of its request: its settings and tools as the client sent them. Kept as the JSON text of those
 * members, since a stream says it three times and nobody on the way reads it.
 */
import { type JsonObject, objectOf } from "../json/json.ts"
import { parseExactJson } from "../json/parse-exact-json.ts"
import { type Member, memberNamed } from "../json/scan.ts"

/** Each with what stands there where the client says nothing. */
const echoed: ReadonlyArray<readonly [name: string, otherwise: string]> = [
  ["instructions", "null"],
  ["max_output_tokens", "null"],
  ["max_tool_calls", "null"],
  ["metadata", "{}"],
  ["parallel_tool_calls", "true"],
  ["prompt_cache_key", "null"],
  ["prompt_cache_retention", "null"],
  ["safety_identifier", "null"],
  ["temperature", "1"],
  ["tool_choice", '"auto"'],
  ["tools", "[]"],
  ["top_p", "1"],
  ["truncation", '"disabled"'],
  ["user", "null"]
]

/** Members of a JSON object without its braces. */
export const echoOf = (bytes: Buffer, members: ReadonlyArray<Member>, parsed: JsonObject): string => {
  const texts = echoed.map(([name, otherwise]) => {
    const member = memberNamed(members, name)
    const isSaid = member !== undefined && parsed[name] !== null
    return `"${name}":${isSaid ? oneLine(bytes.toString("utf8", member.valueStart, member.valueEnd)) : otherwise}`
  })
  const reasoning = { effort: null, summary: null, ...objectOf(parsed.reasoning) }
  const text = { format: { type: "text" }, verbosity: "medium", ...objectOf(parsed.text) }
  return [...texts, `"reasoning":${JSON.stringify(reasoning)}`, `"text":${JSON.stringify(text)}`].join(",")
}

/** An event is one line of a stream. Within JSON a line ends only between its values. */
const oneLine = (json: string): string => (/[\r\n]/.test(json) ? JSON.stringify(parseExactJson(json)) : json)
