/**
 * Takes the text out of `{"input": "…"}` while it streams, as it stands there: with its escapes, ready for another JSON
 * string. Arguments of any other form are passed on as their own JSON text.
 */
import { escaped, plainOf } from "../stream/pieces.ts"

/** An escape that JSON knows, or one of a pair's first half with what follows it. */
const escape = /^\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/
const firstHalf = /^\\u[dD][89abAB][0-9a-fA-F]{2}/
/** What may still become one. */
const begunEscape = /^\\(?:u[0-9a-fA-F]{0,3})?$/
const begunPair = /^\\u[dD][89abAB][0-9a-fA-F]{2}(?:\\(?:u[0-9a-fA-F]{0,3})?)?$/
// eslint-disable-next-line no-control-regex
const special = /["\\\u0000-\u001f]/

export class CustomInputReader {
  #mode: "head" | "text" | "raw" | "behind" = "head"
  /** What has come and can not be told yet. */
  #held = ""

  /** What of the input has become known, without the quotes around it. */
  push(piece: string): string {
    this.#held += piece
    if (this.#mode === "head") this.#readHead()
    switch (this.#mode) {
      case "raw":
        return escaped(this.#take())
      case "text":
        return this.#readText()
      case "behind":
        this.#held = ""
        return ""
      default:
        return ""
    }
  }

  /** Nothing more will come. What was cut in its middle is left out. */
  end(): string {
    if (this.#mode !== "head" || mayBegin(this.#held) || /^\s*\{\s*\}\s*$/.test(this.#held)) return ""
    return escaped(this.#take())
  }

  #take(): string {
    const held = this.#held
    this.#held = ""
    return held
  }

  #readHead(): void {
    const begun = /^\s*\{\s*"input"\s*:\s*"/.exec(this.#held)
    if (begun !== null) {
      this.#mode = "text"
      this.#held = this.#held.slice(begun[0].length)
    } else if (!mayBegin(this.#held) && !/^\s*\{\s*\}\s*$/.test(this.#held)) this.#mode = "raw"
  }

  /** Half a character at the end waits for its other half. */
  #whole(text: string): string {
    const isHalf = (text.charCodeAt(text.length - 1) & 0xfc00) === 0xd800
    if (isHalf) this.#held = text.slice(-1)
    return isHalf ? text.slice(0, -1) : text
  }

  #readText(): string {
    const text = this.#take()
    let told = ""
    let at = 0
    for (;;) {
      const found = text.slice(at).search(special)
      if (found === -1) return told + this.#whole(text.slice(at))
      told += text.slice(at, at + found)
      at += found
      const rest = text.slice(at, at + 12)
      if (rest[0] === '"') {
        this.#mode = "behind"
        return told
      }
      if (begunEscape.test(text.slice(at)) || begunPair.test(text.slice(at))) {
        this.#held = text.slice(at)
        return told
      }
      const read = readSpecial(rest)
      told += read.told
      at += read.length
    }
  }
}

/** The text that a custom tool is called with, of arguments that are whole. */
export const customInputOf = (json: string): string => {
  const reader = new CustomInputReader()
  return plainOf(reader.push(json) + reader.end())
}

/** What models write that is no JSON stands for itself. */
const readSpecial = (rest: string): { readonly told: string; readonly length: number } => {
  const half = firstHalf.exec(rest)?.[0]
  const other =
    half === undefined ? undefined : /^\\u[dD][c-fC-F][0-9a-fA-F]{2}/.exec(rest.slice(half.length))?.[0]
  if (half !== undefined && other !== undefined)
    return { told: half + other, length: half.length + other.length }
  if (/^\\u[dD][89a-fA-F][0-9a-fA-F]{2}/.test(rest)) return { told: "\ufffd", length: 6 }
  const known = escape.exec(rest)?.[0]
  if (known !== undefined) return { told: known, length: known.length }
  return { told: escaped(rest[0]!), length: 1 }
}

const opening = '{"input":"'

const mayBegin = (head: string): boolean =>
  opening.startsWith(head.replace(/\s+/g, "")) && head.length < 10_000
