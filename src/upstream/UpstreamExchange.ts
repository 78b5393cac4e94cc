/**
 * One request to a provider and its answer. Bytes arrive in plain callbacks; what arrives before somebody listens is
 * kept. Every phase has a limit, watched by the sweeper's one clock.
 */
import { Data, Effect } from "effect"
import { steadyMs } from "../telemetry/steady-clock.ts"
import { joinInTurns } from "./join-in-turns.ts"
import type { AnswerListener, Delivery } from "./http1/Delivery.ts"
import type { AnswerHead } from "./http1/read-head.ts"
import type { Watched } from "./Sweeper.ts"

/** `connect`: no work was done. `timeout` and `broken`: the provider's fault, work may have been done. `cut`: we stop. */
export class UpstreamFault extends Data.TaggedError("UpstreamFault")<{
  readonly reason: "connect" | "timeout" | "broken" | "too_large" | "cut"
  readonly detail: string
}> {}

export interface ExchangeLimits {
  readonly firstByteTimeoutMs: number
  readonly idleTimeoutMs: number
  /** When the whole call must be over, by the steady clock. */
  readonly deadlineMs: number
  /** A successful answer will be read whole: its head is told of together with its body, unless that is large. */
  readonly readWhole: boolean
}

/** Who is told what becomes of a request, whoever takes its answer. */
export interface ExchangeWitness {
  /** Nobody waits for the head any more. */
  left(): void
  /** The whole answer has come. `error`: the body of one that is no success, or as much of it as is kept. */
  ended(head: AnswerHead, error: Buffer): void
}

/** Who takes the answer's bytes. */
export interface UpstreamListener {
  data(chunk: Buffer): void
  end(): void
  fault(fault: UpstreamFault): void
}

/** So much of a body is kept before whoever will read it is told of its head. */
const keptBytesMax = 256 * 1024

/** Of an error's body, for what stands in it alone. */
const errorBytesMax = 64 * 1024
const noError = Buffer.alloc(0)

/** Of an error, whose head has said what its client waits for: some proxies never end the bodies of theirs. */
const errorIdleMs = 10_000

export const isSuccess = (status: number): boolean => status >= 200 && status < 300

export class UpstreamExchange implements AnswerListener, Watched {
  readonly #limits: ExchangeLimits
  readonly #unwatch: () => void
  readonly #witness: ExchangeWitness | undefined
  #delivery: Delivery | undefined
  #head: AnswerHead | undefined
  #isError = false
  #onHead: ((result: AnswerHead | UpstreamFault) => void) | undefined
  #listener: UpstreamListener | undefined
  #early: Array<Buffer> = []
  #earlyBytes = 0
  readonly #error: Array<Buffer> = []
  #errorBytes = 0
  #fault: UpstreamFault | undefined
  #ended = false
  #paused = false
  #lastProgressMs: number

  constructor(
    limits: ExchangeLimits,
    nowMs: number,
    watch: (watched: Watched) => () => void,
    witness?: ExchangeWitness
  ) {
    this.#limits = limits
    this.#witness = witness
    this.#lastProgressMs = nowMs
    this.#unwatch = watch(this)
  }

  /** Status and headers of the answer. Interrupting it aborts the request. */
  readonly head: Effect.Effect<AnswerHead, UpstreamFault> = Effect.callback((resume) => {
    const answer = (result: AnswerHead | UpstreamFault) =>
      resume(result instanceof UpstreamFault ? Effect.fail(result) : Effect.succeed(result))
    if (this.#fault !== undefined) return answer(this.#fault)
    this.#onHead = answer
    this.#tellHead()
    if (this.#onHead === undefined) return
    return Effect.sync(() => {
      this.#witness?.left()
      this.abort()
    })
  })

  /** Nothing of the request waits to go out any more, as far as is known. */
  get hasSentAll(): boolean {
    return this.#delivery?.hasSentAll === true
  }

  /** The whole body, at most `bytesMax` bytes of it. Interrupting it aborts the request. */
  body(bytesMax: number): Effect.Effect<Buffer, UpstreamFault> {
    return Effect.callback((resume) => {
      const chunks: Array<Buffer> = []
      let size = 0
      this.listen({
        data: (chunk) => {
          size += chunk.length
          if (size <= bytesMax) {
            chunks.push(chunk)
            return
          }
          this.abort()
          resume(Effect.fail(new UpstreamFault({ reason: "too_large", detail: "answer too large" })))
        },
        end: () => joinInTurns(chunks, size, (whole) => resume(Effect.succeed(whole))),
        fault: (fault) => resume(Effect.fail(fault))
      })
      return Effect.sync(() => this.abort())
    })
  }

  /** Gives everything to `listener`, beginning with what has come already. */
  listen(listener: UpstreamListener): void {
    this.#listener = listener
    const early = this.#early
    this.#early = []
    for (const chunk of early) listener.data(chunk)
    if (this.#fault !== undefined) listener.fault(this.#fault)
    else if (this.#ended) listener.end()
  }

  /** What nobody reads yet is read on as far as it may be kept: a short error comes to its end meanwhile. */
  pause(): void {
    if (this.#paused) return
    this.#paused = true
    if (this.#listener !== undefined || this.#isFull) this.#delivery?.pause()
  }

  resume(nowMs: number): void {
    if (!this.#paused) return
    this.#paused = false
    this.#lastProgressMs = nowMs
    this.#delivery?.resume()
  }

  /** Breaks the request off; the listener hears no more of it. */
  abort(): void {
    this.#listener = undefined
    this.#onHead = undefined
    this.#early = []
    this.#unwatch()
    this.#delivery?.abort()
  }

  tick(nowMs: number): void {
    if (nowMs > this.#limits.deadlineMs) return this.#fail("timeout", "the call took too long")
    if (this.#paused) return
    if (nowMs - this.#lastProgressMs > this.#silenceMaxMs) this.#fail("timeout", "no answer in time")
  }

  cut(): void {
    this.#fail("cut", "the gateway stops")
  }

  /** `delivery` is that of this request, which has been given to a pool. */
  begin(delivery: Delivery): void {
    this.#delivery = delivery
  }

  onProgress(): void {
    this.#lastProgressMs = steadyMs()
  }

  onHead(head: AnswerHead): void {
    this.#head = head
    this.#isError = !isSuccess(head.status)
    this.#lastProgressMs = steadyMs()
    this.#tellHead()
  }

  onData(bytes: Buffer): void {
    this.#lastProgressMs = steadyMs()
    if (this.#isError) this.#noteError(bytes)
    if (this.#listener === undefined) this.#keep(bytes)
    else this.#listener.data(bytes)
  }

  onEnd(): void {
    this.#ended = true
    this.#unwatch()
    this.#witness?.ended(this.#head!, this.#isError ? Buffer.concat(this.#error) : noError)
    const listener = this.#listener
    // Whoever begins to listen on hearing of the head is told of the end right then.
    this.#tellHead()
    listener?.end()
  }

  onFailure(reason: string, isUnsent: boolean): void {
    this.#settleFault(new UpstreamFault({ reason: isUnsent ? "connect" : "broken", detail: reason }))
  }

  get #silenceMaxMs(): number {
    const { firstByteTimeoutMs, idleTimeoutMs } = this.#limits
    if (this.#head === undefined) return firstByteTimeoutMs
    return this.#isError ? Math.min(idleTimeoutMs, errorIdleMs) : idleTimeoutMs
  }

  #keep(chunk: Buffer): void {
    this.#early.push(chunk)
    this.#earlyBytes += chunk.length
    if (this.#paused && this.#isFull) this.#delivery?.pause()
    this.#tellHead()
  }

  get #isFull(): boolean {
    return this.#earlyBytes >= keptBytesMax
  }

  #noteError(chunk: Buffer): void {
    if (this.#errorBytes < errorBytesMax) this.#error.push(chunk)
    this.#errorBytes += chunk.length
  }

  #tellHead(): void {
    if (this.#head === undefined || this.#onHead === undefined) return
    if (this.#waitsForBody) return
    const tell = this.#onHead
    this.#onHead = undefined
    tell(this.#head)
  }

  /** Only of a success: what an error's head says holds, whatever becomes of its body. */
  get #waitsForBody(): boolean {
    return !this.#isError && this.#limits.readWhole && !this.#ended && !this.#isFull
  }

  #fail(reason: UpstreamFault["reason"], detail: string): void {
    this.#settleFault(new UpstreamFault({ reason, detail }))
    this.#delivery?.abort()
  }

  #settleFault(fault: UpstreamFault): void {
    if (this.#ended || this.#fault !== undefined) return
    this.#fault = fault
    this.#ended = true
    this.#unwatch()
    this.#onHead?.(fault)
    this.#onHead = undefined
    this.#listener?.fault(fault)
  }
}
