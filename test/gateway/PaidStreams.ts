/**
 * Streams of one wallet, as the gateway serves them from admission to charge: the real admission, relay, meter and codec,
 * over a wallet that decides as the ledger's does. What the upstreams send, when the ledger answers and who leaves when is
 * the test's to say.
 */
import { Effect, Exit, type Fiber, FiberSet, Scope } from "effect"
import { prepareCall } from "../../src/compute/prepare-call.ts"
import type { CallRecord } from "../../src/domain/call.ts"
import type { Model } from "../../src/domain/catalogue.ts"
import type { AccountId, CallId, KeyId } from "../../src/domain/ids.ts"
import { emptyWallet, perform, type Wallet, type WalletDecision } from "../../src/domain/wallet.ts"
import { pairOf, wayTo } from "../../src/formats/pairs.ts"
import { admitText } from "../../src/gateway/admit-text.ts"
import { Call } from "../../src/gateway/Call.ts"
import type { Client } from "../../src/gateway/Client.ts"
import { contextOf } from "../../src/gateway/conversion-context.ts"
import type { GatewayShape } from "../../src/gateway/Gateway.ts"
import { relayStream } from "../../src/gateway/relay-stream.ts"
import { HoldLost, type LedgerClient } from "../../src/ledger/bridge/LedgerClient.ts"
import type { Admission } from "../../src/ledger/bridge/protocol.ts"
import type { Delivery } from "../../src/upstream/http1/Delivery.ts"
import { UpstreamExchange } from "../../src/upstream/UpstreamExchange.ts"
import { steadyMs } from "../../src/telemetry/steady-clock.ts"

/** How a stream has ended for its wallet. */
export interface Settled {
  readonly record: CallRecord
  /** µVND that it held until then. */
  readonly held: bigint
}

export interface PaidStream {
  readonly call: Call
  readonly exchange: UpstreamExchange
  readonly sent: Array<string>
  /** The upstream is not read: the gateway waits for its hold. */
  readonly isPaused: () => boolean
  readonly isOver: () => boolean
  readonly leave: () => void
  /** The process ends, and the client is there. */
  readonly cut: () => void
}

export class PaidStreams {
  readonly wallet: Wallet
  readonly settled = new Map<CallId, Settled>()
  /** What wallets were charged below zero, as the ledger counts it. */
  overdraft = 0n
  /** Relays that are looked at from time to time. */
  watched = 0
  /** The ledger knows of no hold any more: nothing can be charged. */
  losesHolds = false
  /** Extensions that the ledger has not answered yet. */
  readonly unanswered: Array<() => void> = []
  readonly #quantum: number
  readonly #onClientLeave: "abort" | "drain"
  readonly #drains = Effect.runSync(Scope.provide(FiberSet.make<void>(), Scope.makeUnsafe()))

  constructor(funds: bigint, quantum: number, onClientLeave: "abort" | "drain" = "abort") {
    this.wallet = emptyWallet(funds)
    this.#quantum = quantum
    this.#onClientLeave = onClientLeave
  }

  /** Admits a streamed call and begins to relay it; `undefined` where the wallet does not cover it. */
  open(model: Model, body: object): PaidStream | undefined {
    const way = wayTo("chat_completions", model)!
    const bytes = Buffer.from(JSON.stringify({ model: model.id, stream: true, ...body }))
    const prepared = prepareCall({ way, model, body: bytes, anthropicBeta: "" })
    const sent: Array<string> = []
    const client = clientInto(sent)
    const call = new Call(client, "chat_completions", Date.now())
      .identify({ accountId: "acc" as AccountId, keyId: "key" as KeyId, secret: 0 })
      .resolve({ model, mappedFrom: undefined }, { models: [model], withdrawn: [] })
    const gateway = this.#gateway()
    const admitted = Effect.runSyncExit(admitText(gateway, call, prepared))
    if (Exit.isFailure(admitted)) return undefined
    let paused = false
    const delivery = { pause: () => (paused = true), resume: () => (paused = false), abort: () => {} }
    const exchange = new UpstreamExchange(noLimits, steadyMs(), () => () => {})
    exchange.begin(delivery as unknown as Delivery)
    const text = {
      call,
      way,
      model,
      provider: { onClientLeave: this.#onClientLeave },
      prepared,
      admitted: admitted.value
    }
    const opened = {
      answer: { head: { status: 200, headers: {} }, exchange, route: {} },
      codec: pairOf(way).stream(contextOf(text as never)),
      opening: { started: false, lastWriteMs: steadyMs() }
    }
    const fiber: Fiber.Fiber<void, unknown> = Effect.runFork(
      relayStream(gateway, text as never, opened as never)
    )
    return {
      call,
      exchange,
      sent,
      isPaused: () => paused,
      isOver: () => this.settled.has(call.id),
      leave: () => {
        Object.assign(client, { isOpen: false })
        fiber.interruptUnsafe()
      },
      cut: () => fiber.interruptUnsafe()
    }
  }

  #gateway(): GatewayShape {
    const limits = {
      holdOutputTokens: this.#quantum,
      keepAliveSeconds: 15,
      stalledClientSeconds: 300,
      drainSeconds: 30
    }
    return {
      ledger: this.#ledger(),
      metrics: { openStreams: 0, finished: () => {} },
      log: { call: () => {}, problem: () => {} },
      drains: this.#drains,
      models: { settings: () => ({ limits, publicUrl: "http://gateway" }) },
      sweeper: { watch: () => this.#watch() },
      upstreams: { reportBroken: () => {} }
    } as unknown as GatewayShape
  }

  #watch(): () => void {
    let isWatched = true
    this.watched++
    return () => {
      if (isWatched) this.watched--
      isWatched = false
    }
  }

  #ledger(): LedgerClient {
    const answer = (decision: WalletDecision): Admission =>
      decision._tag === "Held" ? { _tag: "Admitted", granted: decision.granted } : { _tag: "Insufficient" }
    const settle = (record: CallRecord, { id }: { readonly id: CallId }): void => {
      const held = this.wallet.holds.get(id) ?? 0n
      const decision = perform(this.wallet, { _tag: "Settle", callId: id, cost: record.cost })
      if (decision._tag !== "Settled" || this.settled.has(id))
        throw new Error("settled twice, or without a hold")
      this.overdraft += decision.overdraft
      this.settled.set(id, { record, held })
    }
    return {
      admitUnsafe: (_identity: unknown, { id }: Call, demand: { minimum: bigint; wanted: bigint }) =>
        Effect.succeed(answer(perform(this.wallet, { _tag: "Hold", callId: id, ...demand }))),
      extend: (
        _account: unknown,
        { id }: Call,
        demand: { minimum: bigint; wanted: bigint },
        told: (answer: Admission) => void
      ) =>
        void this.unanswered.push(() =>
          told(answer(perform(this.wallet, { _tag: "Extend", callId: id, ...demand })))
        ),
      settle: (record: CallRecord, call: Call) =>
        Effect.suspend(() =>
          this.losesHolds ? Effect.fail(new HoldLost()) : Effect.sync(() => settle(record, call))
        ),
      record: settle
    } as unknown as LedgerClient
  }
}

const noLimits = {
  firstByteTimeoutMs: Infinity,
  idleTimeoutMs: Infinity,
  deadlineMs: Infinity,
  readWhole: false
}

const clientInto = (sent: Array<string>): Client =>
  ({
    isOpen: true,
    start: () => {},
    write: (piece: Uint8Array | string) => sent.push(Buffer.from(piece as string).toString()) > 0,
    end: (piece: Uint8Array | string = "") => void sent.push(Buffer.from(piece as string).toString())
  }) as unknown as Client
