/** A stream that is converted may be as long as it likes: what it takes of memory is the text that its end tells again. */
import { assert, describe, it } from "@effect/vitest"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { pairs } from "../../../src/formats/pairs.ts"
import type { Pair } from "../../../src/formats/Pair.ts"
import type { StreamCodec } from "../../../src/formats/stream/stream-codec.ts"
import { contextFor } from "../../wire/models.ts"
import { type Kind, kinds, streamOf, type Wire } from "../../wire/stream-shapes.ts"

setFlagsFromString("--expose-gc")
const collectGarbage = runInNewContext("gc") as () => void

const memoryInUse = (): number => {
  collectGarbage()
  collectGarbage()
  const { external, heapUsed } = process.memoryUsage()
  return heapUsed + external
}

const events = 50_000
const eventsAtOnce = 200
/** Beside the text itself, of some five bytes an event: a fifth of what an object for each event would take. */
const growthMax = 1_000_000

const rows = Object.entries(pairs).flatMap(([endpoint, row]) =>
  Object.entries(row as Readonly<Record<string, Pair>>)
    .filter(([protocol]) => protocol !== endpoint)
    .map(([protocol, pair]) => ({ name: `${endpoint} ← ${protocol}`, protocol: protocol as Wire, pair }))
)

/** Opens a stream and gives what sends so many more of its events. */
const begin = (pair: Pair, protocol: Wire, kind: Kind) => {
  const frames = streamOf(protocol, kind, 2 * eventsAtOnce)
  const codec: StreamCodec = pair.stream(contextFor())
  const begun = 20
  for (const frame of frames.slice(0, begun)) codec.push(frame)
  const middle = Buffer.concat(frames.slice(begun, begun + eventsAtOnce))
  const send = (count: number) => {
    for (let sent = 0; sent < count; sent += eventsAtOnce) codec.push(middle)
  }
  return { codec, send }
}

describe("a converted stream of fifty thousand events", { timeout: 60_000 }, () => {
  it.each(rows)("takes no memory for each: $name", ({ pair, protocol }) => {
    // What the engine learns of the code is not the stream's.
    for (const kind of kinds) begin(pair, protocol, kind).send(2_000)
    const { codec, send } = begin(pair, protocol, "text")
    send(events / 5)
    const before = memoryInUse()
    send((events / 5) * 4)
    const growth = memoryInUse() - before
    assert.isUndefined(codec.failure)
    assert.isAtLeast(codec.meter.events, events)
    assert.isBelow(growth, growthMax)
  })

  it.each(rows)("nor for thoughts and what tools are called with: $name", ({ pair, protocol }) => {
    for (const kind of kinds) begin(pair, protocol, kind).send(2_000)
    const streams = [begin(pair, protocol, "thinking"), begin(pair, protocol, "input")]
    for (const { send } of streams) send(2_000)
    const before = memoryInUse()
    for (const { send } of streams) send(events / 5)
    const growth = memoryInUse() - before
    for (const { codec } of streams) assert.isUndefined(codec.failure)
    assert.isBelow(growth, growthMax)
  })
})
