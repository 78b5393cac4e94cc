/** What a gateway thread serves calls with, gathered once. */
import { Context, Effect, FiberSet, Layer } from "effect"
import { CodecPool } from "../compute/CodecPool.ts"
import type { Proxies } from "../config/choose-proxy.ts"
import { LedgerClient } from "../ledger/bridge/LedgerClient.ts"
import { CallLog } from "../telemetry/CallLog.ts"
import { ThreadMetrics } from "../telemetry/ThreadMetrics.ts"
import { Tracing } from "../telemetry/Tracing.ts"
import { BedrockSigners } from "../upstream/BedrockSigners.ts"
import type { FileFetcher } from "../upstream/fetch-file.ts"
import { Sweeper } from "../upstream/Sweeper.ts"
import { Upstreams } from "../upstream/Upstreams.ts"
import { Models } from "./Models.ts"

export interface GatewayShape {
  readonly models: Models["Service"]
  readonly ledger: LedgerClient
  readonly upstreams: Upstreams["Service"]
  readonly codecs: CodecPool["Service"]
  readonly sweeper: Sweeper["Service"]
  readonly signers: BedrockSigners
  readonly files: FileFetcher
  readonly log: CallLog["Service"]
  readonly metrics: ThreadMetrics
  readonly tracing: Tracing["Service"]
  /** What goes on after its client has left. */
  readonly drains: FiberSet.FiberSet<void>
}

export class Gateway extends Context.Service<Gateway, GatewayShape>()("tollgate/gateway/Gateway") {
  static readonly layer = (options: { readonly fileFetcher: FileFetcher; readonly proxies: Proxies }) =>
    Layer.effect(
      Gateway,
      Effect.gen(function* () {
        return {
          models: yield* Models,
          ledger: yield* LedgerClient.service,
          upstreams: yield* Upstreams,
          codecs: yield* CodecPool,
          sweeper: yield* Sweeper,
          signers: new BedrockSigners(options.proxies),
          files: options.fileFetcher,
          log: yield* CallLog,
          metrics: new ThreadMetrics(),
          tracing: yield* Tracing,
          drains: yield* FiberSet.make<void>()
        }
      })
    )
}
