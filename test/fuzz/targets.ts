/** Everything that reads what comes from outside, and what must hold of it whatever comes. */
import assert from "node:assert"
import { prepareCall } from "../../src/compute/prepare-call.ts"
import { preparePlain } from "../../src/compute/prepare-plain.ts"
import { AnswerUnreadable, readAnswer } from "../../src/compute/read-answer.ts"
import { readModelName, Unprepared } from "../../src/compute/read-body.ts"
import type { Model } from "../../src/domain/catalogue.ts"
import { readUpstreamError } from "../../src/formats/errors/upstream-errors.ts"
import type { JsonObject } from "../../src/formats/json/json.ts"
import { scanMembers } from "../../src/formats/json/scan.ts"
import { splice } from "../../src/formats/json/splice.ts"
import { chatModel } from "../wire/models.ts"
import { renderStreamError } from "../wire/tell-error.ts"
import { capEdits } from "../../src/formats/output-cap.ts"
import { pairOf, type Way, wayTo } from "../../src/formats/pairs.ts"
import { framesOf } from "../wire/sse-frames.ts"
import type { StreamCodec } from "../../src/formats/stream/stream-codec.ts"
import { chunkFrame, eventFrame } from "../../src/simulator/bedrock/frames.ts"
import { countInputTokens } from "../../src/tokens/count-input-tokens.ts"
import { outputTokens, outputTokensBound } from "../../src/tokens/output-tokens.ts"
import { modelNamed } from "../catalogue.ts"
import { context } from "../formats/bedrock-fixtures.ts"
import { type Corpus, eventsOfFrames, type Wire } from "./corpus.ts"
import { cut, mutateBytes, mutateJson } from "./mutate.ts"
import { pieces } from "./pieces.ts"
import type { Random } from "../Random.ts"
import { limitsOf } from "../tokens/limits.ts"

/** Does one thing with something made by chance; throws when a promise is broken. */
export type Target = (random: Random, corpus: Corpus) => void

interface Called {
  readonly way: Way
  readonly model: Model
}

const called = (endpoint: Way["endpoint"], id: string): Called => {
  const model = modelNamed(id)
  return { way: wayTo(endpoint, model)!, model }
}

const calls: ReadonlyArray<Called> = [
  ...(["messages", "chat_completions"] as const).flatMap((endpoint) => [
    called(endpoint, "claude-sonnet-5"),
    called(endpoint, "claude-opus-4-6"),
    called(endpoint, "gpt-5.5"),
    called(endpoint, "deepseek-v4-pro"),
    called(endpoint, "svc/claude-sonnet-5"),
    called(endpoint, "svc/nova-pro"),
    called(endpoint, "svc/gpt-oss-120b")
  ]),
  called("responses", "gpt-5.5"),
  called("responses", "claude-sonnet-5"),
  called("responses", "deepseek-v4-pro"),
  called("responses", "svc/claude-sonnet-5"),
  called("responses", "svc/nova-pro"),
  ...(["messages", "chat_completions"] as const).map((endpoint) => ({
    way: { endpoint, protocol: "responses" } as const,
    model: modelNamed("gpt-5.5")
  }))
]

const bodyOf = (random: Random, seed: JsonObject, other: JsonObject): Buffer => {
  const changed = random.chance(0.7) ? mutateJson(random, seed) : seed
  let text: string
  try {
    text = JSON.stringify(changed)
  } catch {
    // Nested too deeply to be written recursively.
    text = `{"model":"gpt-5.5","messages":${"[".repeat(9000)}${"]".repeat(9000)}}`
  }
  const bytes = Buffer.from(text)
  return random.chance(0.3) ? mutateBytes(random, bytes, Buffer.from(JSON.stringify(other))) : bytes
}

const isCount = (value: number): boolean => Number.isSafeInteger(value) && value >= 0

/** A refusal is a sentence; anything else that is thrown is a bug. */
const unlessRefused = <A>(use: () => A): A | undefined => {
  try {
    return use()
  } catch (error) {
    if (!(error instanceof Unprepared)) throw error
    assert(error.message.length > 3)
    return undefined
  }
}

const requests: Target = (random, corpus) => {
  const { model, way } = random.pick(calls)
  const seeds = corpus.requests[way.endpoint]
  const body = bodyOf(random, random.pick(seeds), random.pick(seeds))
  const name = unlessRefused(() => readModelName(body))
  const betas = random.pick(["", "a,b", "interleaved-thinking-2025-05-14"])
  const files = new Map([
    ["http://127.0.0.1/", { bytes: Buffer.from([137, 80, 78, 71]), mediaType: "image/png" as const }]
  ])
  const prepared = unlessRefused(() => prepareCall({ way, model, body, anthropicBeta: betas, files }))
  if (prepared === undefined) return
  assert(isCount(prepared.inputBound) && isCount(prepared.inputGuess) && isCount(prepared.choices))
  // Messages clients may ask for nothing but a filled cache.
  const leastCap = way.endpoint === "messages" && maxTokensOf(prepared.bytes) === 0 ? 0 : 1
  assert(isCount(prepared.cap.tokens) && prepared.cap.tokens >= leastCap, `cap ${prepared.cap.tokens}`)
  for (const cap of [prepared.cap.tokens, 1, 17]) {
    const sent = splice(Buffer.from(prepared.bytes), capEdits(prepared.cap, cap))
    const upstream = JSON.parse(sent.toString()) as JsonObject
    // Without a model no call comes so far.
    if (way.endpoint === way.protocol && name !== undefined)
      assert.strictEqual(upstream["model"], model.upstream.model)
  }
}

const maxTokensOf = (body: Uint8Array) =>
  (JSON.parse(Buffer.from(body).toString()) as JsonObject)["max_tokens"]

const counts: Target = (random, corpus) => {
  const changed = mutateJson(random, random.pick(corpus.requests.messages))
  assert(isCount(countInputTokens(changed, random.pick(calls).model)))
}

const plainSeeds: ReadonlyArray<readonly [Parameters<typeof preparePlain>[0]["row"], JsonObject]> = [
  ["images_generations", { model: "m", prompt: "A house", n: 2, size: "1024x1024" }],
  [
    "images_edits",
    {
      model: "m",
      prompt: "A house",
      n: 2,
      image: "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAE=",
      user: "u"
    }
  ],
  ["images_edits", { model: "m", prompt: "A house", image_url: "http://127.0.0.1/a.png", mask: "x" }],
  ["audio_speech", { model: "m", input: "Hello", voice: "alloy", response_format: "mp3" }],
  [
    "count_tokens",
    { model: "m", messages: [{ role: "user", content: "Hello" }], max_tokens: 5, stream: true }
  ],
  ["input_tokens", { model: "m", messages: [{ role: "user", content: "Hello" }], system: "S", max_tokens: 5 }]
]

const plainModel = chatModel({ id: "the-model" })

const plain: Target = (random) => {
  const [row, seed] = random.pick(plainSeeds)
  const body = bodyOf(random, seed, random.pick(plainSeeds)[1])
  const prepared = unlessRefused(() => preparePlain({ row, body, model: plainModel }))
  if (prepared === undefined) return
  assert(isCount(prepared.images))
  if (prepared.contentType !== "application/json" || unlessRefused(() => readModelName(body)) === undefined)
    return
  assert.strictEqual((JSON.parse(Buffer.from(prepared.bytes).toString()) as JsonObject)["model"], "the-model")
}

const answers: Target = (random, corpus) => {
  const { model, way } = random.pick(calls)
  const seeds = corpus.answers[way.protocol]
  const bytes = bodyOf(random, random.pick(seeds), random.pick(seeds))
  try {
    const read = readAnswer({ way, model, bytes, context, limits: limitsOf(model) })
    assert(isCount(read.usage.inputTokens) && isCount(read.usage.outputTokens), JSON.stringify(read.usage))
    JSON.parse(Buffer.from(read.bytes).toString())
  } catch (error) {
    if (!(error instanceof AnswerUnreadable)) throw error
  }
}

/** The bytes of a stream with something wrong in an event, or in the bytes themselves. */
const brokenStream = (random: Random, corpus: Corpus, wire: Wire): Buffer => {
  const seeds = corpus.streams[wire]
  const seed = random.pick(seeds)
  const bytes = random.chance(0.7) ? withBrokenEvent(random, seed, wire) : seed
  return random.chance(0.5) ? mutateBytes(random, bytes, random.pick(seeds)) : bytes
}

const withBrokenEvent = (random: Random, seed: Buffer, wire: Wire): Buffer => {
  if (wire === "converse" || wire === "invoke") {
    const events = eventsOfFrames(seed)
    if (events.length === 0) return seed
    const at = random.below(events.length)
    return Buffer.concat(
      events.map(([type, event], index) => {
        if (index !== at) return eventFrame(type, JSON.stringify(event))
        if (wire === "converse") return eventFrame(type, writable(mutateJson(random, event)))
        const inner = Buffer.from(String(event["bytes"]), "base64").toString()
        try {
          return chunkFrame(writable(mutateJson(random, JSON.parse(inner) as JsonObject)))
        } catch {
          return chunkFrame(inner)
        }
      })
    )
  }
  const lines = seed.toString().split("\n")
  const places = lines.flatMap((line, index) => (line.startsWith("data: {") ? [index] : []))
  if (places.length === 0) return seed
  const at = random.pick(places)
  try {
    lines[at] = `data: ${writable(mutateJson(random, JSON.parse(lines[at]!.slice(6)) as JsonObject))}`
  } catch {
    return seed
  }
  if (random.chance(0.2)) lines.splice(random.pick(places), random.below(4))
  if (random.chance(0.2)) lines.splice(random.pick(places), 0, lines[random.pick(places)] ?? "", "")
  return Buffer.from(lines.join("\n"))
}

const writable = (event: JsonObject): string => {
  try {
    return JSON.stringify(event)
  } catch {
    return `{"type":"content_block_delta","delta":${"[".repeat(9000)}${"]".repeat(9000)}}`
  }
}

const run = (codec: StreamCodec, parts: ReadonlyArray<Buffer>, model: Model): string => {
  const given: Array<Buffer> = []
  for (const part of parts) {
    const bytes = codec.push(part)
    if (bytes !== undefined) given.push(Buffer.from(bytes))
    assert(isCount(outputTokens(codec.meter, model)) && isCount(outputTokensBound(codec.meter, model)))
    if (codec.failure !== undefined) break
  }
  const rest = codec.end()
  if (rest !== undefined) given.push(rest)
  assert(codec.finished !== (codec.failure !== undefined), "a stream ends well or badly")
  const { usage } = codec
  if (usage !== undefined)
    assert(isCount(usage.inputTokens) && isCount(usage.outputTokens), JSON.stringify(usage))
  // The second may change between two runs.
  const text = Buffer.concat([...given, codec.tail])
    .toString("latin1")
    .replace(/"completed_at":\d+/, "")
  return `${text}|${codec.finished}|${codec.failure?.type}|${JSON.stringify(usage)}`
}

const streams: Target = (random, corpus) => {
  const { model, way } = random.pick(calls)
  const bytes = brokenStream(random, corpus, way.protocol)
  const includeUsage = random.chance(0.5)
  const make = () => pairOf(way).stream({ ...context, includeUsage })
  const [one, other] = [run(make(), [bytes], model), run(make(), cut(random, bytes), model)]
  assert.strictEqual(other, one, "the cuts of a stream change nothing")
}

const errors: Target = (random, corpus) => {
  const bytes = bodyOf(
    random,
    { error: { type: "t", message: "m", code: 5, param: "p" }, message: "x" },
    random.pick(corpus.answers.messages)
  )
  const error = readUpstreamError(random.pick([400, 401, 404, 413, 422, 429, 500, 529]), bytes)
  assert(error.status >= 400 && error.status < 600 && typeof error.message === "string")
  const frame = renderStreamError(random.pick(["messages", "chat", "responses"]), {
    type: "api_error",
    message: error.message,
    requestId: "r"
  })
  for (const { data } of framesOf(frame)) JSON.parse(data)
}

const members: Target = (random, corpus) => {
  const bytes = bodyOf(
    random,
    random.pick(corpus.requests.chat_completions),
    random.pick(corpus.requests.messages)
  )
  const found = scanMembers(bytes)
  let parsed: unknown
  try {
    parsed = JSON.parse(bytes.toString())
  } catch {
    return
  }
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed))
    return assert.strictEqual(found, undefined)
  if (!isValidUtf8(bytes)) return
  assert.deepStrictEqual(new Set(found!.map(({ name }) => name)), new Set(Object.keys(parsed)))
}

const isValidUtf8 = (bytes: Buffer): boolean => Buffer.from(bytes.toString()).equals(bytes)

export const targets: Readonly<Record<string, Target>> = {
  requests,
  plain,
  answers,
  streams,
  pieces,
  counts,
  errors,
  members
}
