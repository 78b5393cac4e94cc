/** Exports run as long as the client reads: so many at once for an account. */
import { Effect, Stream } from "effect"
import type { AccountId } from "../../domain/ids.ts"
import type { DashboardContext } from "../DashboardContext.ts"
import type { Sink } from "../exchange.ts"
import type { Database } from "../../storage/Database.ts"
import { rawReply } from "./raw-reply.ts"
import { refuse } from "./refuse.ts"

const exportsAtOnceMax = 2

/** What is answered ends it. */
export const beginExport = ({ limits }: DashboardContext, accountId: AccountId) =>
  Effect.suspend(() => {
    const finish = limits.enter("export", accountId, exportsAtOnceMax)
    return finish === undefined ? refuse("too_many_exports", [["retry-after", "30"]]) : Effect.succeed(finish)
  })

/** As people open it, in what splits cells there. */
export const formatOf = (separator: "," | ";" = ",") => ({ forSpreadsheet: true, separator })

/** Rows as they come, and no faster than they are read. */
export const streamCsv = <E>(
  { execute }: DashboardContext,
  name: string,
  rows: Stream.Stream<string, E, Database>,
  finish: () => void,
  headers: ReadonlyArray<readonly [string, string]> = []
) =>
  csvReply(name, headers, (sink) =>
    execute(
      rows.pipe(
        Stream.mapEffect((text) => Effect.promise(() => sink.write(text))),
        Stream.takeWhile((hasMoreRoom) => hasMoreRoom),
        Stream.runDrain
      )
    ).finally(finish)
  )

export const csvReply = (
  name: string,
  headers: ReadonlyArray<readonly [string, string]>,
  body: (sink: Sink) => Promise<void>
) =>
  rawReply({
    status: 200,
    headers: [
      ["content-type", "text/csv; charset=utf-8"],
      ["content-disposition", `attachment; filename="${name}"`],
      ["cache-control", "no-store"],
      ...headers
    ],
    body
  })
