/** Routes of one provider for tests, each a server of its own that answers as it is told, and calls by way of them. */
import { Effect, Exit, Layer, ManagedRuntime } from "effect"
import { createServer, type Server, type Socket } from "node:net"
import { afterEach } from "vitest"
import { findFreePort } from "../../src/config/find-free-port.ts"
import type { Asker } from "../../src/upstream/Asker.ts"
import type { ProviderSettings, Route } from "../../src/config/settings.ts"
import { Sweeper } from "../../src/upstream/Sweeper.ts"
import { UpstreamFault } from "../../src/upstream/UpstreamExchange.ts"
import type { UpstreamAttempt, UpstreamCall } from "../../src/upstream/UpstreamCall.ts"
import { Upstreams } from "../../src/upstream/Upstreams.ts"
import { listen } from "../listen.ts"
import { until } from "../until.ts"
import { steadyMs } from "../../src/telemetry/steady-clock.ts"
import { noSurcharges } from "../wire/models.ts"

export interface Stub {
  readonly port: number
  calls: number
  /** Connections that are open now. */
  readonly open: Set<Socket>
  answer: (socket: Socket) => void
  /** From then on connections are refused. */
  stopListening(): void
}

const closers: Array<() => Promise<unknown>> = []

/** Ends what the tests of this file have started, after each of them. */
export const endAfterEach = (): void =>
  void afterEach(async () => {
    for (const close of closers.splice(0).toReversed()) await close()
  })

export const reply = (status: number, headers = "", body = "{}") =>
  `HTTP/1.1 ${status} X\r\ncontent-length: ${body.length}\r\n${headers}\r\n${body}`

/** A provider that answers each request with these bytes, or does whatever else `answer` is. */
export const startStub = async (answer: string | ((socket: Socket) => void)): Promise<Stub> => {
  const open = new Set<Socket>()
  const stub: Stub = {
    port: 0,
    calls: 0,
    open,
    stopListening: () => server.close(),
    answer: typeof answer === "string" ? (socket) => socket.write(answer) : answer
  }
  const server: Server = createServer((socket) => {
    open.add(socket)
    socket.on("close", () => open.delete(socket))
    socket.on("error", () => {})
    socket.on("data", (data) => {
      if (!data.includes("POST ")) return
      stub.calls++
      stub.answer(socket)
    })
  })
  const port = await listen(server)
  closers.push(async () => {
    for (const socket of open) socket.destroy()
    server.close()
  })
  return Object.assign(stub, { port })
}

/** A port where nobody listens. */
export const deadPort = (): Promise<number> => Effect.runPromise(findFreePort)

export const routesTo = (...ports: ReadonlyArray<number>): ReadonlyArray<Route> =>
  ports.map((port, index) => ({
    id: `p#${index}`,
    baseUrl: `http://127.0.0.1:${port}`,
    apiKey: "",
    priority: index,
    weight: 1
  }))

export const providerOf = (
  routes: ReadonlyArray<Route>,
  limits: Partial<ProviderSettings> = {}
): ProviderSettings => ({
  name: "p",
  style: "messages",
  onClientLeave: "abort",
  surcharges: noSurcharges,
  routes,
  connectTimeoutMs: 1_000,
  firstByteTimeoutMs: 60_000,
  idleTimeoutMs: 60_000,
  aws: undefined,
  ...limits
})

export const plainShape: UpstreamCall["shape"] = () =>
  Effect.succeed({ path: "/", headers: {}, body: Buffer.from("{}") })

/** Of three customers in turn, since one alone opens no circuit but its own. */
export const anyAsker = (turn: number): Asker => ({ account: `acc_${turn % 3}`, model: "m" })

export const start = () => {
  let turn = 0
  let latest: ReadonlyArray<UpstreamAttempt> = []
  const runtime = ManagedRuntime.make(Upstreams.layer.pipe(Layer.provideMerge(Sweeper.layer)))
  closers.push(() => runtime.dispose())
  const call = async (
    provider: ProviderSettings,
    deadlineMs = steadyMs() + 60_000,
    readWhole = false,
    shape: UpstreamCall["shape"] = plainShape,
    asker = anyAsker(turn++),
    hedgeAfterMs?: number
  ) => {
    const attempts: Array<UpstreamAttempt> = []
    latest = attempts
    const exit = await runtime.runPromiseExit(
      Effect.gen(function* () {
        const upstreams = yield* Upstreams
        const answer = yield* upstreams.call({
          provider,
          asker,
          deadlineMs,
          readWhole,
          hedgeAfterMs,
          attempts,
          shape
        })
        const body = yield* answer.exchange.body(1_000_000)
        return { status: answer.head.status, route: answer.route.id, body: body.toString() }
      })
    )
    return { exit, attempts, outcomes: outcomesOf(attempts) }
  }
  const upstreams = runtime.runSync(Effect.service(Upstreams))
  const watched = () => runtime.runSync(Effect.service(Sweeper)).size()
  const cutAll = () => runtime.runSync(Effect.service(Sweeper)).cutAll()
  /** Of each route: calls, failures, and those of the failures that a call went on from. */
  const tallies = () =>
    upstreams
      .takeHealth(steadyMs())
      .tallies.map(({ calls, failures, passedOver, route }) => [route, calls, failures, passedOver])
  /** Of the last call that has begun, as far as it has come. */
  const outcomes = () => outcomesOf(latest)
  return { call, cutAll, outcomes, stop: () => runtime.dispose(), tallies, upstreams, watched }
}

const outcomesOf = (attempts: ReadonlyArray<UpstreamAttempt>) =>
  attempts.map(({ outcome, route }) => `${route} ${outcome}`)

export const faultOf = (exit: Exit.Exit<unknown, unknown>): string => {
  if (Exit.isSuccess(exit)) return "none"
  const error = exit.cause.reasons.map((reason) => ("error" in reason ? reason.error : undefined))[0]
  return error instanceof UpstreamFault ? error.reason : String(error)
}

/** What a call was answered with, or what it failed of. */
export const statusOf = (exit: Exit.Exit<{ readonly status: number }, unknown>): number | string =>
  Exit.isSuccess(exit) ? exit.value.status : faultOf(exit)

/** Waits until the stub has no connection any more. */
export const untilClosed = (stub: Stub): Promise<true> => until(() => stub.open.size === 0)
