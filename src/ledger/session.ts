/** Work on one connection to the database: what waits for an answer ends with the connection, or with the time. */
import { Effect, Schema } from "effect"

/** The database did not do it, or whether it did is not known. */
export class SessionFailed extends Schema.TaggedError<SessionFailed>()("SessionFailed", {
  operation: Schema.String,
  cause: Schema.Defect()
}) {}

export type RunOn<Store> = <A>(
  operation: string,
  work: (store: Store) => Promise<A>
) => Effect.Effect<A, SessionFailed>

export interface WatchedConnection {
  readonly hasEnded: () => boolean
  /** Answers what ends the listening. */
  readonly onEnd: (listener: (cause: Error) => void) => () => void
}

/** `onTimeout`: an answer that takes longer than `answerWithinMs` counts as none, and the connection as lost. */
export const runOn =
  <Store>(
    store: Store,
    connection: WatchedConnection,
    { answerWithinMs, onTimeout }: { readonly answerWithinMs: number; readonly onTimeout: () => void }
  ): RunOn<Store> =>
  <A>(operation: string, work: (store: Store) => Promise<A>) => {
    const failed = (cause: unknown) => Effect.fail(new SessionFailed({ operation, cause }))
    const answered = Effect.callback<A, SessionFailed>((resume) => {
      if (connection.hasEnded()) return resume(failed(new Error("connection lost")))
      const forget = connection.onEnd((cause) => resume(failed(cause)))
      work(store).then(
        (value) => {
          forget()
          resume(Effect.succeed(value))
        },
        (cause: unknown) => {
          forget()
          resume(failed(cause))
        }
      )
      return Effect.sync(forget)
    })
    return Effect.timeoutOrElse(answered, {
      duration: answerWithinMs,
      orElse: () => {
        onTimeout()
        return failed(new Error("no answer in time"))
      }
    })
  }
