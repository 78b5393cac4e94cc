/** Streams of an account end, wherever they are answered, once who asked for them has another role in it or none. */
import type { HttpServerResponse } from "effect/http"
import { findStanding } from "../../storage/MemberStore.ts"
import type { DashboardContext } from "../DashboardContext.ts"
import type { Caller, Rule } from "../definition/access.ts"
import type { Reply, Sink } from "../exchange.ts"
import { rawReply, replyOf } from "./raw-reply.ts"

export const endWithRole = (
  response: HttpServerResponse.HttpServerResponse,
  caller: Caller["Service"],
  rule: Rule,
  context: DashboardContext
): HttpServerResponse.HttpServerResponse => {
  // Of their own account a person is the owner for good.
  const isOfAccount = rule.who === "account" && rule.roles !== undefined
  if (!isOfAccount || caller.personId === caller.accountId || response.body._tag !== "Raw") return response
  const reply = replyOf(response)
  const { body } = reply
  return typeof body === "function" ? rawReply({ ...reply, body: guarded(body, caller, context) }) : response
}

type Stream = Extract<Reply["body"], (...some: never) => unknown>

const guarded =
  (body: Stream, { accountId, memberRole, personId }: Caller["Service"], context: DashboardContext): Stream =>
  async (sink) => {
    const over = new AbortController()
    const look = () => {
      context
        .query("find standing", (sql) => findStanding(sql, personId, accountId))
        .then(
          (standing) => {
            if (standing?.role !== memberRole) over.abort()
          },
          // Who can not be asked about gets no more.
          () => over.abort()
        )
    }
    const stop = context.standings.watch(accountId, personId, look)
    // It may have changed between the guard's look and the watch.
    look()
    try {
      await body(endedBy(over.signal, sink))
    } finally {
      stop()
    }
  }

const endedBy = (over: AbortSignal, sink: Sink): Sink => ({
  left: AbortSignal.any([over, sink.left]),
  write: (chunk) => (over.aborted ? Promise.resolve(false) : sink.write(chunk))
})
