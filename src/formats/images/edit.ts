/** Requests to edit an image: JSON from the caller, multipart to the upstream. */
import { refuse } from "../fields.ts"
import { isJsonObject, type JsonObject } from "../json.ts"
import { type ImageGeneration, readImageGeneration } from "./generation.ts"
import { imageMediaType, type ImageMediaType } from "./image-type.ts"

/** The image to edit: its bytes, or where to fetch them. */
export type ReferenceImage =
  | { readonly _tag: "Url"; readonly url: string; readonly parameter: string }
  | ({ readonly _tag: "Bytes" } & ImageBytes)

export interface ImageBytes {
  readonly bytes: Uint8Array
  readonly mediaType: ImageMediaType
}

export interface ImageEdit extends ImageGeneration {
  readonly image: ReferenceImage
  /** Everything else the caller sent, as form fields. */
  readonly fields: ReadonlyArray<readonly [name: string, value: string]>
}

const imageParameters = ["image", "image_url", "reference_image", "ref_image"] as const

/** What the gateway needs of a request to edit an image. Refuses what it can not serve. */
export const readImageEdit = (body: JsonObject): ImageEdit => ({
  ...readImageGeneration(body),
  image: readReferenceImage(body),
  fields: Object.entries(body)
    .filter(([name, value]) => !imageParameters.some((known) => known === name) && value !== null)
    .map(([name, value]) => {
      if (Array.isArray(value) || isJsonObject(value)) return refuse(name, "must be a plain value")
      return [name, String(value)]
    })
})

/** The multipart body for the upstream; `model` replaces the caller's. */
export const imageEditForm = (
  edit: ImageEdit,
  model: string,
  image: ImageBytes,
  boundary: string
): Buffer => {
  const parts = edit.fields.map(([name, value]) =>
    fieldPart(boundary, name, name === "model" ? model : value)
  )
  const extension = image.mediaType.slice("image/".length).replace("jpeg", "jpg")
  return Buffer.concat([
    Buffer.from(parts.join(""), "utf8"),
    Buffer.from(
      `--${boundary}\r\ncontent-disposition: form-data; name="image"; filename="image.${extension}"\r\n` +
        `content-type: ${image.mediaType}\r\n\r\n`
    ),
    image.bytes,
    Buffer.from(`\r\n--${boundary}--\r\n`)
  ])
}

const readReferenceImage = (body: JsonObject): ReferenceImage => {
  const parameter = imageParameters.find((name) => body[name] !== undefined && body[name] !== null)
  if (parameter === undefined) return refuse("image", "this field is required")
  const value = body[parameter]
  if (typeof value !== "string" || value.trim() === "") {
    return refuse(parameter, "must be an http(s) URL, a data URL or base64")
  }
  const text = value.trim()
  if (/^https?:\/\//i.test(text)) return { _tag: "Url", url: text, parameter }
  const bytes = decodeBase64(/^data:/i.test(text) ? dataOf(text, parameter) : text, parameter)
  const mediaType = imageMediaType(bytes)
  if (mediaType === undefined) return refuse(parameter, "is not a PNG, JPEG, WebP or GIF image")
  return { _tag: "Bytes", bytes, mediaType }
}

const dataOf = (url: string, parameter: string): string => {
  const comma = url.indexOf(",")
  if (comma === -1 || !/;base64$/i.test(url.slice(0, comma))) {
    return refuse(parameter, "its data URL must be base64")
  }
  return url.slice(comma + 1)
}

const decodeBase64 = (text: string, parameter: string): Buffer => {
  if (/[^A-Za-z0-9+/_\-=\s]/.test(text)) {
    return refuse(parameter, "must be an http(s) URL, a data URL or base64")
  }
  return Buffer.from(text, "base64")
}

const fieldPart = (boundary: string, name: string, value: string): string => {
  const safeName = name.replaceAll('"', "%22").replaceAll("\r", "%0D").replaceAll("\n", "%0A")
  return `--${boundary}\r\ncontent-disposition: form-data; name="${safeName}"\r\n\r\n${value}\r\n`
}
