/** Requests for new images. */
import { booleanAt, filledTextAt, optional, refuse } from "../json/fields.ts"
import { isAbsent, type Json, type JsonObject } from "../json/json.ts"

/** The most that one call may ask for. */
export const imagesMax = 10

/** What others call `n`: an image more has its price. */
export const otherCounts = [
  "num_images",
  "num_outputs",
  "num_return_sequences",
  "batch_size",
  "samples",
  "best_of"
]

/** How many images a request asks for: each has its price. Refuses what the gateway can not serve. */
export const imagesAsked = (body: JsonObject): number => {
  filledTextAt(body.prompt, "prompt")
  checkSize(body.size)
  // A stream could not be charged by the images it holds, and the provider would have made them all the same.
  if (optional(booleanAt, body.stream, "stream") === true)
    refuse("stream", "images are answered whole on this endpoint")
  for (const name of otherCounts)
    if ((body[name] ?? 1) !== 1) refuse(name, "is not known here: n tells how many images are wanted")
  const author = Object.keys(body).find((name) => isOfAuthor(name) && body[name] !== null)
  if (author !== undefined)
    refuse(author, "no other model can be chosen here: its tokens would have no price")
  return readCount(body.n)
}

/** Who is to draw an SVG, and how hard to think of it: the tokens come on top of the image, at the prices of that model. A form has no objects. */
const isOfAuthor = (name: string): boolean => name === "svg" || name.startsWith("svg[")

const readCount = (value: Json | undefined): number => {
  if (isAbsent(value)) return 1
  if (typeof value !== "number" || !Number.isInteger(value) || value < 1 || value > imagesMax) {
    return refuse("n", `must be a whole number from 1 to ${imagesMax}`)
  }
  return value
}

const checkSize = (value: Json | undefined): void => {
  if (isAbsent(value)) return
  if (typeof value !== "string" || !/^([1-9]\d{0,4}x[1-9]\d{0,4}|auto)$/.test(value)) {
    refuse("size", "must have the form <width>x<height>, as in 1024x1024, or be auto")
  }
}

/** GPT's image models answer in base64 alone and refuse to be asked for it, as the AI SDK does for names it does not know. */
export const unknownToGptImage = (model: string, body: JsonObject): string | undefined =>
  model.startsWith("gpt-image") && body.response_format === "b64_json" ? "response_format" : undefined
