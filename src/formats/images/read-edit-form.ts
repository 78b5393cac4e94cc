/** A request to edit images that came as a form. */
import { refuse } from "../json/fields.ts"
import type { Json, JsonObject } from "../json/json.ts"
import { type ImageEdit, imageAt, imageParameters, overlayParameters, readReferenceImage } from "./edit.ts"
import type { Form, FormFile } from "./form.ts"
import { imagesAsked, otherCounts } from "./generation.ts"

/** "You can provide up to 16 images": platform.openai.com, "Create image edit". */
const imagesMax = 16

/** The names that pictures go by; those of several end in brackets. */
const isImage = (name: string): boolean => /^images?(\[\d*\])?$/.test(name)

export const readImageEditForm = ({ fields, files }: Form, bytes: Buffer): ImageEdit => {
  const texts = fields.map(
    ({ name, valueEnd, valueStart }) => [name, bytes.toString("utf8", valueStart, valueEnd)] as const
  )
  const parsed: JsonObject = Object.fromEntries(texts.map(([name, text]) => [name, valueOf(name, text)]))
  const images = files.filter(({ name }) => isImage(name)).map(({ bytes: file, name }) => imageAt(file, name))
  if (images.length > imagesMax) refuse("image", `at most ${imagesMax} images can be edited at once`)
  const [first, ...further] = images
  return {
    count: imagesAsked(parsed),
    image: first === undefined ? readReferenceImage(parsed) : { _tag: "Bytes", ...first },
    further,
    overlays: overlaysIn(files),
    fields: first === undefined ? texts.filter(([name]) => !isReference(name)) : texts
  }
}

const isReference = (name: string): boolean => imageParameters.some((known) => known === name)

const numbers: ReadonlySet<string> = new Set(["n", ...otherCounts])

/** All that a form says is text. */
const valueOf = (name: string, text: string): Json => {
  if (numbers.has(name) && /^-?\d{1,15}(\.\d{1,15})?$/.test(text)) return Number(text)
  if (name !== "stream") return text
  return /^true$/i.test(text) ? true : /^(false)?$/i.test(text) ? false : text
}

const overlaysIn = (files: ReadonlyArray<FormFile>): ImageEdit["overlays"] => {
  const others = files.filter(({ name }) => !isImage(name))
  const names = others.map(({ name }) => name)
  return others.map((file, index) => {
    if (!overlayParameters.some((known) => known === file.name))
      refuse(file.name.slice(0, 100), "is no picture that an edit takes")
    if (names.indexOf(file.name) !== index) refuse(file.name, "is there more than once")
    return [file.name, imageAt(file.bytes, file.name)] as const
  })
}
