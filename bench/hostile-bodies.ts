/**
 * How long can a body hold up an event loop, and how long a codec worker? For bodies of many shapes, each as large as the
 * bounds of src/compute/bounds.ts allow in the one place and in the other, on every way that a body can take:
 * `node bench/hostile-bodies.ts [shape]`. CPU time of the thread, the least of three rounds.
 */
import { readFileSync } from "node:fs"
import { bodyBounds, inPlaceBounds } from "../src/compute/bounds.ts"
import { inPlaceBytesMax } from "../src/compute/share-bytes.ts"
import { type CodecTask, runCodecTask, runCodecTaskInPlace } from "../src/compute/codec-tasks.ts"
import type { TextEndpoint } from "../src/domain/call.ts"
import { Catalogue } from "../src/domain/catalogue.ts"
import { wayTo } from "../src/formats/pairs.ts"
import { scanWithin } from "../src/formats/json/scan.ts"

const catalogue = new Catalogue(JSON.parse(readFileSync("src/domain/catalogue.json", "utf8")))
const only = process.argv[2] ?? ""

/** A body of `count` pieces, made by the place of each. */
type Shape = (endpoint: TextEndpoint, count: number) => string

const list = (count: number, piece: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => piece(index)).join(",")

const body = (endpoint: TextEndpoint, content: string, more = ""): string =>
  `{"model":"m","max_tokens":9,"${endpoint === "responses" ? "input" : "messages"}":[${content}]${more}}`
const said = (content: string): string => `{"role":"user","content":${content}}`
const hello = said('"Hello"')

/** Pieces beside the messages, under a name that nobody reads. */
const beside =
  (piece: (index: number) => string, [open, close] = ["[", "]"]): Shape =>
  (endpoint, count) =>
    body(endpoint, hello, `,"metadata":{"a":${open}${list(count, piece)}${close}}`)
const blocks =
  (piece: (index: number) => string): Shape =>
  (endpoint, count) =>
    body(endpoint, said(`[${list(count, piece)}]`))
const text =
  (piece: string): Shape =>
  (endpoint, count) =>
    body(endpoint, said(`"${piece.repeat(count)}"`))
const tool = (endpoint: TextEndpoint, name: string, schema: string): string =>
  endpoint === "chat_completions"
    ? `{"type":"function","function":{"name":${JSON.stringify(name)},"parameters":${schema}}}`
    : `{"name":${JSON.stringify(name)},"input_schema":${schema}}`
const tools =
  (name: (index: number) => string): Shape =>
  (endpoint, count) =>
    body(
      endpoint,
      hello,
      `,"tools":[${list(count, (index) => tool(endpoint, name(index), '{"type":"object"}'))}]`
    )
const schema =
  (property: string): Shape =>
  (endpoint, count) =>
    body(
      endpoint,
      hello,
      `,"tools":[${tool(endpoint, "a", `{"properties":{${list(count, (index) => `"p${index}":${property}`)}}}`)}]`
    )
const nested = `${'{"properties":{"a":'.repeat(100)}{}${"}}".repeat(100)}`
const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk"

const shapes: Readonly<Record<string, Shape>> = {
  "{} as content": blocks(() => "{}"),
  "{} beside": beside(() => "{}"),
  "keys, each another": beside((index) => `"k${index.toString(36)}":0`, ["{", "}"]),
  "objects, each another": beside((index) => `{"k${index.toString(36)}":0}`),
  "long numbers": beside(() => "12345678901234567890"),
  "500 levels": beside(() => `${"[".repeat(500)}${"]".repeat(500)}`),
  members: (endpoint, count) =>
    body(
      endpoint,
      hello,
      `,${list(Math.min(count, bodyBounds.members - 3), (index) => `"\\u0061${index}":0`)}`
    ),
  "tiny messages": (endpoint, count) =>
    body(
      endpoint,
      list(count, (index) => `{"role":"${index % 2 ? "assistant" : "user"}","content":"a"}`)
    ),
  "tiny blocks": blocks(() => '{"type":"text","text":"a"}'),
  "cache marks": blocks(() => '{"type":"text","text":"a","cache_control":{"type":"ephemeral"}}'),
  "images, small": blocks(
    () => `{"type":"image","source":{"type":"base64","media_type":"image/png","data":"${png}"}}`
  ),
  "images by address": blocks(
    (index) => `{"type":"image_url","image_url":{"url":"https://a.example/${index}"}}`
  ),
  tools: tools((index) => `t${index}`),
  "tools with odd names": tools((index) => `t ${index % 9_000}.`),
  "wide schema": schema("{}"),
  "deep schema": schema(nested),
  "escaped nul": text("\\u0000"),
  "escaped quotes": text('\\"'),
  "half characters": text("\\ud800"),
  "one text": text("a"),
  "one text in Chinese": text("漢")
}

const ways = [
  ["messages", "claude-sonnet-5"],
  ["messages", "gpt-5.5"],
  ["messages", "svc/claude-sonnet-5"],
  ["messages", "svc/nova-pro"],
  ["chat_completions", "gpt-5.5"],
  ["chat_completions", "claude-sonnet-5"],
  ["chat_completions", "svc/nova-pro"]
] as const

/** The largest body of a shape that is within the bounds. */
const largest = (
  shape: Shape,
  endpoint: TextEndpoint,
  bytesMax: number,
  bounds: typeof bodyBounds
): Buffer => {
  const make = (count: number) => Buffer.from(shape(endpoint, count))
  const fits = (bytes: Buffer) => bytes.length < bytesMax && Array.isArray(scanWithin(bytes, bounds))
  let fitting = make(1)
  let [low, high] = [1, Math.ceil(bytesMax / Math.max(1, make(100).length - fitting.length)) * 100]
  while (high - low > low / 50 + 1) {
    const middle = Math.floor((low + high) / 2)
    const bytes = make(middle)
    if (fits(bytes)) [low, fitting] = [middle, bytes]
    else high = middle
  }
  return fitting
}

const cpuMs = (): number => {
  const { system, user } = process.cpuUsage()
  return (user + system) / 1_000
}

/** Both tasks of a call. */
const measure = (
  bytes: Buffer,
  [endpoint, name]: (typeof ways)[number],
  run: typeof runCodecTask
): number => {
  const model = catalogue.get(name)!
  const task: CodecTask = {
    _tag: "Prepare",
    task: { way: wayTo(endpoint, model)!, model, body: bytes, anthropicBeta: "" }
  }
  const rounds = Array.from({ length: 3 }, () => {
    const before = cpuMs()
    run({ _tag: "ReadModel", task: { body: bytes } })
    run(task)
    return cpuMs() - before
  })
  return Math.min(...rounds)
}

const places = [
  ["in place", inPlaceBytesMax, inPlaceBounds, runCodecTaskInPlace as typeof runCodecTask],
  ["on a codec worker", 20 * 1024 * 1024, bodyBounds, runCodecTask]
] as const

for (const [place, bytesMax, bounds, run] of places) {
  console.log(`\n${place}, ms`.padEnd(32), ...ways.map((way) => way.join(" ").slice(0, 22).padStart(23)))
  for (const [name, shape] of Object.entries(shapes)) {
    if (!name.includes(only)) continue
    const measured = ways.map((way) => measure(largest(shape, way[0], bytesMax, bounds), way, run))
    console.log(name.padEnd(31), ...measured.map((ms) => ms.toFixed(1).padStart(23)))
  }
}
