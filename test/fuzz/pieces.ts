/** Pieces that go through a conversion as they stand come out as if their events had been read in full. */
import assert from "node:assert"
import type { JsonObject } from "../../src/formats/json/json.ts"
import type { Pair } from "../../src/formats/Pair.ts"
import { pairs } from "../../src/formats/pairs.ts"
import type { StreamCodec } from "../../src/formats/stream/stream-codec.ts"
import { chunkFrame, eventFrame } from "../../src/simulator/bedrock/frames.ts"
import { context } from "../formats/bedrock-fixtures.ts"
import type { Random } from "../Random.ts"
import { framesOf } from "../wire/sse-frames.ts"
import { kinds, streamOf, type Wire } from "../wire/stream-shapes.ts"
import { eventsOfFrames } from "./corpus.ts"
import { cut } from "./mutate.ts"

const rows = Object.entries(pairs).flatMap(([endpoint, row]) =>
  Object.entries(row as Readonly<Record<string, Pair>>).flatMap(([protocol, pair]) =>
    protocol === endpoint ? [] : [{ endpoint, protocol: protocol as Wire, pair }]
  )
)

const odd = [
  "\n",
  "\t",
  '"',
  "\\",
  "/",
  "é",
  "ễ",
  "日本",
  "😀",
  "\ud83d",
  "\ude00",
  "\u0000",
  "\u007f",
  "\u2028"
]
const plain = ["a", " word", "{", "}", '{"a":1}', '"}', "data: x", "@", "", "x".repeat(600), "\\u0041", "</"]

/** A text as some JSON writer writes it: all of them escape other characters. */
const written = (random: Random): string => {
  const text = Array.from({ length: 1 + random.below(3) }, () =>
    random.pick(random.chance(0.5) ? odd : plain)
  )
  const json = JSON.stringify(text.join("")).slice(1, -1)
  if (!random.chance(0.3)) return json
  return json
    .replaceAll("/", "\\/")
    .replaceAll(/[\u0080-\uffff]|x/g, (unit) =>
      Array.from(
        { length: unit.length },
        (_, index) => `\\u${unit.charCodeAt(index).toString(16).padStart(4, "0")}`
      ).join("")
    )
}

const said =
  /"(text|content|thinking|reasoning_content|arguments|partial_json|delta|input)":"(?:[^"\\]|\\.)*"/g

/** What may differ from event to event. */
const changed = (random: Random, json: string): string => {
  const piece = written(random)
  const put = json.replace(said, (_, name: string) => `"${name}":"${piece}"`)
  if (random.chance(0.9)) return put
  return put.replace(
    /"(index|output_index|summary_index|created|sequence_number)":\d+/,
    (_, name: string) => `"${name}":${random.pick(["0", "1", "2", "17", "1766084435", "90071992547409931"])}`
  )
}

/** The events of a stream as JSON, and how each is framed. */
interface Event {
  readonly json: string
  readonly frame: (json: string) => Buffer
}

const eventsOf = (wire: Wire, frame: Buffer): Event => {
  if (wire === "converse" || wire === "invoke") {
    const [type, { p: _, ...event }] = eventsOfFrames(frame)[0]!
    if (wire === "converse")
      return { json: JSON.stringify(event), frame: (json) => Buffer.from(eventFrame(type, json)) }
    const json = Buffer.from(String((event as JsonObject)["bytes"]), "base64").toString()
    return { json, frame: (inner) => Buffer.from(chunkFrame(inner)) }
  }
  const text = frame.toString()
  const at = text.indexOf("data: ") + 6
  const end = text.indexOf("\n", at)
  return {
    json: text.slice(at, end),
    frame: (json) => Buffer.from(text.slice(0, at) + json + text.slice(end))
  }
}

/** Some servers write the members of an event by their names, behind the type. */
const inOrder = (json: string): string => {
  const { type, ...event } = JSON.parse(json) as JsonObject
  const members = Object.entries(event).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return JSON.stringify({ type, ...Object.fromEntries(members) })
}

/** White space before the event makes it one that is read in full. */
const inFull = (json: string): string => ` ${json}`

const run = (codec: StreamCodec, parts: ReadonlyArray<Buffer>): string => {
  let text = ""
  for (const part of parts) text += codec.push(part)?.toString() ?? ""
  text += codec.end()?.toString() ?? ""
  return text + codec.tail.toString()
}

/** The events as they are meant, however their strings are written. */
const meantBy = (text: string): ReadonlyArray<unknown> =>
  framesOf(text).map(({ data }) => (data === "[DONE]" ? data : (JSON.parse(data) as unknown)))

export const pieces = (random: Random): void => {
  const { pair, protocol } = random.pick(rows)
  const frames = kinds.flatMap((_, turn) => {
    const stream = streamOf(protocol, random.pick(kinds), 2 + random.below(6))
    return turn === 0 ? stream : stream.slice(random.below(3))
  })
  const isOrdered = protocol === "responses" && random.chance(0.4)
  const events = frames.flatMap((frame) => {
    const { frame: framed, json } = eventsOf(protocol, frame)
    if (random.chance(0.05)) return []
    if (!json.startsWith("{")) return [{ json, frame: framed }]
    return [{ json: changed(random, isOrdered ? inOrder(json) : json), frame: framed }]
  })
  const asked = { ...context, includeUsage: random.chance(0.5), givesFunctions: random.chance(0.1) }
  const [quick, full] = [pair.stream(asked), pair.stream(asked)]
  const text = run(quick, cut(random, Buffer.concat(events.map(({ frame, json }) => frame(json)))))
  const expected = run(
    full,
    events.map(({ frame, json }) => frame(inFull(json)))
  )
  assert.deepStrictEqual(withoutTime(meantBy(text)), withoutTime(meantBy(expected)))
  assert.deepStrictEqual({ ...quick.meter }, { ...full.meter })
  assert.deepStrictEqual(quick.particulars, full.particulars)
  assert.deepStrictEqual(
    [quick.failure, quick.finished, quick.usage, quick.usageIsFinal, quick.contentSeen],
    [full.failure, full.finished, full.usage, full.usageIsFinal, full.contentSeen]
  )
}

const withoutTime = (events: ReadonlyArray<unknown>): unknown =>
  JSON.parse(JSON.stringify(events, (name, value: unknown) => (name === "completed_at" ? null : value)))
