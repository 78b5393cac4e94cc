/** How many images an answer holds, found without parsing the megabytes of their base64. */
import { Effect } from "effect"
import { type Bounds, elementsOf, memberNamed, scanWithin } from "../formats/json/scan.ts"
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
  // All of it is read once more, which is for another turn of the event loop.
  if (bytes.length > readAtOnceMax) yield* Effect.yieldNow
  const count = data && elementsOf(bytes, data.valueStart, bounds.values)?.length
  return count === undefined || count === 0 ? yield* answerUnreadable() : count
})
