/** What holds of every Responses stream and of every response, whatever it says. */
import { isJsonObject, type Json, type JsonObject, objectsOf } from "../../../src/formats/json/json.ts"
import { difference, firstOf } from "./match.ts"
import type { Event } from "./read-client.ts"

const required = [
  "id object created_at completed_at status background error incomplete_details instructions metadata model output",
  "parallel_tool_calls previous_response_id reasoning store temperature text tool_choice tools top_p truncation",
  "max_output_tokens usage access_programs"
]
  .join(" ")
  .split(" ")

/** What a whole response lacks or has wrong. */
export const responseFault = (response: JsonObject): string | undefined => {
  const missing = required.find((name) => response[name] === undefined)
  if (missing !== undefined) return `the response has no ${missing}`
  if (!/^resp_\w+$/.test(String(response.id))) return `its id is ${String(response.id)}`
  if (response.store !== false) return "it says that it is stored"
  const items = objectsOf(response.output)
  const ids = items.map(({ id }) => id)
  if (new Set(ids).size !== ids.length) return "two items have one id"
  return firstOf(items, itemFault) ?? usageFault(response)
}

const usageFault = ({ status, usage }: JsonObject): string | undefined => {
  if (status === "in_progress" || status === "failed") return usage === null ? undefined : "usage too early"
  if (!isJsonObject(usage)) return "no usage"
  return difference(usage, {
    input_tokens: { $any: true },
    input_tokens_details: { cached_tokens: { $any: true }, cache_write_tokens: { $any: true } },
    output_tokens: { $any: true },
    output_tokens_details: { reasoning_tokens: { $any: true } },
    total_tokens: Number(usage.input_tokens) + Number(usage.output_tokens)
  })
}

const idOf: Readonly<Record<string, RegExp>> = {
  message: /^msg_\w+$/,
  reasoning: /^rs_\w+$/,
  function_call: /^fc_\w+$/,
  custom_tool_call: /^ctc_\w+$/
}

const itemFault = (item: JsonObject): string | undefined => {
  const type = String(item.type)
  if (idOf[type]?.test(String(item.id)) !== true) return `an item is ${JSON.stringify(item).slice(0, 200)}`
  if (type === "reasoning")
    return Array.isArray(item.summary) && typeof item.encrypted_content === "string"
      ? undefined
      : "bare reasoning"
  if (type !== "message")
    return typeof item.call_id === "string" && item.name !== "" ? undefined : "a bare call"
  if (item.role !== "assistant" || item.status === undefined) return "a message without role or status"
  return firstOf(objectsOf(item.content), (part) => {
    if (part.type === "refusal") return typeof part.refusal === "string" ? undefined : "an empty refusal"
    const isText = part.type === "output_text" && typeof part.text === "string"
    return isText && Array.isArray(part.annotations) && Array.isArray(part.logprobs)
      ? undefined
      : "a bad part"
  })
}

const terminals = new Set(["response.completed", "response.incomplete", "response.failed"])

/** The first event that stands where it may not. */
export const responsesStreamFault = (events: ReadonlyArray<Event>): string | undefined => {
  const told = events.filter(({ data }) => data.type !== "keepalive").map(({ data }) => data)
  const misnamed = events.find(({ data, event }) => data.type !== event)
  if (misnamed !== undefined) return `${misnamed.event} is named in ${JSON.stringify(misnamed.data)}`
  const types = told.map(({ type }) => String(type))
  if (types[0] !== "response.created" || types[1] !== "response.in_progress")
    return `begins ${types.join(", ")}`
  if (!terminals.has(types.at(-1)!) || types.slice(0, -1).some((type) => terminals.has(type)))
    return `ends ${types.slice(-3).join(", ")}`
  const gap = told.findIndex(({ sequence_number: number }, index) => number !== index)
  if (gap !== -1) return `number ${gap} is ${JSON.stringify(told[gap])}`
  const ids = new Set(told.flatMap(({ response }) => (isJsonObject(response) ? [response.id] : [])))
  if (ids.size !== 1) return "the response changes its id"
  const life = new ItemLife()
  const fault = firstOf(told.slice(2, -1), (event) => life.fault(event))
  if (fault !== undefined) return fault
  const last = told.at(-1)!.response as JsonObject
  if (last.status === "failed") return responseFault(last)
  if (life.isOpen) return "an item is never done"
  return responseFault(last) ?? difference(last.output, { $same: life.items })
}

/** The items one after the other, each with its parts and pieces. */
class ItemLife {
  readonly items: Array<Json> = []
  #item: JsonObject | undefined
  #part: JsonObject | undefined
  #joined = ""
  /** Of the open part. */
  #annotations: Array<Json> = []

  get isOpen(): boolean {
    return this.#item !== undefined
  }

  fault(event: JsonObject): string | undefined {
    const type = String(event.type)
    const problem = this.#read(type, event)
    return problem === undefined ? undefined : `${problem}: ${JSON.stringify(event)}`
  }

  #read(type: string, event: JsonObject): string | undefined {
    if (event.output_index !== this.items.length) return "another output index"
    if (type === "response.output_item.added") {
      if (this.#item !== undefined) return "an item within an item"
      this.#item = event.item as JsonObject
      this.#joined = ""
      return undefined
    }
    if (this.#item === undefined) return "outside of items"
    if (type === "response.output_item.done") return this.#end(event.item as JsonObject)
    if (event.item_id !== this.#item.id) return "of another item"
    if (type.endsWith("part.added")) {
      this.#part = event.part as JsonObject
      this.#joined = ""
      this.#annotations = []
      return undefined
    }
    if (type.endsWith("part.done")) return this.#endPart(event.part as JsonObject)
    return this.#readPiece(type, event)
  }

  #readPiece(type: string, event: JsonObject): string | undefined {
    const inPart = /output_text|refusal|reasoning_summary_text/.test(type)
    if (inPart && this.#part === undefined) return "outside of parts"
    if (type === "response.output_text.annotation.added")
      return this.#annotations.push(event.annotation!) - 1 === event.annotation_index
        ? undefined
        : "another annotation index"
    if (type.startsWith("response.output_text") && !Array.isArray(event.logprobs)) return "no logprobs"
    if (type.endsWith(".delta")) {
      if (event.delta === "") return "an empty delta"
      this.#joined += String(event.delta)
      return undefined
    }
    const whole = event.text ?? event.refusal ?? event.arguments ?? event.input
    return whole === this.#joined ? undefined : `the pieces are ${this.#joined}`
  }

  #endPart(part: JsonObject): string | undefined {
    const { type } = this.#part ?? {}
    this.#part = undefined
    if (part.type !== type || (part.text ?? part.refusal) !== this.#joined) return "another part"
    return difference(part.annotations ?? [], { $same: this.#annotations })
  }

  #end(item: JsonObject): string | undefined {
    const begun = this.#item!
    this.#item = undefined
    if (this.#part !== undefined) return "a part is not done"
    this.items.push(item)
    if (item.status === "in_progress") return "it is still in progress"
    const called = item.arguments ?? item.input
    if (called !== undefined && called !== this.#joined) return `its pieces are ${this.#joined}`
    return ["id", "type", "call_id", "name", "namespace"].some((name) => item[name] !== begun[name])
      ? "it has become another"
      : itemFault(item)
  }
}
