/** Recorded Bedrock traffic, and what the tests of it share. */
import { MessageStream } from "@anthropic-ai/sdk/lib/MessageStream"
import { readdirSync, readFileSync } from "node:fs"
import type { ConversionContext } from "../../src/formats/convert/conversion.ts"
import { isJsonObject, type JsonObject } from "../../src/formats/json/json.ts"
import { framesOf } from "../wire/sse-frames.ts"
import type { StreamCodec } from "../../src/formats/stream/stream-codec.ts"
import { hasShared, sharedPath } from "../shared-folder.ts"

const folder = sharedPath("fixtures/bedrock")

export const fixtureNames = (start: string): ReadonlyArray<string> =>
  hasShared("fixtures")
    ? readdirSync(folder)
        .filter((name) => name.startsWith(start) && name.endsWith(".json"))
        .map((name) => name.replace(".json", ""))
    : []

export const readFixture = (name: string) => JSON.parse(readFileSync(`${folder}/${name}.json`, "utf8"))

export const readStream = (name: string): Buffer =>
  Buffer.from(readFileSync(`${folder}/${name}.b64`, "utf8"), "base64")

const failing = /exception|truncated|error/
/** The streams that end well. */
export const converseNames = fixtureNames("converse-stream").filter((name) => !failing.test(name))
export const invokeNames = fixtureNames("invoke-stream").filter((name) => !failing.test(name))

/** An event as it was recorded: `inner` is Claude's own, which Bedrock wraps. */
export interface RecordedEvent {
  readonly payload: JsonObject
  readonly headers: Record<string, string>
  readonly inner?: JsonObject
}

export const recordedEvents = (name: string): ReadonlyArray<RecordedEvent> =>
  readFixture(name).response.decoded_events

export const context: ConversionContext = {
  modelId: "svc/test-model",
  callId: "test",
  now: 1_800_000_000,
  toolNames: new Map(),
  inputEstimate: 7,
  choices: 1,
  includeUsage: true,
  givesFunctions: false,
  oneCall: false,
  family: "claude",
  thinking: "shown",
  tellsRefusals: false,
  keepsArguments: false,
  keepsCitations: false,
  onlyStop: null,
  echo: ""
}

/** All that a codec gives for a stream cut into pieces of `size` bytes. */
export const runCodec = (codec: StreamCodec, bytes: Buffer, size = bytes.length) => {
  const parts: Array<Buffer> = []
  for (let start = 0; start < bytes.length; start += size) {
    parts.push(codec.push(bytes.subarray(start, start + size)) ?? Buffer.alloc(0))
  }
  parts.push(codec.end() ?? Buffer.alloc(0))
  if (codec.finished) parts.push(codec.tail)
  return {
    output: Buffer.concat(parts),
    failure: codec.failure,
    usage: codec.usage,
    contentSeen: codec.contentSeen
  }
}

export const eventsOf = (output: Buffer): ReadonlyArray<JsonObject> => {
  return framesOf(output).flatMap(({ event, data }) => {
    if (data === "[DONE]") return [{ type: "[DONE]" }]
    const parsed: unknown = JSON.parse(data)
    if (!isJsonObject(parsed)) throw new Error(`not an object: ${data}`)
    if (event !== "" && event !== parsed.type) throw new Error(`${event} is not ${String(parsed.type)}`)
    return [parsed]
  })
}

/** The message that Anthropic's SDK makes of a stream's events. */
export const accumulate = (events: ReadonlyArray<JsonObject>) => {
  const lines = events.map((event) => `${JSON.stringify(event)}\n`).join("")
  const stream = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(lines))
      controller.close()
    }
  })
  return MessageStream.fromReadableStream(stream).finalMessage()
}

/** What every Messages stream must keep to; the message names the first rule that is broken. */
export const brokenRule = (events: ReadonlyArray<JsonObject>): string | undefined => {
  const types = events.map((event) => event.type).filter((type) => type !== "ping")
  if (types[0] !== "message_start") return "begins with message_start"
  if (types.at(-1) !== "message_stop" || types.at(-2) !== "message_delta")
    return "ends with message_delta, message_stop"
  let open: string | undefined
  let index = -1
  for (const event of events.slice(1, -2)) {
    if (event.type === "ping") continue
    if (event.type === "content_block_start") {
      if (open !== undefined) return "one open block at a time"
      if (event.index !== ++index) return "indexes without gaps"
      open = String((event.content_block as JsonObject).type)
    } else if (event.type === "content_block_stop") {
      if (open === undefined || event.index !== index) return "stops what is open"
      open = undefined
    } else if (event.type === "content_block_delta") {
      const delta = String((event.delta as JsonObject).type)
      if (event.index !== index || !(fits[open ?? ""] ?? []).includes(delta)) return `${delta} fits ${open}`
    } else return `no ${String(event.type)} here`
  }
  return open === undefined ? undefined : "every block is stopped"
}

const fits: Readonly<Record<string, ReadonlyArray<string>>> = {
  text: ["text_delta", "citations_delta"],
  thinking: ["thinking_delta", "signature_delta"],
  tool_use: ["input_json_delta"]
}
