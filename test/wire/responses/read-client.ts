/** What a client has in the end, streamed or not, and what it saw on the way. */
import { isJsonObject, type Json, type JsonObject, objectsOf } from "../../../src/formats/json/json.ts"
import type { ClientProtocol } from "./case.ts"

export interface Event {
  readonly event: string
  readonly data: JsonObject
}

export interface ClientAnswer {
  readonly events: ReadonlyArray<Event>
  readonly streamed: boolean
  readonly done: boolean
  /** The response, message or completion. */
  readonly final: JsonObject | undefined
  /** The error a stream ended in. */
  readonly error: JsonObject | undefined
}

export const readClient = (protocol: ClientProtocol, type: string, text: string): ClientAnswer => {
  if (!type.startsWith("text/event-stream")) {
    const final = JSON.parse(text) as JsonObject
    return { events: [], streamed: false, done: false, final, error: undefined }
  }
  const frames = framesOf(text)
  const events = frames
    .filter(({ data }) => data !== "[DONE]")
    .map(({ data, event }) => ({ event, data: JSON.parse(data) as JsonObject }))
  const datas = events.map(({ data }) => data)
  return {
    events,
    streamed: true,
    done: frames.at(-1)?.data === "[DONE]",
    final: finalOf(protocol, datas),
    error: errorOf(datas)
  }
}

const framesOf = (text: string) =>
  text
    .split("\n\n")
    .map((frame) => ({ event: lineOf(frame, "event"), data: lineOf(frame, "data") }))
    .filter(({ data }) => data !== "")

const lineOf = (frame: string, name: string): string =>
  frame
    .split("\n")
    .filter((line) => line.startsWith(`${name}: `))
    .map((line) => line.slice(name.length + 2))
    .join("\n")

const errorOf = (events: ReadonlyArray<JsonObject>): JsonObject | undefined => {
  const last = events.at(-1)
  if (last === undefined) return undefined
  if (last.type === "response.failed" && isJsonObject(last.response)) return last.response.error as JsonObject
  if (isJsonObject(last.error)) return last.error
  return last.type === "error" ? last : undefined
}

const finalOf = (protocol: ClientProtocol, events: ReadonlyArray<JsonObject>): JsonObject | undefined => {
  if (protocol === "responses") {
    const response = events.at(-1)?.response
    return isJsonObject(response) ? response : undefined
  }
  return protocol === "chat" ? completionOf(events) : messageOf(events)
}

const messageOf = (events: ReadonlyArray<JsonObject>): JsonObject | undefined => {
  const start = events.find(({ type }) => type === "message_start")?.message
  if (!isJsonObject(start)) return undefined
  const blocks: Array<Record<string, Json | undefined>> = []
  const message: Record<string, Json | undefined> = { ...start }
  const pieces: Array<string> = []
  for (const event of events) {
    const index = Number(event.index)
    if (event.type === "content_block_start") blocks[index] = { ...(event.content_block as JsonObject) }
    if (event.type === "content_block_delta")
      addDelta(blocks[index]!, event.delta as JsonObject, pieces, index)
    if (event.type === "message_delta") {
      const usage = { ...(message["usage"] as JsonObject), ...(event.usage as JsonObject) }
      Object.assign(message, event.delta, { usage })
    }
  }
  for (const [index, json] of pieces.entries())
    if (json !== undefined) blocks[index]!["input"] = JSON.parse(json) as Json
  return { ...message, content: blocks as ReadonlyArray<JsonObject> }
}

const addDelta = (
  block: Record<string, Json | undefined>,
  delta: JsonObject,
  pieces: Array<string>,
  index: number
) => {
  if (delta.type === "input_json_delta") {
    if (delta.partial_json !== "") pieces[index] = (pieces[index] ?? "") + String(delta.partial_json)
    return
  }
  for (const name of ["text", "thinking", "signature"])
    if (typeof delta[name] === "string") block[name] = String(block[name] ?? "") + delta[name]
}

const completionOf = (chunks: ReadonlyArray<JsonObject>): JsonObject | undefined => {
  const message: Record<string, Json | undefined> = {}
  const calls: Array<Record<string, Json | undefined>> = []
  let completion: JsonObject | undefined
  let finish: Json = null
  for (const chunk of chunks) {
    completion ??= chunk
    if (isJsonObject(chunk.usage)) completion = { ...completion, usage: chunk.usage }
    const choice = objectsOf(chunk.choices)[0]
    if (choice === undefined) continue
    finish = choice.finish_reason ?? finish
    const delta = isJsonObject(choice.delta) ? choice.delta : {}
    for (const name of ["content", "refusal", "reasoning_content"])
      if (typeof delta[name] === "string") message[name] = String(message[name] ?? "") + delta[name]
    for (const call of objectsOf(delta.tool_calls)) addCall(calls, call)
  }
  if (completion === undefined) return undefined
  const said = { ...message, ...(calls.length > 0 && { tool_calls: calls }) }
  return { ...completion, choices: [{ index: 0, message: said, finish_reason: finish }] }
}

const addCall = (calls: Array<Record<string, Json | undefined>>, call: JsonObject): void => {
  const index = Number(call.index)
  const known = (calls[index] ??= {})
  for (const [name, value] of Object.entries(call)) {
    if (!isJsonObject(value)) known[name] = value
    else {
      const before = isJsonObject(known[name]) ? known[name] : {}
      const long = name === "custom" ? "input" : "arguments"
      const text = String(before[long] ?? "") + String(value[long] ?? "")
      known[name] = { ...before, ...value, [long]: text }
    }
  }
}
