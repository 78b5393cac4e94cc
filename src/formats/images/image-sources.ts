/** Images in a Messages request for an upstream that takes bytes only: an image by URL must have been fetched before. */
import { refuse, stringAt } from "../json/fields.ts"
import { imageMediaTypeOfBase64 } from "./image-type.ts"
import { base64Start } from "./media-type.ts"
import { isJsonObject, type Json, type JsonObject } from "../json/json.ts"

/** Images that were fetched, by their URLs. */
export type FetchedImages = ReadonlyMap<string, { readonly bytes: Uint8Array; readonly mediaType: string }>

/** In the place of an image that is yet to be fetched, where a request is converted to be checked and measured. */
const standInImage = { bytes: new Uint8Array(), mediaType: "image/png" }

/** The http(s) URLs of all images in the request, tool results included. */
export const imageUrls = (request: JsonObject): ReadonlyArray<string> => [
  ...new Set(
    imageSources(request)
      .map((source) => source.url)
      .filter((url) => typeof url === "string")
      .filter((url) => /^https?:/i.test(url))
  )
]

/** Whether any image is given by a URL of any kind, so that the request can not go up as it is. */
export const hasImagesByUrl = (request: JsonObject): boolean =>
  imageSources(request).some((source) => source.type === "url")

/** What is not at hand is converted with another image in its place, so that all else can be checked. */
export const imagesAtHand = (request: JsonObject, fetched: FetchedImages = new Map()) => {
  const missing = imageUrls(request).filter((url) => !fetched.has(url))
  if (missing.length === 0) return { images: fetched, missing }
  return { images: new Map([...fetched, ...missing.map((url) => [url, standInImage] as const)]), missing }
}

/** The image as base64 and its type. */
export const imageData = (
  source: JsonObject,
  field: string,
  images: FetchedImages
): { readonly mediaType: string; readonly data: string } => {
  if (source.type === "base64") {
    return {
      mediaType: stringAt(source.media_type, `${field}.media_type`),
      data: plainBase64(stringAt(source.data, `${field}.data`))
    }
  }
  if (source.type !== "url") {
    return refuse(
      `${field}.type`,
      `a source of type ${JSON.stringify(source.type)} can not be used on this model`
    )
  }
  const url = stringAt(source.url, `${field}.url`)
  if (/^data:/i.test(url)) return dataUrlImage(url, `${field}.url`)
  const image = images.get(url) ?? refuse(`${field}.url`, "the image could not be fetched")
  return { mediaType: image.mediaType, data: Buffer.from(image.bytes).toString("base64") }
}

/** Base64 in its plainest form, also of a data URL: AWS knows neither line breaks nor the alphabet for URLs, and wants the padding. */
export const plainBase64 = (data: string): string =>
  data.length % 4 === 0 && !/[^A-Za-z0-9+/=]/.test(data)
    ? data
    : Buffer.from(data.slice(base64Start(data)), "base64").toString("base64")

/** The request's messages with every image by URL replaced by its bytes; everything else as it was. */
export const withImageData = (messages: Json | undefined, images: FetchedImages): Json | undefined => {
  const convert = (value: Json, field: string): Json => {
    if (Array.isArray(value)) return value.map((item: Json, index) => convert(item, `${field}.${index}`))
    if (!isJsonObject(value)) return value
    const { source, content } = value
    if (value.type === "image" && isJsonObject(source) && source.type === "url") {
      const { mediaType, data } = imageData(source, `${field}.source`, images)
      return { ...value, source: { type: "base64", media_type: mediaType, data } }
    }
    return Array.isArray(content) ? { ...value, content: convert(content, `${field}.content`) } : value
  }
  return messages === undefined ? undefined : convert(messages, "messages")
}

/** Image sources stand in the content of messages and, one level deeper, of tool results. */
const imageSources = (request: JsonObject): ReadonlyArray<JsonObject> => {
  const sources: Array<JsonObject> = []
  const visit = (value: Json | undefined, depth: number): void => {
    if (!Array.isArray(value)) return
    for (const item of value) {
      if (!isJsonObject(item)) continue
      if (item.type === "image" && isJsonObject(item.source)) sources.push(item.source)
      else if (depth > 0) visit(item.content, depth - 1)
    }
  }
  visit(request.messages, 2)
  return sources
}

const dataUrlImage = (url: string, field: string) => {
  const comma = url.indexOf(",")
  const data = url.slice(comma + 1)
  const mediaType = imageMediaTypeOfBase64(data)
  if (comma === -1 || !/;base64$/i.test(url.slice(0, comma)) || mediaType === undefined) {
    return refuse(field, "must be a base64 data URL of a PNG, JPEG, WebP or GIF image")
  }
  return { mediaType, data: plainBase64(data) }
}
