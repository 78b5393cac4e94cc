/** Readiness, metrics and live numbers of the whole process. */
import { Clock, Effect } from "effect"
import { Config } from "../../config.ts"
import type { LiveState } from "../../dashboard/live-state.ts"
import { Journal } from "../../ledger/journal/Journal.ts"
import { Ledger } from "../../ledger/node/Ledger.ts"
import { NodeLife } from "../../ledger/NodeLife.ts"
import { NodeEvents } from "../../ledger/node/NodeEvents.ts"
import { KeyDirectory } from "../../ledger/bridge/KeyDirectory.ts"
import { DeliveryCounts } from "../../telemetry/DeliveryCounts.ts"
import { FreeDisk } from "../../telemetry/FreeDisk.ts"
import { heapBytes } from "../../telemetry/heap-bytes.ts"
import { LoopDelay } from "../../telemetry/LoopDelay.ts"
import { renderMetrics } from "../../telemetry/render-metrics.ts"
import { GatewayThreads } from "../../threads/GatewayThreads.ts"
import type { Pages } from "../../http/Operations.ts"
import type { SettingsApart } from "./compare-settings.ts"
import { shareRuns } from "./share-runs.ts"

/** Every thread is asked for them, and anybody may ask. */
const metricsRestMs = 100

export const makeOperationsPages = Effect.fnUntraced(function* (settingsApart: SettingsApart) {
  const threads = yield* GatewayThreads
  const journal = yield* Journal
  const ledger = yield* Ledger
  const keys = yield* KeyDirectory
  const life = yield* NodeLife
  const events = yield* NodeEvents

  const mainDelay = new LoopDelay()
  const deliveries = new DeliveryCounts()
  const disk = yield* FreeDisk.watch((yield* (yield* Config).get).dataDir)
  const startedAtSeconds = (yield* Clock.currentTimeMillis) / 1000

  const isLedgerReady = () => journal.state.available && !ledger.deadline.hasPassed

  // In maintenance the node is ready: it is the one that can tell callers so.
  const readiness = Effect.sync(() => {
    const reason = isLedgerReady() ? (events.isLeaving() ? "stopping" : undefined) : "database away"
    const body = JSON.stringify({
      ready: reason === undefined,
      ...(reason !== undefined && { reason }),
      ...(events.isInMaintenance() && { maintenance: true })
    })
    return { status: reason === undefined ? 200 : 503, body }
  })

  const metrics = Effect.map(threads.numbers, (numbers) => ({
    status: 200,
    body: renderMetrics({
      ...numbers,
      threadRestarts: threads.restarts(),
      mainDelaySeconds: mainDelay.read(),
      mainHeapBytes: heapBytes(),
      residentBytes: process.memoryUsage.rss(),
      startedAtSeconds,
      freeDiskBytes: disk.bytes,
      maintenance: events.isInMaintenance(),
      draining: events.isLeaving(),
      journal: journal.state,
      journalQueue: journal.queued(),
      keyLookups: { ...keys.counts, waiting: keys.waiting },
      liveNodes: life.liveNodes(),
      settingsApart: settingsApart(),
      clockAheadSeconds: (Date.now() - life.deadline.dateMs()) / 1000,
      holds: ledger.wallets.holds(),
      wallets: ledger.wallets.size,
      overdraft: ledger.wallets.overdraft,
      deliveries: deliveries.samples()
    })
  }))

  const live = Effect.map(threads.numbers, ({ threads: snapshots }): LiveState => {
    const total = (read: (snapshot: (typeof snapshots)[number]) => number) =>
      snapshots.reduce((sum, each) => sum + read(each), 0)
    return {
      openCalls: total(({ openCalls }) => openCalls),
      heldMicroVnd: String(ledger.wallets.holds().amount),
      callsPerMinute: total(({ callsPerMinute }) => callsPerMinute),
      isLedgerReady: isLedgerReady(),
      eventLoopDelayMs: Math.max(0, ...snapshots.map((each) => each.eventLoopDelaySeconds.p99 * 1000))
    }
  })

  const sharedMetrics = shareRuns(metrics, metricsRestMs)
  const page: Pages["page"] = (name) => (name === "readyz" ? readiness : sharedMetrics)
  return { page, live, countDelivery: deliveries.count }
})
