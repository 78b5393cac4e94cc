/** JSON whose whole numbers are written again as they were read, also those that a double can not hold, as many ids are. */
import { randomUUID } from "node:crypto"
import type { Json } from "./json.ts"

/** What is not exact any more has so many at least. */
const digitsMin = 16
/** The beginning of a string, or a number of so many digits. One that stands for a name stays what it is, a fault. */
const quoteOrNumber = /"|(?<![\w.+-])-?[1-9]\d{15,}(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.+-]|\s*:)/g

/** Begins the string that stands for a number while its text is parsed. Nobody outside knows it, so no other string does. */
const mark = randomUUID()

/** The engine has it; the language's types do not. */
const { rawJSON, isRawJSON } = JSON as unknown as {
  rawJSON(text: string): Json
  isRawJSON(value: Json): boolean
}

/** Whether the value is a number although it looks like an object. */
export const isLongNumber = (value: Json): boolean => isRawJSON(value)

/**
 * As `JSON.parse`, but that such a number becomes an object which `JSON.stringify` writes as that number. A reviver would
 * do it too, and take ten times as long where there are very many values.
 */
export const parseExactJson = (text: string): Json =>
  holdsLongNumber(text) ? restored(JSON.parse(withMarks(text)) as Json) : (JSON.parse(text) as Json)

/** Whether so many digits stand together anywhere: one of them then stands at a multiple of their number. */
const holdsLongNumber = (text: string): boolean => {
  for (let at = digitsMin - 1; at < text.length; at += digitsMin) {
    if (!isDigit(text, at)) continue
    let first = at
    while (isDigit(text, first - 1)) first--
    let end = at + 1
    while (isDigit(text, end)) end++
    if (end - first >= digitsMin) return true
  }
  return false
}

const isDigit = (text: string, at: number): boolean => {
  const unit = text.charCodeAt(at)
  return unit >= 48 && unit <= 57
}

/** The text with every long number outside its strings as a string of its own. */
const withMarks = (text: string): string => {
  let marked = ""
  let copied = 0
  quoteOrNumber.lastIndex = 0
  for (let match = quoteOrNumber.exec(text); match !== null; match = quoteOrNumber.exec(text)) {
    const [found] = match
    if (found === '"') {
      quoteOrNumber.lastIndex = endOfString(text, match.index)
      continue
    }
    marked += `${text.slice(copied, match.index)}"${mark}${found}"`
    copied = match.index + found.length
  }
  return marked + text.slice(copied)
}

const endOfString = (text: string, start: number): number => {
  for (let close = text.indexOf('"', start + 1); close !== -1; close = text.indexOf('"', close + 1)) {
    let escapes = 0
    while (text[close - 1 - escapes] === "\\") escapes++
    if (escapes % 2 === 0) return close + 1
  }
  return text.length
}

/** The value with its numbers back in place. Without recursion, which could overflow the stack. */
const restored = (parsed: Json): Json => {
  const root: Container = { parsed }
  const open: Array<Container> = [root]
  const restore = (node: Container, key: string | number): void => {
    const value = node[key]
    if (typeof value === "string") {
      if (value.startsWith(mark)) node[key] = exact(value.slice(mark.length))
    } else if (typeof value === "object" && value !== null) open.push(value as Container)
  }
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (!Array.isArray(node)) for (const name of Object.keys(node)) restore(node, name)
    else for (let index = 0; index < node.length; index++) restore(node, index)
  }
  return root.parsed!
}

/** An object or an array. */
type Container = Record<string | number, Json>

const exact = (source: string): Json => {
  const value = Number(source)
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? rawJSON(source) : value
}
