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

const statusLine = new RegExp(`^HTTP/1\\.([01]) ([1-9]\\d\\d)(?: [${valueCharacters}]*)?$`)
/** Every line is a name and its value; neither is continued in the next. */
const headerLines = new RegExp(`^(?:[${nameCharacters}]+:[${valueCharacters}]*\\r\\n)*$`)

/** `text`: the head in Latin-1, up to and with the end of its last line. `undefined` where it is malformed. */
export const readHead = (text: string): AnswerHead | undefined => {
  const lineEnd = text.indexOf("\r\n")
  const [, minor, code] = statusLine.exec(text.slice(0, lineEnd)) ?? []
  const lines = text.slice(lineEnd + 2)
  if (code === undefined || !headerLines.test(lines)) return undefined
  const headers = readHeaders(lines)
  const status = Number(code)
  const framing = framingOf(status, minor === "1", headers)
  if (framing === undefined) return undefined
  return {
    status,
    headers,
    framing,
    bodyBytes: framing === "length" ? Number(headers["content-length"]) : 0,
    keepsAlive:
      framing !== "close" &&
      !announcesMore(framing, headers) &&
      staysOpen(minor === "1", headers["connection"])
  }
}

const readHeaders = (lines: string): AnswerHeaders => {
  const headers: Record<string, string> = {}
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

/** RFC 9112, section 6.3; a length beside chunks, or two lengths, may be an attempt to smuggle a second answer in. */
const framingOf = (status: number, isNewest: boolean, headers: AnswerHeaders): Framing | undefined => {
  const { "content-length": length, "transfer-encoding": encoding } = headers
  if (encoding !== undefined) {
    if (length !== undefined || !isNewest || encoding.toLowerCase() !== "chunked") return undefined
  } else if (length !== undefined && !isLength(length)) return undefined
  if (status < 200 || status === 204 || status === 304) return "none"
  if (encoding !== undefined) return "chunked"
  return length === undefined ? "close" : "length"
}

/** A body where none may be: if it comes all the same, it would be taken for the next answer. */
const announcesMore = (framing: Framing, headers: AnswerHeaders): boolean =>
  framing === "none" &&
  (headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0)

const isLength = (text: string): boolean => /^\d+$/.test(text) && Number.isSafeInteger(Number(text))

const staysOpen = (isNewest: boolean, connection: string | undefined): boolean => {
  if (connection === undefined) return isNewest
  const options = connection.toLowerCase().split(/[\t ]*,[\t ]*/)
  return !options.includes("close") && (isNewest || options.includes("keep-alive"))
}
