/**
 * The gateway threads, watched over: one that dies is started again with back-off and what it held is released; one
 * that can never serve (port taken) ends the start with its one line.
 */
import { Context, Effect, Layer, Option } from "effect"
import type { Settings } from "../config/settings.ts"
import type { ModelOverrides } from "../domain/model-overrides.ts"
import type { RouteTried } from "../domain/route-tried.ts"
import type { DashboardTarget } from "../http/DashboardProxy.ts"
import type { Pages } from "../http/Operations.ts"
import { LedgerServer } from "../ledger/node/LedgerServer.ts"
import type { RoutesTold } from "../upstream/Upstreams.ts"
import { handOver } from "./hand-over.ts"
import { type ThreadFailed, ThreadGroup } from "./ThreadGroup.ts"
import type { ThreadNumbers } from "./told-of-threads.ts"

export class GatewayThreads extends Context.Service<
  GatewayThreads,
  {
    /**
     * Starts all threads; answers the port they listen on. `isPortShared`: whoever listens there already is another node of
     * the same database.
     */
    start(
      settings: Settings,
      overrides: ModelOverrides,
      isPortShared: boolean
    ): Effect.Effect<number, ThreadFailed>
    /** Answers the threads that have not said in time that they work with these; they will as soon as they can. */
    apply(settings: Settings, overrides: ModelOverrides): Effect.Effect<ReadonlyArray<number>>
    setDashboard(dashboard: DashboardTarget | undefined): void
    setPages(pages: Pages): void
    /** Hears how routes fare, as a thread tells it. */
    onRoutes(hear: (thread: number, told: RoutesTold) => void): void
    /** A small call over this route alone; `undefined` where no thread can send it. */
    tryRoute(route: string): Effect.Effect<RouteTried | undefined>
    readonly numbers: Effect.Effect<ThreadNumbers>
    readonly restarts: () => number
    /** Calls are served on, for so long at most, until clients have gone to other nodes. */
    handOver(secondsMax: number): Effect.Effect<void>
    /** Waits for calls under way. `listen`: new connections are still taken, to be told to come back. */
    drain(listen: boolean): Effect.Effect<void>
    /** Ends calls that are still under way. */
    cut(): void
    /** Makes the first thread die, for tests. */
    crash(): void
  }
>()("tollgate/threads/GatewayThreads") {
  static readonly layer = Layer.effect(
    GatewayThreads,
    Effect.gen(function* () {
      const ledger = yield* LedgerServer
      const run = Effect.runForkWith(yield* Effect.context<never>())
      const threads = new ThreadGroup({ connect: (port) => ledger.connect(port), run })
      yield* Effect.addFinalizer(() => threads.stop)
      return GatewayThreads.of({
        start: (settings, overrides, isPortShared) => threads.start(settings, overrides, isPortShared),
        apply: (settings, overrides) => threads.apply(settings, overrides),
        setDashboard: (dashboard) => threads.setDashboard(dashboard),
        setPages: (pages) => {
          threads.pages = pages
        },
        onRoutes: (hear) => {
          threads.onRoutes = hear
        },
        tryRoute: (route) =>
          Effect.map(threads.tryRoute(route), (answered) => {
            const message = Option.getOrUndefined(answered)
            return message?.kind === "tried" ? message.tried : undefined
          }),
        numbers: Effect.suspend(() => threads.numbers()),
        restarts: () => threads.restarts,
        handOver: (secondsMax) => handOver(threads, secondsMax),
        drain: (listen) => Effect.suspend(() => threads.drain(listen)),
        cut: () => threads.tellAll({ kind: "cut" }),
        crash: () => threads.crash()
      })
    })
  )
}
