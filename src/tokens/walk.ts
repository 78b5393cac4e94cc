/** The walk over the parsed body of one request, and what it has found. */
import { isJsonObject, type Json } from "../formats/json/json.ts"
import { wordLengthMax } from "./member-kinds.ts"
import { noParts, type Part, type RequestParts } from "./request-parts.ts"

type Reader = (node: Json) => void

// The walk keeps its own stack: nesting has no limit but the body's size. It never waits, so one stack serves all.
const nodes: Array<Json> = []
const readers: Array<Reader> = []

export let parts: RequestParts
/** Is told every text. */
export let tell: (text: string, part: Part) => void

/** `start` reads the first nodes, or has them read `later`. */
export const walk = (onText: (text: string, part: Part) => void, start: () => void): RequestParts => {
  nodes.length = 0
  readers.length = 0
  tell = onText
  parts = noParts()
  start()
  while (nodes.length > 0) readers.pop()!(nodes.pop()!)
  return parts
}

export const later = (node: Json | undefined, reader: Reader): void => {
  if (node === undefined || node === null) return
  nodes.push(node)
  readers.push(reader)
}

/** JSON that the model reads as JSON: its keys count too. */
const readData =
  (part: Part): Reader =>
  (node) => {
    if (typeof node === "string") {
      parts.punctuation[part]++
      tell(node, part)
    } else if (Array.isArray(node)) {
      parts.punctuation[part]++
      for (const item of node) later(item, dataReaders[part])
    } else if (isJsonObject(node)) {
      parts.punctuation[part]++
      for (const key in node) {
        parts.punctuation[part]++
        tell(key, part)
        later(node[key], dataReaders[part])
      }
    } else if (typeof node === "number") tell(String(node), part)
    else parts.punctuation[part]++
  }

const dataReaders: Readonly<Record<Part, Reader>> = {
  prompt: readData("prompt"),
  tools: readData("tools"),
  schema: readData("schema"),
  unknown: readData("unknown")
}
export const readPromptData: Reader = dataReaders.prompt
export const readToolData: Reader = dataReaders.tools
export const readSchemaData: Reader = dataReaders.schema
export const readUnknown: Reader = dataReaders.unknown

/** What is set by a number or a word, which says nothing to read while it is no longer than those are. */
export const readSetting: Reader = (node) => {
  const isWord = typeof node === "string" && node.length <= wordLengthMax
  if (!isWord && typeof node !== "number" && typeof node !== "boolean") readUnknown(node)
}
