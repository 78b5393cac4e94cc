/** Documents in tokens: a PDF costs each page's text and its picture, a text file its text. */
import { pdfMediaType } from "../formats/images/file-type.ts"
import { Base64Bytes } from "./base64.ts"

export type DocumentSource =
  | { readonly _tag: "Pdf"; readonly pages: number; readonly bytes: number }
  | { readonly _tag: "Text"; readonly bytes: Uint8Array }
  /** By URL or file id: its size is not known here. */
  | { readonly _tag: "Elsewhere" }

/** What bytes in base64 are. Who says that they are text is taken at their word, as conversions do. */
export const documentOf = (base64: string, isText: boolean): DocumentSource => {
  const held = new Base64Bytes(base64)
  const bytes = held.decode()
  // Words that are no base64 at all may be told as they are.
  if (bytes.length + paddingMax < base64Share * held.length)
    return { _tag: "Text", bytes: Buffer.from(base64) }
  const isPdf = !isText && pdfMediaType(bytes) !== undefined
  return isPdf ? { _tag: "Pdf", pages: pdfPages(bytes), bytes: bytes.length } : { _tag: "Text", bytes }
}

/** Base64 in lines of 64 characters has two in 66 that stand for nothing. */
const base64Share = 0.95
const paddingMax = 2

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
