/** Bodies and streams with something wrong in them: of the right form almost everywhere, which reaches deepest. */
import { isJsonObject, type Json, type JsonObject } from "../../src/formats/json/json.ts"
import type { Random } from "../Random.ts"

/** Pieces that parsers trip over. */
const pieces: ReadonlyArray<Buffer> = [
  ...'{}[]",:\\'.split(""),
  "null",
  "true",
  "-0",
  "1e999",
  "-1",
  "0.1",
  "9007199254740993",
  "\\u0000",
  "\\ud800",
  "\\udc00\\ud800",
  "\u2028",
  "\r",
  "\n",
  "\r\n",
  "\n\n",
  "data: ",
  "event: ",
  "id: ",
  ": ",
  "[DONE]",
  "\ufeff",
  "😀",
  "ệ",
  "{}",
  "[]",
  '"__proto__":',
  '"constructor":',
  '"toString":',
  '"type":',
  '"index":',
  '"usage":',
  '"error":',
  '"content":',
  "data: [DONE]\n\n",
  "data: {}\n\n",
  "data: null\n\n",
  "data: \n\n",
  "event: error\n",
  "[".repeat(600),
  "]".repeat(600),
  '{"a":'.repeat(600)
]
  .map((text) => Buffer.from(text))
  .concat([
    Buffer.from([0xff]),
    Buffer.from([0xc3]),
    Buffer.from([0, 0, 0, 0]),
    Buffer.from([0xed, 0xa0, 0x80])
  ])

export const mutateBytes = (random: Random, bytes: Buffer, other: Buffer): Buffer => {
  let changed = bytes
  for (let count = 1 + random.below(4); count > 0; count--) changed = mutateOnce(random, changed, other)
  return changed
}

const mutateOnce = (random: Random, bytes: Buffer, other: Buffer): Buffer => {
  const at = random.below(bytes.length + 1)
  const length = random.below(random.pick([2, 8, 64, 1024]))
  const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)]
  switch (random.below(7)) {
    case 0: {
      const flipped = Buffer.from(bytes)
      if (bytes.length > 0) flipped[random.below(bytes.length)] = random.below(256)
      return flipped
    }
    case 1:
      return Buffer.concat([before, after.subarray(length)])
    case 2:
      return Buffer.concat([before, random.pick(pieces), after])
    case 3:
      return Buffer.concat([before, after.subarray(0, length), after])
    case 4:
      return Buffer.concat([
        before,
        other.subarray(random.below(other.length + 1)).subarray(0, length),
        after
      ])
    case 5:
      return random.chance(0.3)
        ? before
        : Buffer.concat([before, random.pick(pieces), after.subarray(length)])
    default:
      return Buffer.concat([before, other.subarray(random.below(other.length + 1))])
  }
}

const deep = (levels: number): Json => JSON.parse("[".repeat(levels) + "]".repeat(levels)) as Json
const junk: ReadonlyArray<Json> = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e308,
  -1e308,
  2 ** 53,
  "",
  "x",
  "\u0000",
  "\ud800",
  "😀".repeat(50),
  "__proto__",
  [],
  {},
  [[]],
  [null],
  [{}],
  { type: "text" },
  { type: "image" },
  { type: "tool_use" },
  { type: "tool_result" },
  { url: "http://127.0.0.1/" },
  { id: "x" },
  "data:image/png;base64,AAAA",
  "auto",
  "none",
  "user",
  "assistant",
  "system",
  "a".repeat(5000),
  deep(100),
  deep(600),
  deep(9000)
]

/** A copy with a few places holding something else, missing, doubled, or taken from elsewhere in it. */
export const mutateJson = (random: Random, value: JsonObject): JsonObject => {
  const nodes = nodesOf(value)
  let changed: Json = value
  for (let count = 1 + random.below(3); count > 0; count--) {
    const replacement = random.chance(0.3) ? random.pick(nodes) : random.pick(junk)
    changed = replaceAt(random, changed, replacement, 0)
  }
  return isJsonObject(changed) ? changed : value
}

const nodesOf = (value: Json): ReadonlyArray<Json> => {
  const found: Array<Json> = []
  const visit = (node: Json, depth: number): void => {
    if (found.length > 500 || depth > 30) return
    found.push(node)
    if (typeof node === "object" && node !== null)
      for (const child of Object.values(node)) visit(child ?? null, depth + 1)
  }
  visit(value, 0)
  return found
}

const replaceAt = (random: Random, value: Json, replacement: Json, depth: number): Json => {
  if (depth > 0 && (typeof value !== "object" || value === null || depth > 30 || random.chance(0.15)))
    return replacement
  if (Array.isArray(value)) {
    const list = value as ReadonlyArray<Json>
    if (list.length === 0) return [replacement]
    const at = random.below(list.length)
    const kind = random.below(8)
    if (kind === 0) return list.toSpliced(at, 1)
    if (kind === 1) return list.toSpliced(at, 0, list[random.below(list.length)]!)
    return list.with(at, replaceAt(random, list[at]!, replacement, depth + 1))
  }
  if (!isJsonObject(value)) return replacement
  const keys = Object.keys(value)
  if (keys.length === 0) return { [random.pick(["type", "id", "text", "__proto__x"])]: replacement }
  const key = random.pick(keys)
  if (random.below(10) === 0) {
    const { [key]: _, ...rest } = value
    return rest
  }
  return { ...value, [key]: replaceAt(random, value[key] ?? null, replacement, depth + 1) }
}

/** The bytes in pieces of any size. */
export const cut = (random: Random, bytes: Buffer): ReadonlyArray<Buffer> => {
  const most = random.pick([1, 3, 50, 1000, 100_000])
  const parts: Array<Buffer> = []
  for (let at = 0; at < bytes.length;) {
    const end = at + 1 + random.below(most)
    // Copies, as a network's buffers are.
    parts.push(Buffer.from(bytes.subarray(at, end)))
    at = end
  }
  return parts
}
