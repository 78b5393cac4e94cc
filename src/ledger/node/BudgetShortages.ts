/** What budgets did not cover a moment ago: callers of keys that can not pay cost the database a few statements a second. */
import { type Clock, Effect } from "effect"
import { monotonicMsOf } from "../../actors/monotonic.ts"
import type { KeyId } from "../../domain/ids.ts"
import type { MicroVnd } from "../../domain/money.ts"
import type { Admission } from "../bridge/protocol.ts"
import { notNow } from "./at-once.ts"

/** The like of it is not asked for again before this time. */
interface Shortage {
  readonly minimum: MicroVnd
  readonly untilMs: number
  /** It covers the least there is: what more a call needs, its hold asks for. */
  hasRest: boolean
}

const askAgainAfterMs = 1_000

export class BudgetShortages {
  readonly #clock: Clock.Clock
  readonly #waitingMax: number
  readonly #shortages = new Map<KeyId, Shortage>()
  #waiting = 0

  /** `waitingMax`: how many calls of keys that are short may wait or ask. */
  constructor(clock: Clock.Clock, waitingMax: number) {
    this.#clock = clock
    this.#waitingMax = waitingMax
  }

  get(keyId: KeyId): Shortage | undefined {
    return this.#shortages.get(keyId)
  }

  note(keyId: KeyId, minimum: MicroVnd): void {
    const untilMs = monotonicMsOf(this.#clock) + askAgainAfterMs
    this.#shortages.set(keyId, { minimum, untilMs, hasRest: false })
  }

  forget(keyId: KeyId): void {
    this.#shortages.delete(keyId)
  }

  /** Forgets what counts no more. */
  putAway(): void {
    const nowMs = monotonicMsOf(this.#clock)
    for (const [keyId, { untilMs }] of this.#shortages) if (untilMs <= nowMs) this.#shortages.delete(keyId)
  }

  /** Asks at once, or when the like of it may be asked for again. */
  askInTime(keyId: KeyId, minimum: MicroVnd, ask: Effect.Effect<Admission>): Effect.Effect<Admission> {
    return Effect.suspend(() => {
      const shortage = this.#shortages.get(keyId)
      if (shortage === undefined || minimum < shortage.minimum) return ask
      if (this.#waiting >= this.#waitingMax) return Effect.succeed(notNow)
      this.#waiting++
      return Effect.sleep(Math.max(0, shortage.untilMs - monotonicMsOf(this.#clock))).pipe(
        Effect.andThen(ask),
        Effect.ensuring(Effect.sync(() => this.#waiting--))
      )
    })
  }
}
