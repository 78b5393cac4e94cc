/** The head of an answer, read strictly: what two readers could understand in two ways is refused (RFC 9112). */
import { nameCharacters, valueCharacters } from "./header-syntax.ts"

/** Names in small letters; what comes twice is joined with a comma. */
export type AnswerHeaders = Readonly<Record<string, string>>

/** What tells where the body ends: nothing to come, its length, its chunks, or the end of the connection. */
export type Framing = "none" | "length" | "chunked" | "close"

export interface AnswerHead {
  readonly status: number
  readonly headers: AnswerHeaders
  readonly framing: Framing
  /** Of the framing `length`; else 0. */
  readonly bodyBytes: number
  /** Another call may follow on the same connection. */
  readonly keepsAlive: boolean
}

/** More would only cost memory. */
const linesMax = 256

const statusLine = new RegExp(`^HTTP/1\\.([01]) ([1-9]\\d\\d)(?: [${valueCharacters}]*)?$`)
/** Every line is a name and its value. */
const headerLines = new RegExp(`^(?:[${nameCharacters}]+:[${valueCharacters}]*\\r\\n){0,${linesMax}}$`)
/** A value that goes on in the next line, as was allowed once: the break counts as a blank. */
const fold = /\r\n[\t ]+/g
/** Of these not every reader would take what stands behind a break for a part of the value. */
const foldedFraming = /^(?:content-length|transfer-encoding|connection):[^\r]*\r\n[\t ]/im

/** `text`: the head in Latin-1, up to and with the end of its last line. `undefined` where it is malformed. */
export const readHead = (text: string): AnswerHead | "encoded" | undefined => {
  const lineEnd = text.indexOf("\r\n")
  const [, minor, code] = statusLine.exec(text.slice(0, lineEnd)) ?? []
  if (code === undefined) return undefined
  const lines = unfolded(text.slice(lineEnd + 2))
  if (lines === undefined) return undefined
  const headers = readHeaders(lines)
  const status = Number(code)
  const bodyBytes = lengthOf(headers["content-length"])
  const framing = framingOf(status, minor === "1", bodyBytes, headers)
  if (framing === undefined || framing === "encoded") return framing
  return {
    status,
    headers,
    framing,
    bodyBytes: framing === "length" ? bodyBytes! : 0,
    keepsAlive:
      framing !== "close" &&
      !announcesMore(framing, bodyBytes, headers) &&
      staysOpen(minor === "1", headers["connection"])
  }
}

/** `lines` where all of them are sound. */
const unfolded = (lines: string): string | undefined => {
  if (headerLines.test(lines)) return lines
  if (foldedFraming.test(lines)) return undefined
  const whole = lines.replaceAll(fold, " ")
  return headerLines.test(whole) ? whole : undefined
}

/** Holds nothing that it was not given: a header may be called `__proto__` or `constructor`. */
const HeaderTable = function () {} as unknown as new () => Record<string, string>
HeaderTable.prototype = Object.create(null)

const readHeaders = (lines: string): AnswerHeaders => {
  const headers = new HeaderTable()
  for (let start = 0; start < lines.length;) {
    const colon = lines.indexOf(":", start)
    const end = lines.indexOf("\r\n", colon)
    const name = lines.slice(start, colon).toLowerCase()
    const value = trimmed(lines, colon + 1, end)
    const former = headers[name]
    headers[name] = former === undefined ? value : `${former}, ${value}`
    start = end + 2
  }
  return headers
}

/** Without blanks and tabs at both ends; `trim` would take more away than other readers do. */
const trimmed = (text: string, start: number, end: number): string => {
  while (start < end && isBlank(text.charCodeAt(start))) start++
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--
  return text.slice(start, end)
}
const isBlank = (code: number): boolean => code === 0x20 || code === 0x09

/**
 * RFC 9112, section 6.3; a length beside chunks may be an attempt to smuggle a second answer in. Encoded in another way than in chunks an
 * answer may come only to those who have asked for that by `te` (section 7.4), which we have not, and no provider is known to do it. undici
 * passes the compressed bytes on as if they were the answer; here it is refused, and counted by that name.
 */
const framingOf = (
  status: number,
  isNewest: boolean,
  length: number | undefined,
  { "content-length": toldLength, "transfer-encoding": encoding }: AnswerHeaders
): Framing | "encoded" | undefined => {
  if (encoding !== undefined) {
    if (toldLength !== undefined || !isNewest) return undefined
    const read = encodingOf(encoding)
    if (read !== "chunked") return read
  } else if (toldLength !== undefined && length === undefined) return undefined
  if (status < 200 || status === 204 || status === 304) return "none"
  if (encoding !== undefined) return "chunked"
  return length === undefined ? "close" : "length"
}

const listComma = /[\t ]*,[\t ]*/

/** Empty places count as none. */
const listItems = (list: string): ReadonlyArray<string> => list.split(listComma).filter((item) => item !== "")

/** `undefined` where it is told more than once, or not at all. */
const encodingOf = (told: string): "chunked" | "encoded" | undefined => {
  const small = told.toLowerCase()
  if (small === "chunked") return "chunked"
  const items = listItems(small)
  if (items.some((each) => each !== "chunked")) return "encoded"
  return items.length === 1 ? "chunked" : undefined
}

/** The same length told several times is one; `undefined` where there is none that can be understood. */
const lengthOf = (told: string | undefined): number | undefined => {
  if (told === undefined) return undefined
  const [length, ...others] = told.includes(",") ? told.split(listComma) : [told]
  if (!/^\d+$/.test(length!) || others.some((other) => other !== length)) return undefined
  return Number.isSafeInteger(Number(length)) ? Number(length) : undefined
}

/** A body where none may be: if it comes all the same, it would be taken for the next answer. */
const announcesMore = (framing: Framing, length: number | undefined, headers: AnswerHeaders): boolean =>
  framing === "none" && (headers["transfer-encoding"] !== undefined || (length ?? 0) > 0)

const staysOpen = (isNewest: boolean, connection: string | undefined): boolean => {
  if (connection === undefined) return isNewest
  const options = listItems(connection.toLowerCase())
  return !options.includes("close") && (isNewest || options.includes("keep-alive"))
}
