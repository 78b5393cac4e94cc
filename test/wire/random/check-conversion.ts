/** What must hold of any request that the official clients' types allow, on its way to a model that speaks otherwise. */
import assert from "node:assert"
import { prepareCall, type Prepared } from "../../../src/compute/prepare-call.ts"
import { Unprepared } from "../../../src/compute/read-body.ts"
import type { TextEndpoint } from "../../../src/domain/call.ts"
import { isJsonObject, type Json, type JsonObject } from "../../../src/formats/json/json.ts"
import { splice } from "../../../src/formats/json/splice.ts"
import { capEdits } from "../../../src/formats/output-cap.ts"
import { pairOf, wayTo } from "../../../src/formats/pairs.ts"
import { measureInput } from "../../../src/tokens/measure-input.ts"
import { modelNamed } from "../../catalogue.ts"
import { providerRefusal, type Sent } from "../provider-refusal.ts"
import { fetched, type Words } from "./Words.ts"

export interface MadeCall {
  readonly endpoint: TextEndpoint
  readonly model: string
  readonly request: JsonObject
}

/** What became of a request; throws when a promise is broken. */
export const checkConversion = (call: MadeCall, words: Words): "converted" | "refused" | "unchanged" => {
  const converted = convert(call)
  if (converted === undefined) return "refused"
  const { prepared, sent } = converted
  if (isUnchanged(call.endpoint, prepared)) return "unchanged"
  assert.strictEqual(providerRefusal(sent), undefined)
  checkWords(words, call.request, sent)
  checkHold(prepared, sent, call.model)
  return "converted"
}

const noHeaders = { anthropicVersion: "", anthropicBeta: "", codexResponsesLite: "" }

/** `undefined` where it is refused, which names a field that the caller can find. */
const convert = ({ endpoint, model: id, request }: MadeCall) => {
  const model = modelNamed(id)
  const body = Buffer.from(JSON.stringify({ ...request, model: id }))
  const way = wayTo(endpoint, model)!
  let prepared: Prepared
  try {
    prepared = prepareCall({ way, model, body, anthropicBeta: "", files: fetched })
  } catch (error) {
    if (!(error instanceof Unprepared)) throw error
    assert(error.message.startsWith(`${error.field}: `), error.message)
    assert(standsIn(request, error.field!), error.message)
    return undefined
  }
  const address = pairOf(prepared.way).address({ stream: prepared.stream, query: "", ...noHeaders })
  const isKeyed = address._tag === "Keyed"
  const bytes = splice(Buffer.from(prepared.bytes), capEdits(prepared.cap, prepared.cap.tokens))
  const sent: Sent = {
    path: isKeyed ? address.path : `/model/${model.upstream.model}/${address.operation}`,
    headers: isKeyed ? { ...address.headers, authorization: "Bearer k" } : {},
    body: JSON.parse(bytes.toString()) as JsonObject
  }
  return { prepared, sent }
}

const isUnchanged = (endpoint: TextEndpoint, { way }: Prepared): boolean =>
  way.protocol === endpoint || (endpoint === "messages" && way.protocol === "invoke")

/** All of the field's names, but for a last one that is missing. */
const standsIn = (request: JsonObject, field: string): boolean => {
  const names = field.split(".")
  let value: Json | undefined = request
  for (const [place, name] of names.entries()) {
    value = Array.isArray(value)
      ? (value as ReadonlyArray<Json>)[Number(name)]
      : isJsonObject(value)
        ? value[name]
        : undefined
    if (value === undefined) return place > 0 && place === names.length - 1
  }
  return true
}

const word = /w\d+w/g

const wordsIn = (value: Json | undefined): ReadonlyArray<string> => {
  if (typeof value === "string") return value.match(word) ?? wordsOfDocument(value)
  if (Array.isArray(value)) return (value as ReadonlyArray<Json>).flatMap(wordsIn)
  return isJsonObject(value) ? Object.values(value).flatMap(wordsIn) : []
}

/** Documents of text are told as bytes. */
const wordsOfDocument = (data: string): ReadonlyArray<string> =>
  /^[A-Za-z0-9+/]{4,}=*$/.test(data) ? (Buffer.from(data, "base64").toString("utf8").match(word) ?? []) : []

/** Every text goes up, and those of the conversation in its order. */
const checkWords = (words: Words, request: JsonObject, { body }: Sent): void => {
  const all = new Set(wordsIn(body))
  const lost = wordsIn(request).filter((told) => !all.has(told))
  assert.deepStrictEqual(lost, [])
  const turnOf = new Map(words.told.map(({ turn, word: told }) => [told, turn]))
  const turns = wordsIn(body["messages"] ?? body["input"]).map((told) => turnOf.get(told)!)
  const inOrder = turns.toSorted((left, right) => left - right)
  assert.deepStrictEqual(turns, inOrder)
}

/** At least the best guess of what goes up is held for; it can not be guessed of Converse's words. */
const checkHold = ({ inputBound, way }: Prepared, { body }: Sent, model: string): void => {
  if (way.protocol === "converse") return
  const { guess } = measureInput(body, modelNamed(model))
  assert(inputBound >= guess, `${inputBound} tokens are held for, and ${guess} go up`)
}
