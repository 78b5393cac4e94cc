/** How many images an answer holds, found without parsing the megabytes of their base64. */
import { Effect } from "effect"
import {
  type Bounds,
  elementsOf,
  memberNamed,
  scanMembers,
  scanWithin,
  type Span
} from "../formats/json/scan.ts"
import { answerUnreadable, type CallError } from "./CallError.ts"

/** Far more than describes the images of one call. */
const bounds: Bounds = { members: 100, values: 10_000, levels: 100 }

/** So much is read in less than two milliseconds. */
const readAtOnceMax = 16 * 1024 * 1024

/** An answer without any image is none. */
export const countAnswerImages = Effect.fnUntraced(function* (
  bytes: Buffer
): Effect.fn.Return<number, CallError> {
  const members = scanWithin(bytes, bounds)
  const data = typeof members === "object" ? memberNamed(members, "data") : undefined
  // All of it is read once more, and then again, which is for other turns of the event loop.
  const isLarge = bytes.length > readAtOnceMax
  if (isLarge) yield* Effect.yieldNow
  const elements = data && elementsOf(bytes, data.valueStart, bounds.values)
  if (isLarge) yield* Effect.yieldNow
  const count = elements?.filter((element) => !isEmpty(bytes, element)).length
  return count === undefined || count === 0 ? yield* answerUnreadable() : count
})

/** Providers tell of an image that their filter has kept back, as one without a picture. */
const isEmpty = (bytes: Buffer, { end, start }: Span): boolean => {
  const element = bytes.subarray(start, end)
  if (isNull(element, 0)) return true
  const members = scanMembers(element)
  return members?.every(({ name, valueStart }) => !pictures.has(name) || isNull(element, valueStart)) === true
}

const pictures: ReadonlySet<string> = new Set(["b64_json", "url"])

const isNull = (bytes: Buffer, start: number): boolean =>
  bytes.toString("latin1", start, start + 4) === "null"
