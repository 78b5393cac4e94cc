/** How many images an answer holds, found without parsing the megabytes of their base64. */
import { Effect } from "effect"
import { type Bounds, elementsOf, scanWithin } from "../formats/json/scan.ts"
import { answerUnreadable, type CallError } from "./CallError.ts"

/** Far more than describes the images of one call. */
const bounds: Bounds = { members: 100, values: 10_000, levels: 100 }

/** An answer without any image is none. */
export const countAnswerImages = (bytes: Buffer): Effect.Effect<number, CallError> =>
  Effect.suspend(() => {
    const members = scanWithin(bytes, bounds)
    const data = typeof members === "object" ? members.findLast(({ name }) => name === "data") : undefined
    const count = data && elementsOf(bytes, data.valueStart, bounds.values)?.length
    return count === undefined || count === 0 ? Effect.fail(answerUnreadable()) : Effect.succeed(count)
  })
