/** How many images an answer holds, found without parsing the megabytes of their base64. */
import { Effect } from "effect"
import { countElements, scanMembers } from "../formats/json/splice.ts"
import { answerUnreadable, type CallError } from "./CallError.ts"

/** An answer without any image is none. */
export const countAnswerImages = (bytes: Buffer): Effect.Effect<number, CallError> =>
  Effect.suspend(() => {
    const data = scanMembers(bytes)?.findLast((member) => member.name === "data")
    const count = data === undefined ? undefined : countElements(bytes, data.valueStart)
    return count === undefined || count === 0 ? Effect.fail(answerUnreadable()) : Effect.succeed(count)
  })
