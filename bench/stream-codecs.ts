/**
 * What one event of a stream costs its codec, for every row of the table of pairs, without sockets:
 * `node bench/stream-codecs.ts [other checkout] [rounds] [part of a name]`. With another checkout both are measured by turns. A
 * stream is cut as TCP would: an event in each piece, as a model writes, or 16 KiB at once, as a reader that lags behind sees.
 */
import { join, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import type { ConversionContext } from "../src/formats/convert/conversion.ts"
import type { StreamCodec } from "../src/formats/stream/stream-codec.ts"
import { kinds, streamOf, type Wire } from "../test/wire/stream-shapes.ts"
import { median } from "./measure/statistics.ts"

type Pairs = Readonly<
  Record<string, Readonly<Record<string, { stream(context: ConversionContext): StreamCodec }>>>
>

const [other, rounds = "21", only = ""] = process.argv.slice(2)
const events = 400
const batchBytes = 16 * 1024

const context: ConversionContext = {
  includeUsage: true,
  givesFunctions: false,
  oneCall: false,
  thinking: "shown",
  tellsRefusals: true,
  keepsArguments: false,
  keepsCitations: false,
  onlyStop: null,
  echo: "",
  modelId: "the-model",
  family: "openai",
  callId: "req_00000000000000000000000000",
  now: 1_780_000_000,
  toolNames: new Map(),
  inputEstimate: 100,
  choices: 1
}

const loadPairs = async (checkout: string): Promise<Pairs> =>
  ((await import(pathToFileURL(join(resolve(checkout), "src/formats/pairs.ts")).href)) as { pairs: Pairs })
    .pairs

const inBatches = (frames: ReadonlyArray<Buffer>): ReadonlyArray<Buffer> => {
  const bytes = Buffer.concat(frames)
  const count = Math.ceil(bytes.length / batchBytes)
  return Array.from({ length: count }, (_, at) => bytes.subarray(at * batchBytes, (at + 1) * batchBytes))
}

/** Nanoseconds of CPU time for each event. */
const measure = (make: () => StreamCodec, pieces: ReadonlyArray<Buffer>, streams: number): number => {
  const from = process.cpuUsage()
  for (let stream = 0; stream < streams; stream++) {
    const codec = make()
    for (const piece of pieces) codec.push(piece)
    codec.end()
    if (codec.failure !== undefined || codec.tail === undefined) throw new Error(codec.failure?.message)
  }
  const used = process.cpuUsage(from)
  return ((used.user + used.system) * 1000) / (streams * events)
}

const sides = await Promise.all((other === undefined ? ["."] : [other, "."]).map(loadPairs))
const shown = (figures: ReadonlyArray<number>) =>
  figures.map((nanos) => String(Math.round(nanos)).padStart(7)).join(" →")

const unchanged = new Map<string, ReadonlyArray<number>>()
console.log("ns of CPU per event; × what passing the same events on costs (Bedrock: those of Messages)")
for (const cut of ["an event in each piece", "16 KiB at once"] as const) {
  for (const kind of kinds) {
    console.log(`\n${kind}, ${cut}`)
    const rows = Object.entries(sides[0]!).flatMap(([endpoint, row]) =>
      Object.keys(row).map((protocol) => ({ endpoint, protocol }))
    )
    // Who is compared with comes first.
    const ordered = rows.toSorted(
      (one, two) => Number(two.endpoint === two.protocol) - Number(one.endpoint === one.protocol)
    )
    for (const { endpoint, protocol } of ordered) {
      const name = `${endpoint} ← ${protocol}`
      if (endpoint !== protocol && !name.includes(only)) continue
      const frames = streamOf(protocol as Wire, kind, events)
      const pieces = cut === "16 KiB at once" ? inBatches(frames) : frames
      const makers = sides.map((pairs) => () => pairs[endpoint]![protocol]!.stream(context))
      for (const make of makers) measure(make, pieces, 60)
      const samples = makers.map(() => [] as Array<number>)
      for (let round = 0; round < Number(rounds); round++)
        for (const [side, make] of makers.entries()) samples[side]!.push(measure(make, pieces, 25))
      const figures = samples.map(median)
      if (endpoint === protocol) unchanged.set(protocol, figures)
      const base = unchanged.get(protocol) ?? unchanged.get("messages")!
      const ratios = figures.map((figure, side) => (figure / base[side]!).toFixed(1)).join(" → ")
      console.log(`${name.padEnd(40)}${shown(figures)}    ${endpoint === protocol ? "" : `${ratios} ×`}`)
    }
  }
}
