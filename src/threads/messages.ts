/** What the main thread and its other threads say to each other beside the ledger's frames. Plain data. */
import type { MessagePort } from "node:worker_threads"
import type { Settings } from "../config/settings.ts"
import type { ModelOverrides } from "../domain/model-overrides.ts"
import type { RouteTried } from "../domain/route-tried.ts"
import type { DashboardTarget } from "../http/DashboardProxy.ts"
import type { RoutesTold } from "../upstream/Upstreams.ts"
import type { ThreadSnapshot } from "../telemetry/ThreadMetrics.ts"

/** What a gateway thread starts with. */
export interface GatewayThreadData {
  readonly settings: Settings
  readonly overrides: ModelOverrides
  readonly dashboard: DashboardTarget | undefined
  /** Others that listen on the port are of this node, or of its database; else it is taken. */
  readonly isPortShared: boolean
}

/** All that a gateway's worker is given. */
export interface GatewayWorkerData {
  readonly data: GatewayThreadData
  readonly ledger: MessagePort
  /** Memory shared with the ledger: what the thread may hold by itself. */
  readonly allowances: SharedArrayBuffer
  /** And until when it may. */
  readonly deadline: SharedArrayBuffer
}

export type ToThread =
  | {
      readonly kind: "settings"
      readonly id: number
      readonly settings: Settings
      readonly overrides: ModelOverrides
    }
  | { readonly kind: "dashboard"; readonly dashboard: DashboardTarget | undefined }
  | { readonly kind: "snapshot"; readonly id: number }
  /** Send a small call over this route. */
  | { readonly kind: "try"; readonly id: number; readonly route: string }
  | { readonly kind: "answer"; readonly id: number; readonly status: number; readonly body: string }
  /** Go on, but end each connection with its next answer. */
  | { readonly kind: "hand over" }
  /** Finish what is under way, then say `drained`. `listen`: new connections are still taken, to be told to come back. */
  | { readonly kind: "drain"; readonly listen: boolean }
  /** End what is still under way. */
  | { readonly kind: "cut" }
  | { readonly kind: "stop" }
  /** Die of a fault, for tests. */
  | { readonly kind: "crash" }

export type FromThread =
  | { readonly kind: "listening"; readonly port: number }
  /** The thread can not serve; `message` says why in one line. */
  | { readonly kind: "failed"; readonly message: string }
  | { readonly kind: "applied"; readonly id: number }
  | { readonly kind: "snapshot"; readonly id: number; readonly snapshot: ThreadSnapshot }
  | { readonly kind: "tried"; readonly id: number; readonly tried: RouteTried | undefined }
  | { readonly kind: "page"; readonly id: number; readonly page: "readyz" | "metrics" }
  | { readonly kind: "drained" }
  /** How routes fare, told every few seconds by who has something to tell. */
  | { readonly kind: "routes"; readonly told: RoutesTold }

/** What the dashboard's thread starts with; `settings.databaseUrl` must be set. */
export interface DashboardThreadData {
  readonly settings: Settings
  readonly internalSecret: string
}

/** What the dashboard's thread says: where it listens, once; `live` and `try` questions (live-state.ts); lines for the log; attempts to deliver alerts. */
export type FromDashboard =
  | { readonly kind: "listening"; readonly url: string }
  | { readonly kind: "warning"; readonly message: string; readonly requestId?: string | undefined }
  | { readonly kind: "live"; readonly id: number }
  | { readonly kind: "try"; readonly id: number; readonly route: string }
  | { readonly kind: "delivery"; readonly channel: string; readonly outcome: string }

export type ToDashboard =
  | { readonly kind: "settings"; readonly settings: Settings }
  | { readonly kind: "live"; readonly id: number; readonly state: unknown }
  | { readonly kind: "tried"; readonly id: number; readonly tried: unknown }
  | { readonly kind: "stop" }
  | { readonly kind: "crash" }
