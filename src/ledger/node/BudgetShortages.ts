/** What budgets did not cover a moment ago: callers of keys that can not pay cost the database a few statements a second. */
import { type Clock, Effect } from "effect"
import { monotonicMsOf } from "../../actors/monotonic.ts"
import type { KeyId } from "../../domain/ids.ts"
import type { MicroVnd } from "../../domain/money.ts"

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
  readonly #shortages = new Map<KeyId, Shortage>()

  constructor(clock: Clock.Clock) {
    this.#clock = clock
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

  untilAskedAgain(keyId: KeyId, minimum: MicroVnd): Effect.Effect<void> {
    const shortage = this.#shortages.get(keyId)
    if (shortage === undefined || minimum < shortage.minimum) return Effect.void
    return Effect.sleep(Math.max(0, shortage.untilMs - monotonicMsOf(this.#clock)))
  }
}
