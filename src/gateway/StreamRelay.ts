/**
 * Moves a stream from the upstream to the client, in plain callbacks. It keeps the status line back until there is
 * content, pauses the upstream while the client does not keep up or the hold is used up, and keeps idle streams alive.
 */
import { Effect } from "effect"
import { type StreamFailure, brokenOff, unreadable } from "../formats/errors/stream-failure.ts"
import type { StreamCodec } from "../formats/stream/stream-codec.ts"
import { steadyMs } from "../telemetry/steady-clock.ts"
import type { Watched } from "../upstream/Sweeper.ts"
import type { UpstreamExchange, UpstreamFault } from "../upstream/UpstreamExchange.ts"
import type { Client, ResponseHeaders } from "./Client.ts"
import type { HoldMeter, OutputSoFar } from "./HoldMeter.ts"
import { Withheld } from "./Withheld.ts"

/** How a stream ended on the upstream's side. */
export type RelayEnd =
  | { readonly _tag: "Finished" }
  /** The upstream failed, in the protocol's own words. */
  | { readonly _tag: "Failed"; readonly failure: StreamFailure }
  /** The upstream broke off or took too long. */
  | { readonly _tag: "Broken"; readonly fault: UpstreamFault }
  /** The wallet did not cover more of it: so many events, the last that have come, are not passed on. */
  | { readonly _tag: "Exhausted"; readonly lostEvents: number }

const finished: RelayEnd = { _tag: "Finished" }
const failedMidway: RelayEnd = { _tag: "Failed", failure: brokenOff }

/** What an upstream still sends after the protocol's end is waited for, but neither for long nor much of it. */
const trailingMs = 500
const trailingBytesMax = 1024 * 1024

/** What may come before the first content: Responses repeat the request's instructions there, twice. */
const earlyBytesMax = 64 * 1024 * 1024

/**
 * Some upstreams neither close nor send the protocol's last event behind a whole answer, only comments:
 * https://github.com/maximhq/bifrost/issues/6784 and https://github.com/musistudio/claude-code-router/pull/1271
 */
const lateEndMs = 10_000

export interface RelayOptions {
  readonly client: Client
  readonly upstream: UpstreamExchange
  readonly codec: StreamCodec
  readonly headers: () => ResponseHeaders
  /** What keeps a stream of this protocol alive now; `undefined` when nothing may be sent. */
  readonly keepAlive: () => string | undefined
  readonly hold: { readonly meter: HoldMeter; readonly output: () => OutputSoFar } | undefined
  readonly keepAliveMs: number
  readonly stalledClientMs: number
  /** Since when the client has had nothing, by the steady clock. */
  readonly lastWriteMs: number
  /** The status line has gone out already. */
  readonly started: boolean
  readonly onFirstByte: (nowMs: number) => void
  readonly watch: (watched: Watched) => () => void
}

export class StreamRelay implements Watched {
  readonly #options: RelayOptions
  readonly #unwatch: () => void
  /** The client's bytes before the status line has gone out. */
  #early: Array<Buffer> = []
  #earlyBytes = 0
  #started = false
  #detached = false
  /** How it has ended. */
  #end: Effect.Effect<RelayEnd> | undefined
  /** The protocol's end has come; the upstream's own, and perhaps more bytes, are still to come. */
  #finishedSinceMs: number | undefined
  /** Since when the answer is whole, and the content events it then had. */
  #whole: { readonly sinceMs: number; readonly events: number } | undefined
  #onEnd: ((end: Effect.Effect<RelayEnd>) => void) | undefined
  #lastWriteMs: number
  #blockedSinceMs: number | undefined
  #waitsForHold = false
  readonly #withheld = new Withheld()
  /** Tokens of output in what has been passed on. */
  #tokensPassed = 0
  #upstreamDone = false

  constructor(options: RelayOptions) {
    this.#options = options
    this.#started = options.started
    this.#lastWriteMs = options.lastWriteMs
    this.#unwatch = options.watch(this)
    options.upstream.listen({
      data: (bytes) => {
        if (this.#end === undefined) this.#read(bytes)
      },
      end: () => this.#upstreamEnded(),
      fault: (fault) => {
        // After the protocol's end nothing can go wrong any more.
        if (options.codec.finished) this.#upstreamEnded()
        else this.#finish({ _tag: "Broken", fault })
      }
    })
  }

  /** The status line has gone out: an error can only be an event now. */
  get started(): boolean {
    return this.#started
  }

  /**
   * Waits for the upstream's end, and dies of a fault of the codec's. Interrupting it leaves the relay as it is: see `abort`
   * and `detach`.
   */
  readonly ended: Effect.Effect<RelayEnd> = Effect.callback((resume) => {
    this.#onEnd = resume
    if (this.#end !== undefined) resume(this.#end)
  })

  /** Sends what was kept back for after the charge, and ends. */
  complete(last: Uint8Array | string = this.#options.codec.tail): void {
    this.#unwatch()
    const { client } = this.#options
    if (!client.isOpen) return
    if (!this.#started) this.#start(steadyMs())
    client.end(last)
  }

  /** Ends the stream with the protocol's error event. */
  fail(errorFrame: string): void {
    this.complete(errorFrame)
  }

  /** Breaks the upstream off. */
  abort(): void {
    this.#unwatch()
    this.#detached = true
    this.#options.upstream.abort()
  }

  /** The client has gone: what the upstream still sends is only counted, until `abort`. */
  detach(): void {
    this.#detached = true
    this.#early = []
    this.#withheld.take()
    this.#blockedSinceMs = undefined
    this.#options.upstream.resume(steadyMs())
    this.#proceed()
  }

  tick(nowMs: number): void {
    if (this.#finishedSinceMs !== undefined) {
      if (nowMs - this.#finishedSinceMs > trailingMs) this.#finish(finished)
      return
    }
    // The ledger could not answer: it is asked again.
    if (this.#waitsForHold) this.#holdAnswered()
    if (this.#blockedSinceMs !== undefined) {
      if (nowMs - this.#blockedSinceMs > this.#options.stalledClientMs) this.#options.client.drop()
      return
    }
    if (this.#whole !== undefined && !this.#waitsForHold && nowMs - this.#whole.sinceMs > lateEndMs)
      return this.#upstreamEnded()
    if (this.#detached || !this.#options.client.isOpen) return
    if (nowMs - this.#lastWriteMs < this.#options.keepAliveMs) return
    const keepAlive = this.#options.keepAlive()
    if (keepAlive === undefined) return
    if (!this.#started) this.#start(nowMs)
    this.#write(keepAlive, nowMs)
  }

  /** The upstream's next bytes, or its end. */
  #read(bytes: Buffer | undefined): void {
    const { codec } = this.#options
    this.#advance(() => (bytes === undefined ? codec.end() : codec.push(bytes)))
  }

  /** A fault of the codec's or the meter's breaks this call, not all calls of the thread. */
  #advance(come: () => Buffer | undefined): void {
    try {
      this.#withhold(come())
      this.#proceed()
    } catch (cause) {
      this.#unwatch()
      this.#conclude(Effect.die(cause))
    }
  }

  #withhold(bytes: Buffer | undefined): void {
    if (bytes !== undefined && !this.#detached) this.#withheld.add(bytes)
  }

  /** Passes on what has come, as far as the hold covers it. */
  #proceed(): void {
    const { codec } = this.#options
    if (this.#end !== undefined) return
    // What breaks off costs nothing, so it needs no cover.
    if (codec.failure === undefined && !this.#isCovered()) return
    this.#passWithheld()
    if (codec.failure !== undefined) return this.#finish({ _tag: "Failed", failure: codec.failure })
    if (this.#upstreamDone) return this.#finish(codec.finished ? finished : failedMidway)
    if (!codec.finished) return this.#noticeWhole()
    this.#finishedSinceMs ??= steadyMs()
    if (codec.tail.length > trailingBytesMax) this.#finish(finished)
  }

  /** More content may follow a finish, as where one of several choices ends before the others. */
  #noticeWhole(): void {
    const { codec } = this.#options
    const { events } = codec.meter
    if (codec.isWhole === true && this.#whole?.events !== events)
      this.#whole = { sinceMs: steadyMs(), events }
  }

  #passWithheld(): void {
    const bytes = this.#withheld.take()
    if (!this.#detached) this.#pass(bytes)
  }

  /** Whether the hold covers all that has come; else the upstream waits until it does, or the stream ends here. */
  #isCovered(): boolean {
    const { codec, hold, upstream } = this.#options
    // An answer may be over without content, and all of it thoughts.
    if (hold === undefined || !(codec.contentSeen || codec.finished)) return true
    const output = hold.output()
    const state = hold.meter.check(output, () => this.#holdAnswered())
    this.#waitsForHold = state === "waiting"
    if (state === "covered") this.#tokensPassed = output.guess
    if (state === "waiting") upstream.pause()
    if (state === "exhausted") {
      // What is not paid for is neither passed on nor charged.
      const paid = (hold.meter.covered - this.#tokensPassed) / (output.guess - this.#tokensPassed)
      const { bytes, lostEvents } = this.#withheld.takeShare(paid)
      if (bytes !== undefined && !this.#detached) this.#pass(bytes)
      this.#finish({ _tag: "Exhausted", lostEvents })
    }
    return state === "covered"
  }

  #holdAnswered(): void {
    if (this.#end !== undefined || !this.#waitsForHold) return
    this.#advance(() => undefined)
    this.#resume()
  }

  #pass(bytes: Buffer | undefined): void {
    const nowMs = steadyMs()
    if (!this.#started) {
      if (bytes !== undefined) this.#early.push(bytes)
      this.#earlyBytes += bytes?.length ?? 0
      if (this.#options.codec.contentSeen) this.#start(nowMs)
      else if (this.#earlyBytes > earlyBytesMax) this.#finish({ _tag: "Failed", failure: unreadable })
      return
    }
    if (bytes !== undefined) this.#write(bytes, nowMs)
  }

  #start(nowMs: number): void {
    const { client, headers, onFirstByte } = this.#options
    this.#started = true
    onFirstByte(nowMs)
    client.start(200, headers())
    const early = this.#early
    this.#early = []
    if (early.length > 0) this.#write(early.length === 1 ? early[0]! : Buffer.concat(early), nowMs)
  }

  #write(bytes: Uint8Array | string, nowMs: number): void {
    const { client, upstream } = this.#options
    this.#lastWriteMs = nowMs
    if (client.write(bytes)) return
    this.#blockedSinceMs = nowMs
    upstream.pause()
    client.whenWritable(() => {
      this.#blockedSinceMs = undefined
      this.#lastWriteMs = steadyMs()
      this.#resume()
    })
  }

  #resume(): void {
    if (this.#blockedSinceMs !== undefined || this.#waitsForHold) return
    const nowMs = steadyMs()
    if (this.#whole !== undefined) this.#whole = { ...this.#whole, sinceMs: nowMs }
    this.#options.upstream.resume(nowMs)
  }

  #upstreamEnded(): void {
    if (this.#end !== undefined) return
    this.#upstreamDone = true
    this.#read(undefined)
  }

  #finish(end: RelayEnd): void {
    this.#conclude(Effect.succeed(end))
  }

  #conclude(end: Effect.Effect<RelayEnd>): void {
    if (this.#end !== undefined) return
    this.#end = end
    // One that has ended keeps its connection; one that goes on sending is not listened to any more.
    this.#options.upstream.abort()
    this.#onEnd?.(end)
  }
}
