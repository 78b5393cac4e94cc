/** A change whose answer was lost: whoever takes it for failed and repeats it may do it twice. */
import { Effect, Schema } from "effect"
import { DatabaseError } from "../storage/Database.ts"

export class NotKnown extends Schema.TaggedError<NotKnown>()("NotKnown", {
  reason: Schema.String,
  advice: Schema.String
}) {
  override get message() {
    return `${this.reason}: whether it was done is not known; ${this.advice}`
  }
}

/** `advice`: how to find out, or to go on. */
export const orNotKnown =
  (advice: string) =>
  <A, E, R>(change: Effect.Effect<A, E | DatabaseError, R>) =>
    Effect.catchIf(change, isLost, ({ message }) => Effect.fail(new NotKnown({ reason: message, advice })))

const isLost = (error: unknown): error is DatabaseError =>
  error instanceof DatabaseError && error.isConnectionLost
