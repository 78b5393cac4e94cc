/**
 * The members of a request that decide what a call costs and what form its answer has. Each stands once and under its own
 * name: of two the provider may read the one that was not held for, and some parsers do not tell "Model" from "model".
 */
import { capNames } from "../domain/output-cap-names.ts"
import type { ClientRequest } from "./convert/requests.ts"
import { isAbsent, isJsonObject, type JsonObject } from "./json/json.ts"
import { refuse } from "./json/fields.ts"
import { type Member, scanMembers } from "./json/scan.ts"

/** How many answers are made for one request, under the names that providers have for it. */
const answerCounts = ["n", "best_of", "num_return_sequences", "num_generations", "candidate_count"] as const

/** These are read under other spellings, too: `maxTokens` where JSON stands for Protobuf, `n[]` where it becomes a form. */
const amounts = [...answerCounts, ...capNames, "stream", "stream_options"] as const

const others = [
  // What is asked, and of whom.
  "model messages system input instructions prompt prediction functions tools tool_choice mcp_servers container",
  "web_search_options enable_search search_parameters enable_code_interpreter fallbacks context_management",
  "previous_response_id conversation thread background deferred extra_body",
  // How much is thought about it, and how fast.
  "thinking enable_thinking thinking_budget reasoning reasoning_effort output_config service_tier speed inference_geo",
  // What the answer is made of.
  "modalities audio response_format size quality partial_images voice stream_format"
].flatMap((names) => names.split(" "))

const known: ReadonlySet<string> = new Set<string>([...amounts, ...others])

/** A name in small letters, also where a letter is one only by Unicode's rules (`ſ`, the Kelvin sign). */
const folded = (name: string): string => name.toUpperCase().toLowerCase()
const bare = (name: string): string => folded(name).replace(/[^\p{L}\p{N}]/gu, "")

/** Names that are another's, however they are written. */
const misspelt: ReadonlyMap<string, string> = new Map([
  ...[...known].map((name) => [name, name] as const),
  ...amounts.map((name) => [bare(name), name] as const)
])

/** Longer than any of them, however it is written. */
const nameLengthMax = 40

export const refuseAmbiguousMembers = ({ bytes, members }: ClientRequest): void => {
  const seen = new Set<string>()
  for (const member of members) {
    const { name } = member
    if (!known.has(name)) refuseMisspelt(name, misspelt)
    else if (seen.has(name)) refuse(name, "is there more than once")
    else {
      seen.add(name)
      if (name === "stream_options") refuseAmbiguousOptions(bytes, member)
    }
  }
}

const refuseMisspelt = (name: string, names: ReadonlyMap<string, string>): void => {
  if (name.length > nameLengthMax) return
  const meant = names.get(folded(name)) ?? names.get(bare(name))
  if (meant !== undefined) refuse(meant, `is written ${JSON.stringify(name)}`)
}

const includeUsage = "include_usage"
const includeUsageField = `stream_options.${includeUsage}`
const misspeltOptions: ReadonlyMap<string, string> = new Map([
  [includeUsage, includeUsageField],
  [bare(includeUsage), includeUsageField]
])

/** A stream without its usage is charged by an estimate, which sees no thoughts that are not shown. */
const refuseAmbiguousOptions = (bytes: Buffer, { valueEnd, valueStart }: Member): void => {
  let seen = false
  for (const { name } of scanMembers(bytes.subarray(valueStart, valueEnd)) ?? []) {
    if (name !== includeUsage) refuseMisspelt(name, misspeltOptions)
    else if (seen) refuse(includeUsageField, "is there more than once")
    else seen = true
  }
}

const answersMax = 128

/** How many answers a request has made, all of which are billed. Refuses what is no number of answers. */
export const answersMade = (body: JsonObject): number =>
  Math.max(1, ...answerCounts.map((name) => answersAt(body, name)))

/** How many of them are given. */
export const answersGiven = (body: JsonObject): number => answersAt(body, "n")

const answersAt = (body: JsonObject, name: (typeof answerCounts)[number]): number => {
  const asked = body[name]
  if (isAbsent(asked)) return 1
  if (typeof asked !== "number" || !Number.isInteger(asked) || asked < 1 || asked > answersMax)
    return refuse(name, `must be a whole number from 1 to ${answersMax}`)
  return asked
}

/** An answer comes whole or as a stream, and nothing is read as either. */
export const requireForm = (body: JsonObject): void => {
  const { stream, stream_options: streamOptions } = body
  if (!isAbsent(stream) && typeof stream !== "boolean") refuse("stream", "must be true or false")
  if (!isAbsent(streamOptions) && !isJsonObject(streamOptions)) refuse("stream_options", "must be an object")
}
