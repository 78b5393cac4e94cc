/**
 * Look-ups of keys that gateway threads do not know: many to a query, one query after the other, so many waiting and no
 * more. Whoever makes keys up has all of them looked for, since their checksum is no secret: that must cost nobody else
 * anything.
 *
 * A key that was not there is remembered for a moment, so that a client which insists on a wrong one asks for nothing. That
 * keeps no new key out: a secret is made in the moment in which its row is written, and told when that is done. Nobody can
 * have asked for it before; what asks after is answered by the row, on every node.
 */
import { Effect } from "effect"
import type { FoundKey } from "../../storage/keys/find-keys.ts"
import type { KeyIdentity } from "./protocol.ts"

/** `undefined` for an unknown key, `null` where nobody can say now. */
export type Found = KeyIdentity | undefined | null

type Answer = (found: Found) => void

/** How look-ups ended. */
export interface KeyLookupCounts {
  found: number
  unknown: number
  /** Unknown, as was remembered. */
  remembered: number
  /** Too many waited, or the database was away. */
  unanswered: number
}

export interface KeyLookupLimits {
  readonly batchMax: number
  readonly waitingMax: number
  readonly rememberedMax: number
  readonly rememberedMs: number
}

const defaultLimits: KeyLookupLimits = {
  batchMax: 500,
  waitingMax: 4_000,
  rememberedMax: 20_000,
  rememberedMs: 2_000
}

export class KeyLookups {
  readonly counts: KeyLookupCounts = { found: 0, unknown: 0, remembered: 0, unanswered: 0 }
  readonly #limits: KeyLookupLimits
  readonly #nowMs: () => number
  readonly #waiting = new Map<string, Array<Answer>>()
  #waitingCount = 0
  /** Until when; the oldest first. */
  readonly #unknown = new Map<string, number>()
  #wake: (() => void) | undefined

  constructor(limits: Partial<KeyLookupLimits> = {}, nowMs: () => number = () => performance.now()) {
    this.#limits = { ...defaultLimits, ...limits }
    this.#nowMs = nowMs
  }

  get waiting(): number {
    return this.#waitingCount
  }

  identify(secretHash: Uint8Array, answer: Answer): void {
    const hash = Buffer.from(secretHash).toString("hex")
    if (this.#isRemembered(hash)) {
      this.counts.remembered++
      return answer(undefined)
    }
    if (this.#waitingCount >= this.#limits.waitingMax) {
      this.counts.unanswered++
      return answer(null)
    }
    this.#waitingCount++
    const answers = this.#waiting.get(hash)
    if (answers === undefined) this.#waiting.set(hash, [answer])
    else answers.push(answer)
    this.#wake?.()
  }

  /** Looks for what waits, for ever. A `find` that fails leaves its askers without an answer, and nothing else. */
  serve(find: (secretHashes: ReadonlyArray<Uint8Array>) => Effect.Effect<ReadonlyArray<FoundKey>, unknown>) {
    return this.#untilAsked.pipe(
      Effect.andThen(
        Effect.suspend(() => {
          const batch = this.#takeBatch()
          return find([...batch.keys()].map((hash) => Buffer.from(hash, "hex"))).pipe(
            Effect.matchCause({
              onSuccess: (keys) => this.#answer(batch, keys),
              onFailure: () => this.#giveUp(batch)
            })
          )
        })
      ),
      Effect.forever
    )
  }

  /** What is asked within one turn shares a query. */
  readonly #untilAsked = Effect.callback<void>((resume) => {
    if (this.#waiting.size > 0) return resume(Effect.void)
    this.#wake = () => {
      this.#wake = undefined
      setImmediate(() => resume(Effect.void))
    }
    return Effect.sync(() => (this.#wake = undefined))
  })

  #takeBatch(): ReadonlyMap<string, ReadonlyArray<Answer>> {
    const batch = new Map<string, ReadonlyArray<Answer>>()
    for (const [hash, answers] of this.#waiting) {
      if (batch.size >= this.#limits.batchMax) break
      batch.set(hash, answers)
      this.#waiting.delete(hash)
      this.#waitingCount -= answers.length
    }
    return batch
  }

  #answer(batch: ReadonlyMap<string, ReadonlyArray<Answer>>, keys: ReadonlyArray<FoundKey>): void {
    const found = new Map(keys.map((key) => [Buffer.from(key.secretHash).toString("hex"), key]))
    for (const [hash, answers] of batch) {
      const key = found.get(hash)
      if (key === undefined) this.#remember(hash)
      this.counts[key === undefined ? "unknown" : "found"] += answers.length
      for (const answer of answers) answer(key)
    }
  }

  #giveUp(batch: ReadonlyMap<string, ReadonlyArray<Answer>>): void {
    for (const answers of batch.values()) {
      this.counts.unanswered += answers.length
      for (const answer of answers) answer(null)
    }
  }

  #isRemembered(hash: string): boolean {
    const untilMs = this.#unknown.get(hash)
    if (untilMs === undefined) return false
    if (untilMs > this.#nowMs()) return true
    this.#unknown.delete(hash)
    return false
  }

  #remember(hash: string): void {
    const nowMs = this.#nowMs()
    this.#unknown.delete(hash)
    this.#unknown.set(hash, nowMs + this.#limits.rememberedMs)
    for (const [oldest, untilMs] of this.#unknown) {
      if (untilMs > nowMs && this.#unknown.size <= this.#limits.rememberedMax) break
      this.#unknown.delete(oldest)
    }
  }
}
