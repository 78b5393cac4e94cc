/** Documents in tokens: a PDF costs each page's text and its picture, a text file its text. */
import { isPdfAddress } from "../formats/images/is-pdf-address.ts"
import { isJsonObject, type Json, type JsonObject } from "../formats/json/json.ts"
import { Base64Bytes } from "./base64.ts"

export type DocumentSource =
  | { readonly _tag: "Pdf"; readonly pages: number; readonly bytes: number }
  | { readonly _tag: "Text"; readonly bytes: Uint8Array }
  /** By URL or file id: its size is not known here. */
  | { readonly _tag: "Elsewhere" }

/** What a document or file block of any protocol holds. Of an address and data beside it either may be taken. */
export const documentSource = (block: JsonObject): DocumentSource => {
  const { data, document_url, file_data, file_url, url } = holderOf(block)
  // The latter two are how Z.ai and Mistral have it.
  const address = [url, file_url, document_url]
    .map((value) => (isJsonObject(value) ? value["url"] : value))
    .find((value) => typeof value === "string" && value !== "")
  const held = [address, ...(block["type"] === "document" ? [data] : [file_data, data])]
  const found = held.find((value) => typeof value === "string")
  if (typeof found !== "string" || isWeb(found)) return { _tag: "Elsewhere" }
  if (address !== undefined && !found.startsWith("data:")) return { _tag: "Elsewhere" }
  const bytes = new Base64Bytes(found).decode()
  // "%PDF" may stand a little after the start.
  const isPdf = bytes.subarray(0, 1_024).includes("%PDF")
  return isPdf ? { _tag: "Pdf", pages: pdfPages(bytes), bytes: bytes.length } : { _tag: "Text", bytes }
}

/** The names that a file has beside what it holds. */
export const fileNames = (block: JsonObject): ReadonlyArray<Json | undefined> => [
  holderOf(block)["filename"],
  block["document_name"]
]

const holderOf = (block: JsonObject): JsonObject => {
  const held = block["type"] === "document" ? block["source"] : block["file"]
  return isJsonObject(held) ? held : block
}

const isWeb = (url: string): boolean => /^https?:/i.test(url)

/** The PDF in an image block, where chat clients put them too; `undefined` for an image. */
export const pdfInImage = (block: JsonObject): DocumentSource | undefined => {
  const held = block["image_url"]
  const url = isJsonObject(held) ? held["url"] : held
  if (typeof url !== "string") return undefined
  if (/^data:application\/pdf[;,]/i.test(url)) return documentSource({ data: url })
  return isWeb(url) && isPdfAddress(url) ? { _tag: "Elsewhere" } : undefined
}

/** Most pages that providers take in one request. */
export const pagesMax = 600
/** A page whose objects are compressed still takes about this much. */
const bytesPerHiddenPage = 3_000

/** Pages of a PDF: those that can be seen, or the most the page tree says, or what its size allows. */
const pdfPages = (bytes: Buffer): number => {
  let seen = 0
  let counted = 0
  for (let at = bytes.indexOf("/Type"); at >= 0; at = bytes.indexOf("/Type", at + 5)) {
    const name = /^\/Type\s*\/Page(s?)\b/.exec(bytes.toString("latin1", at, at + 24))
    if (name === null) continue
    if (name[1] === "") seen++
    else counted = Math.max(counted, pageCount(bytes, at))
  }
  const found = Math.max(seen, counted)
  return Math.min(pagesMax, found > 0 ? found : Math.max(1, Math.ceil(bytes.length / bytesPerHiddenPage)))
}

/** The `/Count` of the page tree node around `at`. */
const pageCount = (bytes: Buffer, at: number): number => {
  const around = bytes.toString("latin1", Math.max(0, at - 256), at + 512)
  return Math.max(0, ...[...around.matchAll(/\/Count\s+(\d{1,5})/g)].map(([, count]) => Number(count)))
}

/** How much text a page is taken to hold, in tokens. */
export interface PageText {
  readonly tokensMax: number
  /** Pages of a document that is not here. */
  readonly pagesElsewhere: number
  /** A page's text is compressed, and stands beside fonts and pictures. */
  readonly tokensPerByte: number
}

/** Tokens of a document that is not plain text. `pageImageTokens` is what the picture of a page costs. */
export const documentTokens = (document: DocumentSource, pageImageTokens: number, text: PageText): number => {
  if (document._tag === "Text") return 0
  if (document._tag === "Elsewhere") return text.pagesElsewhere * (pageImageTokens + text.tokensMax / 2)
  const textTokens = Math.min(text.tokensMax, (document.bytes / document.pages) * text.tokensPerByte)
  return Math.ceil(document.pages * (pageImageTokens + textTokens))
}
