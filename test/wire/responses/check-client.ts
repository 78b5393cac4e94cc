/** What a case says of the answer that the client got. */
import { assert } from "@effect/vitest"
import { isJsonObject, type Json, type JsonObject, objectsOf } from "../../../src/formats/json/json.ts"
import type { Answered, ErrorBody } from "../../gateway/ask.ts"
import { messagesStreamDifference } from "../oracle-match.ts"
import type { ClientProtocol } from "./case.ts"
import { responseFault, responsesStreamFault } from "./legal-responses.ts"
import { asText, difference, isShape, listOf } from "./match.ts"
import { type ClientAnswer, type Event, readClient } from "./read-client.ts"

export interface Told {
  readonly protocol: ClientProtocol
  /** Made by conversion, and so of our own making in every point. */
  readonly converted: boolean
}

/** Gives what the client has in the end, for the steps that follow. */
export const checkClient = (answered: Answered, expected: JsonObject, told: Told): JsonObject | undefined => {
  const { headers, status, text } = answered
  const same = (name: string, problem: string | undefined) =>
    assert.isUndefined(problem, `client ${name}: ${problem}\n${text.slice(0, 6_000)}`)
  same(
    "has",
    listOf(expected.has).find((one) => !text.includes(one))
  )
  same(
    "never",
    listOf(expected.never).find((one) => text.includes(one))
  )
  for (const [name, value] of Object.entries((expected.headers as JsonObject | undefined) ?? {}))
    same(`header ${name}`, difference(headers.get(name), value))
  if (isJsonObject(expected.error)) {
    same("error", errorDifference(answered, expected.error, told.protocol))
    return undefined
  }
  same("status", difference(status, expected.status ?? 200))
  if (status !== 200) return undefined
  const answer = readClient(told.protocol, headers.get("content-type") ?? "", text)
  if (told.converted) same("stream", legality(answer, told.protocol))
  same("error in the stream", streamErrorDifference(answer, expected.error_event))
  for (const name of ["response", "message", "chat", "body"])
    if (expected[name] !== undefined) same(name, difference(answer.final, expected[name]))
  if (expected.output !== undefined) same("output", difference(answer.final?.output, expected.output))
  if (expected.sum !== undefined) same("sum", difference(sumOf(answer.final!), expected.sum))
  if (expected.terminal !== undefined)
    same("terminal", difference(answer.events.at(-1)?.data.type, expected.terminal))
  same("events", eventsDifference(answer.events, (expected.events as ReadonlyArray<Json> | undefined) ?? []))
  return answer.final
}

const errorDifference = (answered: Answered, expected: JsonObject, protocol: ClientProtocol) => {
  const body = JSON.parse(answered.text) as ErrorBody
  const { type, ...rest } = expected
  const isOpenai = protocol === "responses" || protocol === "chat"
  const types = Array.isArray(type) ? { $in: type as ReadonlyArray<Json> } : (type ?? { $any: true })
  const unmentioned = listOf(rest.mentions).find((word) => !body.error.message.includes(word))
  if (unmentioned !== undefined) return `it does not mention ${unmentioned}`
  return (
    difference(answered.status, rest.status ?? 400) ??
    difference(body.error.param, rest.param ?? { $in: [null, { $any: true }] }) ??
    difference(body, {
      type: "error",
      error: { type: types, message: { $any: true } },
      request_id: answered.headers.get("request-id") ?? ""
    }) ??
    (isOpenai && (body.error.param === undefined || body.error.code === undefined)
      ? "param and code are not there"
      : undefined)
  )
}

const streamErrorDifference = (answer: ClientAnswer, expected: Json | undefined) => {
  if (expected !== undefined) return difference(answer.error, expected)
  return answer.error === undefined ? undefined : JSON.stringify(answer.error)
}

const legality = (answer: ClientAnswer, protocol: ClientProtocol): string | undefined => {
  const { done, error, events, final, streamed } = answer
  if (protocol === "responses") return streamed ? responsesStreamFault(events) : responseFault(final!)
  if (!streamed || error !== undefined) return undefined
  if (protocol === "messages") return messagesStreamDifference(events.map(({ data }) => data))
  return done ? undefined : "it does not end in [DONE]"
}

const sumOf = (response: JsonObject): JsonObject => {
  const output = objectsOf(response.output)
  const usage = isJsonObject(response.usage) ? response.usage : {}
  const detail = (name: string, member: string): Json => {
    const details = usage[name]
    return isJsonObject(details) ? (details[member] ?? null) : null
  }
  const texts = (type: string, member: string) =>
    output
      .filter((item) => item.type === type)
      .flatMap((item) => objectsOf(item[member]))
      .map(({ text }) => (typeof text === "string" ? text : ""))
      .join("")
  return {
    text: texts("message", "content"),
    reasoning: texts("reasoning", "summary"),
    kinds: output.map(({ type }) => type ?? null),
    tools: output
      .filter(({ call_id: id }) => id !== undefined)
      .map((call) => ({
        id: call.call_id ?? null,
        name: call.name ?? null,
        args:
          call.type === "function_call" ? (JSON.parse(asText(call.arguments)) as Json) : (call.input ?? null)
      })),
    usage: {
      input: usage.input_tokens ?? null,
      output: usage.output_tokens ?? null,
      cached: detail("input_tokens_details", "cached_tokens"),
      reasoning: detail("output_tokens_details", "reasoning_tokens")
    }
  }
}

/** The expected events stand among the others in this order. */
const eventsDifference = (
  events: ReadonlyArray<Event>,
  expected: ReadonlyArray<Json>
): string | undefined => {
  let at = 0
  for (const one of expected) {
    if (isShape(one) && Array.isArray(one["$count"])) {
      const [type, count] = one["$count"] as [string, number]
      const seen = events.filter(({ data }) => data.type === type).length
      if (seen !== count) return `${seen} events of ${type}, expected ${count}`
      continue
    }
    const found = events.findIndex(({ data }, place) => place >= at && difference(data, one) === undefined)
    if (found === -1)
      return `${JSON.stringify(one)} is not among what follows ${JSON.stringify(events[at - 1])}`
    at = found + 1
  }
  return undefined
}
