/** Requests to edit an image: JSON or a form from the caller, a form to the upstream. */
import { refuse } from "../json/fields.ts"
import { isAbsent, isJsonObject, type Json, type JsonObject } from "../json/json.ts"
import { imagesAsked, unknownToGptImage } from "./generation.ts"
import { fileForms, imageMediaType } from "./file-type.ts"

/** The image to edit: its bytes, or where to fetch them. */
export type ReferenceImage =
  | { readonly _tag: "Url"; readonly url: string; readonly parameter: string }
  | ({ readonly _tag: "Bytes" } & ImageBytes)

export interface ImageBytes {
  readonly bytes: Uint8Array
  readonly mediaType: string
}

export interface ImageEdit {
  /** Images asked for. */
  readonly count: number
  readonly image: ReferenceImage
  /** More images to make one of, which come as files alone. */
  readonly further: ReadonlyArray<ImageBytes>
  /** What lies over the image, as further files. */
  readonly overlays: ReadonlyArray<readonly [name: string, image: ImageBytes]>
  /** Everything else the caller sent, as form fields. */
  readonly fields: ReadonlyArray<readonly [name: string, value: string]>
}

export const imageParameters = ["image", "image_url", "reference_image", "ref_image"] as const
export const overlayParameters = ["mask", "markup"] as const
const files: ReadonlySet<string> = new Set([...imageParameters, ...overlayParameters])

/** What the gateway needs of a request to edit an image. Refuses what it can not serve. */
export const readImageEdit = (body: JsonObject): ImageEdit => ({
  count: imagesAsked(body),
  image: readReferenceImage(body),
  further: [],
  overlays: overlayParameters.flatMap((name) => {
    const value = body[name]
    return isAbsent(value) ? [] : [[name, imageIn(textIn(value, name), name)] as const]
  }),
  fields: Object.entries(body)
    .filter(([name, value]) => !files.has(name) && value !== null)
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
  const parts = edit.fields
    .filter(([name, value]) => unknownToGptImage(model, { [name]: value }) !== name)
    .map(([name, value]) => fieldPart(boundary, name, name === "model" ? model : value))
  const imageName = edit.further.length === 0 ? "image" : "image[]"
  const images = [image, ...edit.further].map((each) => [imageName, each] as const)
  const files = [...images, ...edit.overlays].flatMap(([name, file]) => filePart(boundary, name, file))
  return Buffer.concat([Buffer.from(parts.join(""), "utf8"), ...files, Buffer.from(`--${boundary}--\r\n`)])
}

interface EditOptions {
  readonly model: string
  readonly image?: ImageBytes | undefined
  makeBoundary(): string
}

/** What goes upstream, once the image is at hand. */
export const prepareImageEdit = (edit: ImageEdit, { image: fetched, makeBoundary, model }: EditOptions) => {
  const { count: images, image: reference } = edit
  const image = fetched ?? (reference._tag === "Bytes" ? reference : undefined)
  if (image === undefined) {
    const { parameter, url } = reference as Extract<ReferenceImage, { readonly _tag: "Url" }>
    return { bytes: new Uint8Array(), contentType: "", images, imageUrl: { url, parameter } }
  }
  const boundary = makeBoundary()
  return {
    bytes: imageEditForm(edit, model, image, boundary),
    contentType: `multipart/form-data; boundary=${boundary}`,
    images,
    imageUrl: undefined
  }
}

const filePart = (boundary: string, name: string, file: ImageBytes): ReadonlyArray<Uint8Array> => {
  const extension = file.mediaType.slice("image/".length).replace("jpeg", "jpg")
  return [
    Buffer.from(
      `--${boundary}\r\ncontent-disposition: form-data; name="${name}"; filename="${name.replace("[]", "")}.${extension}"\r\n` +
        `content-type: ${file.mediaType}\r\n\r\n`
    ),
    file.bytes,
    Buffer.from("\r\n")
  ]
}

export const readReferenceImage = (body: JsonObject): ReferenceImage => {
  const parameter = imageParameters.find((name) => body[name] !== undefined && body[name] !== null)
  if (parameter === undefined) return refuse("image", "this field is required")
  const text = textIn(body[parameter], parameter)
  return /^https?:\/\//i.test(text)
    ? { _tag: "Url", url: text, parameter }
    : { _tag: "Bytes", ...imageIn(text, parameter) }
}

const textIn = (value: Json | undefined, parameter: string): string =>
  typeof value === "string" && value.trim() !== "" ? value.trim() : refuse(parameter, wanted(parameter))

const imageIn = (text: string, parameter: string): ImageBytes => {
  const data = /^data:/i.test(text) ? dataOf(text, parameter) : text
  if (/[^A-Za-z0-9+/_\-=\s]/.test(data)) refuse(parameter, wanted(parameter))
  return imageAt(Buffer.from(data, "base64"), parameter)
}

export const imageAt = (bytes: Uint8Array, parameter: string): ImageBytes => ({
  bytes,
  mediaType: imageMediaType(bytes) ?? refuse(parameter, `is not ${fileForms.image}`)
})

/** Only the image itself is fetched. */
const wanted = (parameter: string): string =>
  overlayParameters.some((name) => name === parameter)
    ? "must be a data URL or base64"
    : "must be an http(s) URL, a data URL or base64"

const dataOf = (url: string, parameter: string): string => {
  const comma = url.indexOf(",")
  if (comma === -1 || !/;base64$/i.test(url.slice(0, comma))) {
    return refuse(parameter, "its data URL must be base64")
  }
  return url.slice(comma + 1)
}

const fieldPart = (boundary: string, name: string, value: string): string => {
  const safeName = name.replaceAll('"', "%22").replaceAll("\r", "%0D").replaceAll("\n", "%0A")
  return `--${boundary}\r\ncontent-disposition: form-data; name="${safeName}"\r\n\r\n${value}\r\n`
}
