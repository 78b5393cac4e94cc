/** Exports run as long as the client reads: so many at once for an account. */
import { Effect } from "effect"
import type { AccountId } from "../../domain/ids.ts"
import type { DashboardContext } from "../DashboardContext.ts"
import type { Sink } from "../exchange.ts"
import { rawReply } from "./raw-reply.ts"
import { refuse } from "./refuse.ts"

const exportsAtOnceMax = 2

/** What is answered ends it. */
export const beginExport = ({ limits }: DashboardContext, accountId: AccountId) =>
  Effect.suspend(() => {
    const finish = limits.enter("export", accountId, exportsAtOnceMax)
    return finish === undefined ? refuse("too_many_exports", [["retry-after", "30"]]) : Effect.succeed(finish)
  })

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
