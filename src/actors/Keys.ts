/** All keys in use on this node: one actor per key, which knows its status and whether its limit lets another call pass. */
import { Effect } from "effect"
import type { AccountId, KeyId } from "../domain/ids.ts"
import type { Permit, PermitAsk } from "../storage/LimitStore.ts"
import type { KeyState } from "../storage/LedgerStore.ts"
import type { Unavailable } from "./Actor.ts"
import { ActorMap } from "./ActorMap.ts"
import { monotonicMs } from "./monotonic.ts"

export type KeyAnswer =
  | { readonly _tag: "Admitted" }
  | { readonly _tag: "Revoked" }
  | { readonly _tag: "Limited"; readonly retryAfterMs: number }

export interface KeyCommand {
  readonly accountId: AccountId
  readonly nowMs: number
  /**
   * `call` counts against the key's rate limit; `start`, before anything is done for a call, is refused where that is known
   * to be used up; `status` has nothing to do with it.
   */
  readonly purpose: "status" | "start" | "call"
}

export interface KeysOptions {
  /** The key's state; `undefined`: there is no such key. */
  readonly load: (keyId: KeyId) => Effect.Effect<KeyState | undefined, Unavailable>
  /** What of the cluster's limit is left. */
  readonly take: (ask: PermitAsk) => Effect.Effect<Permit, Unavailable>
  readonly mailboxCapacity: number
  readonly fork: (serve: Effect.Effect<void>) => void
}

interface OwnedKey {
  /** `undefined`: there is no such key. */
  key: KeyState | undefined
  /** The key must be read again. */
  isStale: boolean
  /** Calls that may pass, taken from the limit for those who wait. */
  permits: number
  /** Until then no call passes. */
  limitedUntilMs: number
}

const admitted: KeyAnswer = { _tag: "Admitted" }
const revoked: KeyAnswer = { _tag: "Revoked" }

export class Keys {
  readonly #actors: ActorMap<KeyId, OwnedKey, KeyCommand, KeyAnswer>
  readonly #options: KeysOptions

  constructor(options: KeysOptions) {
    this.#options = options
    this.#actors = new ActorMap(
      (keyId) => ({
        decide: decideKey,
        refresh: (owned, commands) => this.#refresh(keyId, owned, commands),
        decideFresh: (owned, command) => decideKey(owned, command) ?? limitedOf(owned, command)
      }),
      options
    )
  }

  /** Decides now: an `Exit` where the key is known and has no limit, else what waits. */
  askUnsafe(keyId: KeyId, command: KeyCommand): Effect.Effect<KeyAnswer, Unavailable> {
    return this.#actors.askUnsafe(keyId, command, command.nowMs)
  }

  /** Whether calls of this key need no counting, as far as is known now. */
  isUnlimited(keyId: KeyId): boolean {
    const actor = this.#actors.get(keyId)
    const key = actor?.state?.key
    return actor?.isUsable === true && key?.active === true && key.rateLimitPerMinute === 0
  }

  invalidate(keyId: KeyId): void {
    const owned = this.#actors.state(keyId)
    if (owned !== undefined) owned.isStale = true
    this.#actors.invalidate(keyId)
  }

  invalidateAll(): void {
    for (const [, owned] of this.#actors.states()) owned.isStale = true
    this.#actors.invalidateAll()
  }

  /** Forgets keys that nobody has used since `beforeMs`. */
  putAwayIdle(beforeMs: number): void {
    this.#actors.retire(beforeMs, () => true)
  }

  /** Reads the key where that is due, and takes from its limit for all who wait. */
  readonly #refresh = Effect.fnUntraced(
    { self: this },
    function* (this: Keys, keyId: KeyId, former: OwnedKey | undefined, commands: ReadonlyArray<KeyCommand>) {
      const owned: OwnedKey = former ?? { key: undefined, isStale: true, permits: 0, limitedUntilMs: 0 }
      if (owned.isStale) {
        // A change that is told of from now on is not known to this answer.
        owned.isStale = false
        owned.limitedUntilMs = 0
        owned.key = yield* Effect.onError(this.#options.load(keyId), () =>
          Effect.sync(() => void (owned.isStale = true))
        )
      }
      const perMinute = owned.key?.rateLimitPerMinute ?? 0
      const calls = commands.filter(({ purpose }) => purpose === "call").length
      if (owned.key?.active !== true || perMinute === 0 || calls === 0) return () => owned
      const permit = yield* this.#options.take({ keyId, calls, perMinute })
      const limitedUntilMs = permit.granted < calls ? (yield* monotonicMs) + permit.retryAfterMs : 0
      return () => Object.assign(owned, { permits: permit.granted, limitedUntilMs })
    }
  )
}

const decideKey = (owned: OwnedKey, command: KeyCommand): KeyAnswer | undefined => {
  const { key } = owned
  if (key === undefined || !key.active || key.accountId !== command.accountId) return revoked
  if (key.rateLimitPerMinute === 0 || command.purpose === "status") return admitted
  const isCall = command.purpose === "call"
  if (owned.permits > 0) {
    if (isCall) owned.permits--
    return admitted
  }
  if (owned.limitedUntilMs > command.nowMs) return limitedOf(owned, command)
  return isCall ? undefined : admitted
}

const limitedOf = ({ limitedUntilMs }: OwnedKey, { nowMs }: KeyCommand): KeyAnswer => ({
  _tag: "Limited",
  retryAfterMs: Math.max(1, limitedUntilMs - nowMs)
})
