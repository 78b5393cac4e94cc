/** Streams end, wherever they are answered, once who asked for them is signed out or shut out, or has another role or none. */
import type { HttpServerResponse } from "effect/http"
import { ApiProblem } from "../ApiProblem.ts"
import type { DashboardContext } from "../DashboardContext.ts"
import type { Caller } from "../definition/access.ts"
import type { Reply, Sink } from "../exchange.ts"
import { rawReply, replyOf } from "./raw-reply.ts"

/** Of a role in an account is told at once; whatever else may have changed is asked so often. */
const lookEveryMs = 10_000

/** `whoAsks` answers as the guard did, as of now. */
type WhoAsks = () => Promise<Caller["Service"]>

export const endWithRole = (
  response: HttpServerResponse.HttpServerResponse,
  caller: Caller["Service"],
  whoAsks: WhoAsks,
  context: DashboardContext
): HttpServerResponse.HttpServerResponse => {
  if (response.body._tag !== "Raw") return response
  const reply = replyOf(response)
  const { body, headers } = reply
  const isFile = headers.some(([name]) => name === "content-disposition")
  return typeof body === "function"
    ? rawReply({ ...reply, body: guarded(body, isFile, caller, whoAsks, context) })
    : response
}

type Stream = Extract<Reply["body"], (...some: never) => unknown>

const guarded =
  (
    body: Stream,
    isFile: boolean,
    { accountId, memberRole, personId, role }: Caller["Service"],
    whoAsks: WhoAsks,
    { standings }: DashboardContext
  ): Stream =>
  async (sink) => {
    const over = new AbortController()
    let isCut = false
    const look = () => {
      whoAsks().then(
        (now) => {
          if (now.memberRole !== memberRole || now.role !== role) over.abort()
        },
        (cause: unknown) => {
          // Who can not be asked about gets no more, but who only asks for much does.
          if (!(cause instanceof ApiProblem && cause.status === 429)) over.abort()
        }
      )
    }
    const stop = standings.watch(`${accountId} ${personId}`, look)
    const timer = setInterval(look, lookEveryMs)
    // It may have changed between the guard's look and the watch.
    look()
    try {
      await body(endedBy(over.signal, sink, () => (isCut = true)))
      // It would look whole. Whoever answers breaks the connection, and has nothing to tell of it.
      if (isFile && isCut) throw new ApiProblem(403, "signed_out")
    } finally {
      clearInterval(timer)
      stop()
    }
  }

const endedBy = (over: AbortSignal, sink: Sink, cut: () => void): Sink => ({
  left: AbortSignal.any([over, sink.left]),
  write: (chunk) => {
    if (!over.aborted) return sink.write(chunk)
    cut()
    return Promise.resolve(false)
  }
})
