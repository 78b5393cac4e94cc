/** Whatever text of a request goes up to a provider is held for, wherever it stands. */
import { assert, describe, it } from "@effect/vitest"
import { prepareCall, type Prepared } from "../../../src/compute/prepare-call.ts"
import { Unprepared } from "../../../src/compute/read-body.ts"
import type { TextEndpoint } from "../../../src/domain/call.ts"
import { isJsonObject, type Json, type JsonObject } from "../../../src/formats/json/json.ts"
import { exactTextTokens } from "../../../src/tokens/count-input-tokens.ts"
import { wayTo } from "../../../src/formats/pairs.ts"
import { seeds } from "../../Random.ts"
import { modelNamed } from "../../catalogue.ts"
import { makers, models } from "./makers.ts"
import { type Place, placesIn } from "./places.ts"
import { rareRequests } from "./rare-requests.ts"
import { fetched, Words } from "./Words.ts"

/** What providers do not bill as a prompt. */
const unbilled: Readonly<Record<string, string>> = {
  model: "names what is called, and is written anew",
  metadata: "is kept with the answer: 16 names and values at OpenAI, a user's id at Anthropic",
  client_metadata: "is kept with the answer",
  user: "tells callers apart where somebody abuses the service",
  safety_identifier: "is the newer name for that, of 64 characters at most",
  prompt_cache_key: "finds a cache",
  stop: "is compared with the answer",
  stop_sequences: "are compared with the answer",
  logit_bias: "is a number for each token"
}

/** Bytes of a picture or a sound, which are no text however they read, and addresses where things are looked for. */
const isMedia = (path: ReadonlyArray<string>): boolean => {
  const isIn = (names: ReadonlySet<string>) => path.some((name) => names.has(name))
  const [holder, name] = path.filter((each) => each !== "").slice(-2)
  const isOf = (names: ReadonlySet<string>) => names.has(name!) || names.has(holder!)
  return (isIn(pictures) && isOf(bytes)) || ((isIn(pictures) || isIn(files)) && isOf(addresses))
}
const pictures = new Set([
  "image",
  "image_url",
  "input_image",
  "computer_screenshot",
  "computer_call_output",
  "video_url",
  "input_audio"
])
const files = new Set(["file", "input_file", "document", "document_url"])
const bytes = new Set(["data", "file_data", "input_audio"])
const addresses = new Set(["url", "image_url", "video_url", "document_url", "file_url", "video"])

const isHeldFor = ({ path }: Place): boolean => unbilled[path[0]!] === undefined && !isMedia(path)

const word = "elephant"
/** 40,000 characters. */
const long = Array.from({ length: 4_444 }, () => word).join(" ")

/** `undefined` where it is refused. */
const prepared = (endpoint: TextEndpoint, id: string, request: JsonObject): Prepared | undefined => {
  // No window may hide what is held for.
  const model = { ...modelNamed(id), contextWindow: 1_000_000_000 }
  const body = Buffer.from(JSON.stringify({ ...request, model: id }))
  try {
    return prepareCall({ way: wayTo(endpoint, model)!, model, body, anthropicBeta: "", files: fetched })
  } catch (error) {
    if (!(error instanceof Unprepared)) throw error
    return undefined
  }
}

const wordsIn = (text: string): number => text.split(word).length - 1

/** Documents of text are told as bytes. */
const wordsInBytes = (value: Json | undefined): number => {
  if (typeof value === "string")
    return /^[A-Za-z0-9+/]{1000,}=*$/.test(value) ? wordsIn(Buffer.from(value, "base64").toString()) : 0
  const values = isJsonObject(value) ? Object.values(value) : Array.isArray(value) ? value : []
  return (values as ReadonlyArray<Json>).reduce((sum: number, each) => sum + wordsInBytes(each), 0)
}

const wordsUp = ({ bytes }: Prepared): number => {
  const body = Buffer.from(bytes).toString()
  return wordsIn(body) || wordsInBytes(JSON.parse(body) as Json)
}

/** How many of its words went up; throws where less is held for. */
const check = (endpoint: TextEndpoint, model: string, place: Place): number => {
  const asked = prepared(endpoint, model, place.holding(long))
  const up = asked === undefined ? 0 : wordsUp(asked) - 1
  const short = up < 1 ? undefined : prepared(endpoint, model, place.holding(word))
  if (asked === undefined || short === undefined) return 0
  const held = asked.inputBound - short.inputBound
  assert(
    held >= up,
    `${up} words at ${place.path.join(".")} go up to ${model}, and ${held} tokens are held for`
  )
  return up
}

/** What is there to read, but for labels and bytes. */
const tokensIn = (value: Json | undefined, name = ""): number => {
  if (typeof value === "string") return labels.has(name) ? 0 : exactTextTokens(value)
  if (Array.isArray(value))
    return (value as ReadonlyArray<Json>).reduce((sum: number, each) => sum + tokensIn(each, name), 0)
  return isJsonObject(value)
    ? Object.entries(value).reduce((sum, [each, member]) => sum + tokensIn(member, each), 0)
    : 0
}
const labels = new Set([
  ..."type role id tool_use_id tool_call_id call_id toolUseId model status signature encrypted_content".split(
    " "
  ),
  ..."media_type format bytes data file_data url image_url".split(" ")
])

/** Each of its conversation's messages, and each block of those, many times. */
const repeated = (request: JsonObject): ReadonlyArray<JsonObject> => {
  const name = request["messages"] === undefined ? "input" : "messages"
  const list = (request[name] ?? []) as ReadonlyArray<JsonObject>
  if (!Array.isArray(list)) return []
  const many = (all: ReadonlyArray<Json>, index: number): ReadonlyArray<Json> =>
    all.toSpliced(index, 1, ...Array.from({ length: 100 }, () => all[index]!))
  return list.flatMap((message, index) => {
    const content = Array.isArray(message["content"]) ? (message["content"] as ReadonlyArray<Json>) : []
    const within = content.map((_, place) => list.with(index, { ...message, content: many(content, place) }))
    return [many(list, index), ...within].map((changed) => Object.assign({}, request, { [name]: changed }))
  })
}

/** Throws where a conversion writes more around what it is given than is held for. */
const checkRepeated = (endpoint: TextEndpoint, model: string, request: JsonObject): void => {
  const once = prepared(endpoint, model, request)
  if (once === undefined || once.way.protocol === endpoint) return
  const tokensUp = ({ bytes }: Prepared) => tokensIn(JSON.parse(Buffer.from(bytes).toString()) as Json)
  for (const changed of repeated(request)) {
    const often = prepared(endpoint, model, changed)
    if (often === undefined) continue
    const up = tokensUp(often) - tokensUp(once)
    const held = often.inputBound - once.inputBound
    assert(held >= up, `${up} more tokens go up to ${model}, and ${held} are held for`)
  }
}

describe.each(Object.keys(makers) as ReadonlyArray<TextEndpoint>)("a text of a %s request", (endpoint) => {
  it("is held for wherever it stands, be it where no protocol has one", () => {
    let told = 0
    for (const [at, request] of rareRequests[endpoint].entries())
      for (const [index, place] of placesIn(request).entries())
        if (isHeldFor(place) && check(endpoint, models[(at + index) % models.length]!, place) > 0) told++
    assert.isAtLeast(told, 100)
  })

  it.each(seeds(25))("is held for where chance puts it, by seed %i", (seed) => {
    const words = new Words(seed)
    const places = placesIn(makers[endpoint](words)).filter(isHeldFor)
    for (let left = 12; left > 0; left--) check(endpoint, words.pick(models), words.pick(places))
  })

  it.each(seeds(8))("is held for with what a conversion writes around it, by seed %i", (seed) => {
    for (const model of models) checkRepeated(endpoint, model, makers[endpoint](new Words(seed)))
  })
})
