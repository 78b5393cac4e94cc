/** Images and documents in a Messages request for an upstream that takes bytes only: one by URL must have been fetched before. */
import { refuse, refuseType, stringAt } from "../json/fields.ts"
import { fileForms, type FileKind, fileMediaType, headLength } from "./file-type.ts"
import { base64Start } from "./media-type.ts"
import { isJsonObject, type Json, type JsonObject } from "../json/json.ts"

/** Where a file lies, and what its block says that it is. */
export interface FileAddress {
  readonly kind: FileKind
  readonly url: string
  /** How often it stands in a request, where that is more than once. */
  readonly times?: number
}

/** Files that were fetched, by their URLs. */
export type FetchedFiles = ReadonlyMap<string, { readonly bytes: Uint8Array; readonly mediaType: string }>

/** What an upstream does not fetch itself. */
export type FileKinds = ReadonlySet<FileKind>

export const everyFile: FileKinds = new Set(["image", "document"])

/** In the place of a file that is yet to be fetched, where a request is converted to be checked and measured. */
const standIns = {
  image: { bytes: new Uint8Array(), mediaType: "image/png" },
  document: { bytes: new Uint8Array(), mediaType: "application/pdf" }
}

/** The http(s) addresses of all files of these kinds in the request, tool results included. */
export const fileAddresses = (request: JsonObject, kinds = everyFile): ReadonlyArray<FileAddress> => {
  const addresses = new Map<string, FileAddress>()
  for (const { kind, source } of filesByUrl(request, kinds)) {
    const { url } = source
    if (typeof url !== "string" || !/^https?:/i.test(url)) continue
    const key = `${kind} ${url}`
    const before = addresses.get(key)
    addresses.set(key, before === undefined ? { kind, url } : { kind, url, times: (before.times ?? 1) + 1 })
  }
  return [...addresses.values()]
}

/** Whether any file of these kinds is given by a URL of any kind, so that the request can not go up as it is. */
export const hasFilesByUrl = (request: JsonObject, kinds = everyFile): boolean =>
  filesByUrl(request, kinds).length > 0

/** What is not at hand is converted with another file in its place, so that all else can be checked. */
export const filesAtHand = (request: JsonObject, fetched: FetchedFiles = new Map(), kinds = everyFile) => {
  const missing = fileAddresses(request, kinds).filter(({ url }) => !fetched.has(url))
  if (missing.length === 0) return { files: fetched, missing }
  return {
    files: new Map([...fetched, ...missing.map(({ kind, url }) => [url, standIns[kind]] as const)]),
    missing
  }
}

/** The file as base64 and its type. */
export const fileData = (
  kind: FileKind,
  source: JsonObject,
  field: string,
  files: FetchedFiles
): { readonly mediaType: string; readonly data: string } => {
  if (source.type === "base64") {
    return {
      mediaType: stringAt(source.media_type, `${field}.media_type`),
      data: plainBase64(stringAt(source.data, `${field}.data`))
    }
  }
  if (source.type !== "url") return refuseType("a source", source, field)
  const url = stringAt(source.url, `${field}.url`)
  if (/^data:/i.test(url)) return dataUrlFile(kind, url, `${field}.url`)
  const file = files.get(url) ?? refuse(`${field}.url`, `the ${kind} could not be fetched`)
  return { mediaType: file.mediaType, data: Buffer.from(file.bytes).toString("base64") }
}

/** Base64 in its plainest form, also of a data URL: AWS knows neither line breaks nor the alphabet for URLs, and wants the padding. */
export const plainBase64 = (data: string): string =>
  data.length % 4 === 0 && !/[^A-Za-z0-9+/=]/.test(data)
    ? data
    : Buffer.from(data.slice(base64Start(data)), "base64").toString("base64")

/** The request's messages with every file of these kinds by URL replaced by its bytes; everything else as it was. */
export const withFileData = (
  messages: Json | undefined,
  files: FetchedFiles,
  kinds = everyFile
): Json | undefined => {
  const convertAll = (items: ReadonlyArray<Json>, field: string) =>
    items.map((item, index) => (isJsonObject(item) ? convert(item, `${field}.${index}`) : item))
  const convert = (item: JsonObject, field: string): JsonObject => {
    const file = fileByUrl(item, kinds)
    if (file !== undefined) {
      const { mediaType, data } = fileData(file.kind, file.source, `${field}.source`, files)
      return { ...item, source: { type: "base64", media_type: mediaType, data } }
    }
    const holder = holderIn(item)
    if (holder === undefined) return item
    const isItem = holder === item
    const content = convertAll(holder.content, isItem ? `${field}.content` : `${field}.source.content`)
    return isItem ? { ...item, content } : { ...item, source: { ...holder, content } }
  }
  return Array.isArray(messages) ? convertAll(messages, "messages") : messages
}

interface FileByUrl {
  readonly kind: FileKind
  readonly source: JsonObject
}

const fileByUrl = ({ source, type }: JsonObject, kinds: FileKinds): FileByUrl | undefined =>
  kinds.has(type as FileKind) && isJsonObject(source) && source.type === "url"
    ? { kind: type as FileKind, source }
    : undefined

type Holder = JsonObject & { readonly content: ReadonlyArray<Json> }

/** Where files stand: in the content of messages, of tool results, and of documents that are written in blocks. */
const holderIn = (item: JsonObject): Holder | undefined =>
  isHolder(item) ? item : isHolder(item.source) ? item.source : undefined

const isHolder = (value: Json | undefined): value is Holder =>
  isJsonObject(value) && Array.isArray(value.content)

const filesByUrl = (request: JsonObject, kinds: FileKinds): ReadonlyArray<FileByUrl> => {
  const files: Array<FileByUrl> = []
  const visit = (items: ReadonlyArray<Json>): void => {
    for (const item of items) {
      if (!isJsonObject(item)) continue
      const file = fileByUrl(item, kinds)
      if (file !== undefined) files.push(file)
      else visit(holderIn(item)?.content ?? [])
    }
  }
  if (Array.isArray(request.messages)) visit(request.messages)
  return files
}

const dataUrlFile = (kind: FileKind, url: string, field: string) => {
  const comma = url.indexOf(",")
  const data = url.slice(comma + 1)
  const mediaType = fileMediaType(kind, Buffer.from(data.slice(0, 2 * headLength), "base64"))
  if (comma === -1 || !/;base64$/i.test(url.slice(0, comma)) || mediaType === undefined) {
    return refuse(field, `must be a base64 data URL of ${fileForms[kind]}`)
  }
  return { mediaType, data: plainBase64(data) }
}
