/** A connection of the ledger's own, watched for its end. */
import { Effect, type Scope } from "effect"
import { openConnection, type Sql } from "../storage/postgres/Connection.ts"
import type { WatchedConnection } from "./session.ts"

export interface OpenOptions {
  readonly name: string
  readonly onNotification?: (channel: string, payload: string) => void
  /** It ended by itself. */
  readonly onLost: () => void
}

export const openWatched = (
  databaseUrl: string,
  { name, onLost, onNotification }: OpenOptions
): Effect.Effect<WatchedConnection & { readonly sql: Sql }, never, Scope.Scope> =>
  Effect.gen(function* () {
    let closing = false
    const listeners = new Set<(cause: Error) => void>()
    const connection = yield* Effect.acquireRelease(
      Effect.sync(() =>
        openConnection(databaseUrl, {
          name,
          ...(onNotification !== undefined && { onNotification }),
          onEnd: () => {
            for (const listener of listeners) listener(new Error("connection lost"))
            if (!closing) onLost()
          }
        })
      ),
      // A connection that no longer answers must not hold up its successor.
      (connection) => {
        closing = true
        return Effect.promise(() => connection.close())
      }
    )
    return {
      sql: connection.sql,
      hasEnded: () => connection.hasEnded,
      onEnd: (listener) => {
        listeners.add(listener)
        return () => void listeners.delete(listener)
      }
    }
  })
