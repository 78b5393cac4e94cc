/** What is said of the bytes of a picture, a file or a sound. */

/** Bare base64 has no type of its own; what chat clients send so are PDFs, unless the name says otherwise. */
export const typeByName = (name: string): string =>
  /\.(txt|md|csv|tsv|json|xml|html?|ya?ml|log)$/i.test(name) ? "text/plain" : "application/pdf"

export const isTextual = (mediaType: string): boolean =>
  mediaType.startsWith("text/") || /[/+](json|xml|yaml|x-yaml|javascript)$/.test(mediaType)

/** What word processors and spreadsheets write, as Converse takes it. */
export const officeFormats: ReadonlyMap<string, string> = new Map([
  ["application/msword", "doc"],
  ["application/vnd.openxmlformats-officedocument.wordprocessingml.document", "docx"],
  ["application/vnd.ms-excel", "xls"],
  ["application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "xlsx"]
])

/** The type that a data URL says, in small letters; `undefined` for any other text. */
export const typeOfDataUrl = (url: string): string | undefined =>
  /^data:([^;,]{1,200})[;,]/i.exec(url)?.[1]!.toLowerCase()

/** Where the base64 starts in itself, or in a data URL. */
export const base64Start = (text: string): number => (/^data:/i.test(text) ? text.indexOf(",") + 1 : 0)

/** Whether what stands at a web address calls itself a PDF. Servers of images draw its pages where a format is asked for. */
export const isPdfAddress = (url: string): boolean =>
  /^[^?#]*\.pdf(?:[?#]|$)/i.test(url) && !/[?&](?:fm|format)=/i.test(url)
