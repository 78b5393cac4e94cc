/**
 * Every request of the corpus, of the oracles where they are at hand, and of a list of odd ones is taken by each family's
 * provider after its conversion.
 */
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import type { TextEndpoint } from "../../src/domain/call.ts"
import type { JsonObject } from "../../src/formats/json/json.ts"
import { ownRequests } from "../fixtures/read-fixtures.ts"
import { readCorpus } from "../fuzz/corpus.ts"
import type { Way } from "../../src/formats/pairs.ts"
import { convertRequest } from "./convert-request.ts"
import { readCases } from "./oracle-case.ts"
import { calls, inputs } from "./legal/inputs.ts"
import { impossible, offers, schemas, settings } from "./legal/settings.ts"
import { providerRefusal } from "./provider-refusal.ts"
import { readCases as readResponsesCases } from "./responses/case.ts"

const families = [
  "claude-sonnet-4-6",
  "claude-fable-5",
  "svc/claude-sonnet-4-6",
  "svc/nova-2-lite",
  "gemini-3.1-pro-preview",
  "deepseek-v4-pro",
  "kimi-k2.6",
  "grok-4.3",
  "mistral-large-2512",
  "minimax-m3",
  "gpt-5.5"
]

const endpoints: Readonly<Record<string, TextEndpoint>> = {
  messages: "messages",
  chat: "chat_completions",
  responses: "responses"
}

const requests: Record<TextEndpoint, Array<JsonObject>> = {
  messages: [...readCorpus().requests.messages],
  chat_completions: [...readCorpus().requests.chat_completions],
  responses: [...readCorpus().requests.responses]
}
for (const { direction, input } of readCases()) {
  const endpoint = /^(messages|chat)->/.exec(direction)?.[1]
  if (endpoint !== undefined) requests[endpoints[endpoint]!].push(input as JsonObject)
}
for (const { client, steps } of readResponsesCases())
  for (const step of steps) {
    const endpoint = endpoints[step.client ?? client ?? "responses"]
    if (endpoint !== undefined && step.request !== undefined && !/"\$/.test(JSON.stringify(step.request)))
      requests[endpoint].push(step.request)
  }

const isKept = (endpoint: TextEndpoint, { protocol }: Way): boolean =>
  protocol === endpoint || (endpoint === "messages" && protocol === "invoke")

/** Fields of the documented requests that these models can not be asked for. */
const lacking: Readonly<Record<string, ReadonlyArray<string>>> = {
  "gpt-5.5": ["stop_sequences"]
}

/** Claude takes one of them alone; which of them its client could do without is not for us to say. */
const asksForBoth = ({ temperature, top_p: topP }: JsonObject): boolean =>
  temperature !== undefined && topP !== undefined

describe.each(families)("what reaches %s", (model) => {
  it.each(Object.keys(requests) as Array<TextEndpoint>)("from %s is taken by its provider", (endpoint) => {
    for (const request of requests[endpoint]) {
      const converted = convertRequest(endpoint, model, request)
      if (Result.isFailure(converted) || !converted.success.isWhole) continue
      // What goes up as its client said it is its client's business.
      if (isKept(endpoint, converted.success.way)) continue
      if (asksForBoth(request) && model.includes("claude")) continue
      const refusal = providerRefusal(converted.success)
      assert.isUndefined(refusal, `${JSON.stringify(request)}\n→ ${JSON.stringify(converted.success.body)}`)
    }
  })
})

describe.each(families)("a documented request for %s", (model) => {
  const converted = ownRequests().flatMap(({ endpoint, name, request }) => {
    const made = convertRequest(endpoint, model, request)
    const isRefused = Result.isFailure(made)
    if (!isRefused && isKept(endpoint, made.success.way)) return []
    return [{ name, refused: isRefused ? made.failure.field : undefined, made }]
  })

  it.each(converted)(
    "($name) is taken, or refused for what this model does not have",
    ({ made, refused }) => {
      if (refused !== undefined) return assert.include(lacking[model] ?? [], refused)
      const sent = Result.getOrThrow(made)
      assert.isUndefined(providerRefusal(sent), JSON.stringify(sent.body))
    }
  )
})

const taken = [...inputs, ...calls, ...offers, ...settings, ...schemas]

describe.each(families.filter((model) => model !== "gpt-5.5"))("a Responses request for %s", (model) => {
  it.each(taken)("that is $is is taken", ({ request }) => {
    const { body, ...sent } = Result.getOrThrow(convertRequest("responses", model, request))
    assert.isUndefined(providerRefusal({ body, ...sent }), JSON.stringify(body))
  })

  it.each(impossible)("for $is is refused by the name of its field", ({ refusedFor, request }) => {
    const converted = convertRequest("responses", model, request)
    assert.isTrue(Result.isFailure(converted))
    if (!Result.isFailure(converted)) return
    const { field, message } = converted.failure
    assert.strictEqual(field.slice(0, refusedFor!.length), refusedFor)
    assert.include(message, field)
  })
})
