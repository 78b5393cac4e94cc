/** Requests for new images, and the images of an answer. */
import { refuse } from "../fields.ts"
import type { JsonObject } from "../json.ts"
import { requiredText } from "./required-text.ts"

export interface ImageGeneration {
  readonly prompt: string
  /** Images asked for: each has its price. */
  readonly count: number
}

const maxCount = 10

/** What the gateway needs of a request for images. Refuses what it can not serve. */
export const readImageGeneration = (body: JsonObject): ImageGeneration => {
  const prompt = requiredText(body["prompt"], "prompt")
  checkSize(body["size"])
  // Its events would have to be counted; refused here, it does not cost the provider's work first.
  if (body["stream"] === true) refuse("stream", "images come whole only")
  return { prompt, count: readCount(body["n"]) }
}

/** Images in an answer: what is paid for. */
export const countImages = (answer: JsonObject): number => {
  const { data } = answer
  return Array.isArray(data) ? data.length : 0
}

const readCount = (value: unknown): number => {
  if (value === undefined || value === null) return 1
  if (typeof value !== "number" || !Number.isInteger(value) || value < 1 || value > maxCount) {
    return refuse("n", `must be a whole number from 1 to ${maxCount}`)
  }
  return value
}

const checkSize = (value: unknown): void => {
  if (value === undefined || value === null) return
  if (typeof value !== "string" || !/^[1-9]\d{0,4}x[1-9]\d{0,4}$/.test(value)) {
    refuse("size", "must have the form <width>x<height>, as in 1024x1024")
  }
}
