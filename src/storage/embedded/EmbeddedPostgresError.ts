/** Why the data folder or the embedded database can not be used. */
import { Effect, Schema } from "effect"

export class EmbeddedPostgresError extends Schema.TaggedError<EmbeddedPostgresError>()(
  "EmbeddedPostgresError",
  {
    reason: Schema.String
  }
) {
  override get message() {
    return this.reason
  }
}

/** Another living process works in the data folder. */
export class FolderInUse extends Schema.TaggedError<FolderInUse>()("FolderInUse", {
  folder: Schema.String,
  pid: Schema.Int
}) {
  override get message() {
    return `The data folder ${this.folder} is in use by process ${this.pid}; stop it, or set DATA_DIR to another folder`
  }
}

/** Runs foreign code; what it throws becomes an error that says `what` could not be done. */
export const attempt = <A>(
  what: string,
  run: () => A | Promise<A>
): Effect.Effect<A, EmbeddedPostgresError> =>
  Effect.tryPromise({
    try: async () => run(),
    catch: (cause) =>
      cause instanceof EmbeddedPostgresError
        ? cause
        : new EmbeddedPostgresError({ reason: `Could not ${what}: ${(cause as Error).message}` })
  })
