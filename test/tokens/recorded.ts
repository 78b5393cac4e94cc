/** The recorded calls of ../shared/fixtures as the token counts see them: request, what was answered, usage. */
import { existsSync, globSync, readFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { type Json, isJsonObject, type JsonObject } from "../../src/formats/json/json.ts"
import { sharedPath } from "../shared-folder.ts"

export interface Recorded {
  readonly name: string
  /** The provider's name of the model, as in the recording. */
  readonly model: string
  readonly request: JsonObject | undefined
  readonly inputTokens: number | undefined
  readonly outputTokens: number | undefined
  /** The provider said how many of the output tokens were reasoning, and none of it is in the answer. */
  readonly hiddenTokens: number
  readonly toolCalls: number
  /** Texts of the answer in the order they came: text, thinking, tool names and arguments. */
  readonly pieces: ReadonlyArray<string>
  readonly thinking: boolean
}

const root = sharedPath("fixtures")

export const recordings = (): ReadonlyArray<Recorded> =>
  existsSync(root)
    ? globSync(`${root}/*/*.json`)
        .sort()
        .map((path) => read(path))
        .filter((recorded) => recorded !== undefined)
    : []

type Found = {
  usage: Record<string, unknown>
  pieces: Array<string>
  toolCalls: number
  thinking: boolean
  reasoningShown: boolean
}

const read = (path: string): Recorded | undefined => {
  const fixture = JSON.parse(readFileSync(path, "utf8"))
  const protocol = basename(dirname(path))
  if (fixture.response?.status !== 200 || protocol === "images" || protocol === "clients") return undefined
  // Their text and their usage do not belong together.
  if (String(fixture.kind).startsWith("composed") || /broken|guardrail|phase-stream/.test(path))
    return undefined
  const found: Found = { usage: {}, pieces: [], toolCalls: 0, thinking: false, reasoningShown: false }
  for (const event of eventsOf(fixture.response, dirname(path))) visit(event, found)
  const usage = found.usage
  const sum = (...names: Array<string>) => names.reduce((total, name) => total + Number(usage[name] ?? 0), 0)
  const input =
    sum("input_tokens", "prompt_tokens", "inputTokens") +
    sum(
      "cache_creation_input_tokens",
      "cache_read_input_tokens",
      "cacheReadInputTokens",
      "cacheWriteInputTokens"
    )
  const reasoning = Number(detail(usage, "reasoning_tokens") ?? 0)
  const completion = Math.max(
    sum("output_tokens", "completion_tokens", "outputTokens"),
    sum("total_tokens") - sum("prompt_tokens", "input_tokens")
  )
  const body = fixture.request?.body
  return {
    name: `${protocol}/${basename(path, ".json")}`,
    model: isJsonObject(body) && typeof body["model"] === "string" ? body["model"] : modelOf(fixture, found),
    request: isJsonObject(body) ? (protocol === "bedrock" ? fromConverse(body) : body) : undefined,
    inputTokens: input > 0 ? input : undefined,
    outputTokens: "input_tokens" in usage && found.pieces.length === 0 ? undefined : completion || undefined,
    hiddenTokens: found.reasoningShown ? 0 : reasoning,
    toolCalls: found.toolCalls,
    pieces: found.pieces,
    thinking: found.thinking
  }
}

const modelOf = (fixture: { request?: { url?: string } }, found: Found): string =>
  decodeURIComponent(
    /model\/([^/]+)/.exec(fixture.request?.url ?? "")?.[1] ?? String(found.usage["model"] ?? "")
  )

const detail = (usage: Record<string, unknown>, name: string): unknown =>
  [usage["completion_tokens_details"], usage["output_tokens_details"]].flatMap((details) =>
    isJsonObject(details) ? [details[name]] : []
  )[0]

const eventsOf = (
  response: {
    body?: Json
    body_file?: string
    decoded_events?: Array<{ payload: Json; inner?: Json; headers: Json }>
  },
  folder: string
): ReadonlyArray<Json> => {
  if (response.decoded_events !== undefined)
    return response.decoded_events.map((event) => event.inner ?? event.payload)
  if (response.body_file === undefined) return [response.body ?? null]
  return readFileSync(join(folder, response.body_file), "utf8")
    .split("\n")
    .filter((line) => line.startsWith("data: {"))
    .map((line) => JSON.parse(line.slice(6)))
}

/** Names of the members that hold what a model wrote, in any of the protocols. */
const written = new Set([
  "text",
  "thinking",
  "partial_json",
  "content",
  "reasoning_content",
  "reasoning",
  "refusal",
  "arguments",
  "name"
])

/** Members and whole events that repeat what was given piece by piece, or were not written by the model. */
const repeated = /\.(done|created|in_progress|completed|incomplete|added)$/

const visit = (event: Json, found: Found): void => {
  if (!isJsonObject(event)) return
  const type = String(event["type"] ?? "")
  const holder = [event, event["message"], event["response"]].filter(isJsonObject)
  for (const object of holder) {
    if (isJsonObject(object["usage"])) Object.assign(found.usage, withoutNull(object["usage"]))
    if (typeof object["model"] === "string") found.usage["model"] = object["model"]
    if (typeof object["input_tokens"] === "number") found.usage["input_tokens"] = object["input_tokens"]
  }
  if (isJsonObject(event["metadata"])) visit({ usage: event["metadata"]["usage"] ?? null }, found)
  if (type === "response.output_item.added")
    return collect({ name: (event["item"] as JsonObject)["name"] ?? null }, found)
  if (repeated.test(type)) return
  if (type.endsWith(".delta"))
    return write(event["delta"], type.includes("reasoning") ? "reasoning" : "text", found)
  for (const key of ["delta", "content_block", "content", "choices", "output", "start", "message"])
    collect(event[key], found)
}

const withoutNull = (usage: JsonObject) =>
  Object.fromEntries(Object.entries(usage).filter(([, value]) => value !== null))

const collect = (value: Json | undefined, found: Found): void => {
  if (Array.isArray(value)) return value.forEach((item) => collect(item, found))
  if (!isJsonObject(value)) return
  if (/tool_result|search_result/.test(String(value["type"] ?? ""))) return
  for (const [key, member] of Object.entries(value)) {
    if (key === "input") {
      if (typeof member === "string") write(member, "text", found)
      else if (Object.keys(member ?? {}).length > 0) write(JSON.stringify(member), "text", found)
    } else if (typeof member === "string") {
      if (written.has(key)) write(member, key, found)
      if (key === "name") found.toolCalls++
    } else if (key !== "usage" && key !== "logprobs" && key !== "reasoning_details" && key !== "annotations")
      collect(member, found)
  }
}

const write = (text: Json | undefined, key: string, found: Found): void => {
  if (typeof text !== "string" || text === "") return
  found.pieces.push(text)
  if (/reasoning/.test(key)) found.reasoningShown = true
  if (/reasoning|thinking/.test(key)) found.thinking = true
}

/** A Converse request in the words of Messages, as the gateway's client would have sent it. */
const fromConverse = (body: JsonObject): JsonObject => {
  if ("anthropic_version" in body) return body
  const { toolConfig, additionalModelRequestFields, ...rest } = body
  const tools = isJsonObject(toolConfig) && Array.isArray(toolConfig["tools"]) ? toolConfig["tools"] : []
  return {
    ...(rename(rest) as JsonObject),
    ...(isJsonObject(additionalModelRequestFields) ? additionalModelRequestFields : {}),
    ...(tools.length === 0 ? {} : { tools: tools.filter(isJsonObject).flatMap(toolOf) })
  }
}

const toolOf = (tool: JsonObject): ReadonlyArray<Json> => {
  // What else stands among the tools is a mark for the cache.
  if (!isJsonObject(tool["toolSpec"])) return []
  const { inputSchema, ...rest } = tool["toolSpec"]
  return [{ ...rest, input_schema: (inputSchema as JsonObject)["json"] ?? {} }]
}

const rename = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(rename)
  if (!isJsonObject(value)) return value
  if (isJsonObject(value["toolUse"])) return { type: "tool_use", ...value["toolUse"] }
  if (isJsonObject(value["toolResult"]))
    return { type: "tool_result", content: rename(value["toolResult"]["content"] ?? []) }
  if (isJsonObject(value["document"])) {
    const document = value["document"]
    const source = document["source"] as JsonObject
    return {
      type: "document",
      title: document["name"] ?? null,
      context: document["context"] ?? null,
      citations: document["citations"] ?? null,
      source: {
        type: "text",
        data: source["text"] ?? Buffer.from(String(source["bytes"]), "base64").toString()
      }
    }
  }
  if ("text" in value) return { type: "text", text: value["text"] ?? "" }
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, rename(member ?? null)]))
}
