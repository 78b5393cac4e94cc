/** Reads `multipart/form-data` (RFC 7578) in one pass, as the official SDKs send pictures. Nothing is copied. */
import { isUtf8 } from "node:buffer"
import type { Member } from "../json/scan.ts"

export interface FormFile {
  readonly name: string
  readonly bytes: Uint8Array
}

export interface Form {
  /** Texts, where they stand in the form. */
  readonly fields: ReadonlyArray<Member>
  readonly files: ReadonlyArray<FormFile>
}

/** Far more than an edit of sixteen pictures has. */
const partsMax = 100
const headLengthMax = 4 * 1024
/** RFC 2046, §5.1.1. */
const boundaryLengthMax = 70

/** No JSON begins like one. */
export const isForm = (bytes: Buffer): boolean => boundaryOf(bytes) !== undefined

/** Or what is wrong with it. */
export const readForm = (bytes: Buffer): Form | string => {
  const delimiter = Buffer.from(`\r\n--${boundaryOf(bytes) ?? ""}`)
  const fields: Array<Member> = []
  const files: Array<FormFile> = []
  // The first delimiter may stand without the line end before it.
  let at = delimiter.length - (bytes[0] === carriageReturn ? 0 : 2)
  while (!isLast(bytes, at)) {
    if (fields.length + files.length === partsMax) return `it has more than ${partsMax} parts`
    const head = readHead(bytes, at)
    if (typeof head === "string") return head
    const end = delimiterFrom(bytes, delimiter, head.end)
    if (end === -1) return "it ends in the middle of a part"
    const value = bytes.subarray(head.end, end)
    if (head.isFile) files.push({ name: head.name, bytes: value })
    else if (!isUtf8(value)) return `its part ${head.name} is not valid UTF-8`
    else fields.push({ name: head.name, nameStart: at, nameEnd: at, valueStart: head.end, valueEnd: end })
    at = end + delimiter.length
  }
  return { fields, files }
}

const carriageReturn = 13

const boundaryOf = (bytes: Buffer): string | undefined => {
  const start = bytes.subarray(0, boundaryLengthMax + 6).toString("latin1")
  return /^(?:\r\n)?--([\w'()+,./:=? -]{1,70}?)(?:--)?[ \t]*\r\n/.exec(start)?.[1]
}

/** The delimiter may be the beginning of a longer line of a part. */
const delimiterFrom = (bytes: Buffer, delimiter: Buffer, from: number): number => {
  let found = bytes.indexOf(delimiter, from)
  while (found !== -1) {
    const behind = found + delimiter.length
    if (isLast(bytes, behind) || /^[ \t]*\r\n/.test(bytes.toString("latin1", behind, behind + 100))) break
    found = bytes.indexOf(delimiter, behind)
  }
  return found
}

/** The delimiter that ends the form has two more dashes. */
const isLast = (bytes: Buffer, at: number): boolean => bytes.toString("latin1", at, at + 2) === "--"

interface Head {
  readonly name: string
  readonly isFile: boolean
  readonly end: number
}

/** A file may come without a name (RFC 7578, §4.2), as OpenAI's SDK for Java sends what is no file on the disk. */
const bytesType = /^content-type\s*:\s*(?:image\/|application\/octet-stream\b)/i

const readHead = (bytes: Buffer, at: number): Head | string => {
  const close = bytes.indexOf("\r\n\r\n", at)
  if (close === -1 || close - at > headLengthMax) return "the head of a part does not end"
  const lines = bytes.toString("utf8", at, close).split("\r\n")
  const disposition = lines.find((line) => /^content-disposition\s*:\s*form-data\b/i.test(line))
  const name = disposition === undefined ? undefined : parameterOf(disposition, "name")
  if (disposition === undefined || name === undefined) return "a part of it has no name"
  if (lines.some((line) => /^content-transfer-encoding\s*:\s*(?!binary|[78]bit)/i.test(line)))
    return `its part ${name} is encoded for transfer`
  const isFile = /;\s*filename\*?\s*=/i.test(disposition) || lines.some((line) => bytesType.test(line))
  return { name, isFile, end: close + 4 }
}

/** Browsers write quotes and line ends as the form's standard has them, others with a backslash. */
const parameterOf = (disposition: string, name: string): string | undefined => {
  const [, quoted, bare] =
    new RegExp(`;\\s*${name}\\s*=\\s*(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s;"]+))`, "i").exec(disposition) ?? []
  return (
    bare ??
    quoted
      ?.replaceAll(/\\(.)/g, "$1")
      .replaceAll("%22", '"')
      .replaceAll(/%0d/gi, "\r")
      .replaceAll(/%0a/gi, "\n")
  )
}
