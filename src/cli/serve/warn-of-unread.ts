/** Tells the operator of what stands in a catalogue and has no effect, when it is read at the start and by SIGHUP. */
import { Effect, Stream } from "effect"
import { Config } from "../../config.ts"
import { unreadMembers } from "../../domain/catalogue.ts"

/** A catalogue may say the same of each of its models. */
const toldMax = 5

export const warnOfUnread = Effect.flatMap(Config, ({ changes }) =>
  changes.pipe(
    Stream.map(({ catalogue }) => catalogue),
    Stream.changes,
    Stream.map(unreadMembers),
    Stream.filter((unread) => unread.length > 0),
    Stream.runForEach((unread) => {
      const more = unread.length > toldMax ? ` and ${unread.length - toldMax} more` : ""
      return Effect.logWarning(
        `Of the catalogue nothing reads these, which may be mistyped: ${unread.slice(0, toldMax).join(", ")}${more}`
      )
    })
  )
)
