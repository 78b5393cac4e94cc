/** All keys in use on this node: one actor per key, which knows its status and whether its limit lets another call pass. */
import { Effect } from "effect"
import type { AccountId, KeyId } from "../domain/ids.ts"
import type { Budgets, KeyRules } from "../domain/key-settings.ts"
import type { Permit, PermitAsk } from "../storage/keys/LimitStore.ts"
import type { KeyState } from "../storage/LedgerStore.ts"
import type { Unavailable } from "./Actor.ts"
import { ActorMap } from "./ActorMap.ts"
import { monotonicMs } from "./monotonic.ts"

export type KeyAnswer =
  /** `budgets` and `rules` are what the call must keep to, where anything is set. */
  | {
      readonly _tag: "Admitted"
      readonly budgets?: Budgets | undefined
      readonly rules?: KeyRules | undefined
    }
  | { readonly _tag: "Revoked" | "Paused" | "Expired" }
  | { readonly _tag: "Limited"; readonly retryAfterMs: number }

export interface KeyCommand {
  readonly accountId: AccountId
  /** The number of the secret that was shown. */
  readonly secret: number
  /** Of the monotonic clock. */
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
  /** Ms since 1970, for what ends at a date. */
  readonly dateMs: () => number
  readonly mailboxCapacity: number
  readonly fork: (serve: Effect.Effect<void>) => void
}

interface OwnedKey {
  /** `undefined`: there is no such key. */
  readonly key: KeyState | undefined
  /** Calls that may pass, taken from the limit for those who wait. */
  permits: number
  /** Until then no call passes. */
  limitedUntilMs: number
  /** How long that was when the limit said so. */
  retryAfterMs: number
}

const admitted: KeyAnswer = { _tag: "Admitted" }
const revoked: KeyAnswer = { _tag: "Revoked" }
const paused: KeyAnswer = { _tag: "Paused" }
const expired: KeyAnswer = { _tag: "Expired" }

export class Keys {
  readonly #actors: ActorMap<KeyId, OwnedKey, KeyCommand, KeyAnswer>
  readonly #options: KeysOptions

  constructor(options: KeysOptions) {
    this.#options = options
    this.#actors = new ActorMap(
      (keyId) => ({
        decide: (owned, command) => this.#decide(owned, command),
        refresh: (owned, commands, isUsable) => this.#refresh(keyId, isUsable ? owned : undefined, commands),
        decideFresh: (owned, command) => this.#decide(owned, command) ?? limitedOf(owned, command),
        // Of a key that ended meanwhile some are left, which must not let a later minute's calls pass.
        onServed: (owned) => (owned.permits = 0)
      }),
      options
    )
  }

  /** Decides now: an `Exit` where the key is known and has no limit, else what waits. */
  askUnsafe(keyId: KeyId, command: KeyCommand): Effect.Effect<KeyAnswer, Unavailable> {
    return this.#actors.askUnsafe(keyId, command, command.nowMs)
  }

  /** Whether calls with this secret of the key need not be asked for one by one, as far as is known now. */
  isUnlimited(keyId: KeyId, secret: number): boolean {
    const actor = this.#actors.get(keyId)
    const key = actor?.state?.key
    return actor?.isUsable === true && key !== undefined && key.secret === secret && hasNoTerms(key)
  }

  invalidate(keyId: KeyId): void {
    this.#actors.invalidate(keyId)
  }

  /** All of this account. */
  invalidateOf(accountId: AccountId): void {
    this.#actors.invalidateWhere(({ key }) => key?.accountId === accountId)
  }

  invalidateAll(): void {
    this.#actors.invalidateAll()
  }

  /** Forgets keys that nobody has used since `beforeMs`. */
  putAwayIdle(beforeMs: number): void {
    this.#actors.retire(beforeMs, () => true)
  }

  #decide(owned: OwnedKey, command: KeyCommand): KeyAnswer | undefined {
    const { key } = owned
    if (key === undefined) return revoked
    const refusal = this.#refusalOf(key, command)
    if (refusal !== undefined) return refusal
    if (key.rateLimitPerMinute === 0 || command.purpose === "status") return admittedOf(key)
    const isCall = command.purpose === "call"
    if (owned.permits > 0) {
      if (isCall) owned.permits--
      return admittedOf(key)
    }
    if (owned.limitedUntilMs > command.nowMs) return limitedOf(owned, command)
    return isCall ? undefined : admittedOf(key)
  }

  /** Whatever its limit says. */
  #refusalOf(key: KeyState, command: KeyCommand): KeyAnswer | undefined {
    if (!key.active || key.accountId !== command.accountId) return revoked
    if (key.secret !== command.secret && !this.#isFormerSecret(key, command.secret)) return revoked
    if (key.paused) return paused
    return key.expiresAtMs !== undefined && key.expiresAtMs <= this.#options.dateMs() ? expired : undefined
  }

  /** The secret before the present one, as long as it has been left to live. */
  #isFormerSecret({ formerSecretUntilMs, secret }: KeyState, asked: number): boolean {
    return (
      formerSecretUntilMs !== undefined &&
      asked === secret - 1 &&
      this.#options.dateMs() < formerSecretUntilMs
    )
  }

  /** Reads the key where what is `known` of it may be true no more, and takes from its limit for all who wait and may call. */
  readonly #refresh = Effect.fnUntraced(
    { self: this },
    function* (this: Keys, keyId: KeyId, known: OwnedKey | undefined, commands: ReadonlyArray<KeyCommand>) {
      const owned = known ?? newKey(yield* this.#options.load(keyId))
      const { key } = owned
      if (key === undefined || key.rateLimitPerMinute === 0) return () => owned
      const perMinute = key.rateLimitPerMinute
      const calls = commands.filter(
        (command) => command.purpose === "call" && this.#refusalOf(key, command) === undefined
      ).length
      if (calls === 0) return () => owned
      const { granted: permits, retryAfterMs } = yield* this.#options.take({ keyId, calls, perMinute })
      const limitedUntilMs = permits < calls ? (yield* monotonicMs) + retryAfterMs : 0
      return () => Object.assign(owned, { permits, limitedUntilMs, retryAfterMs })
    }
  )
}

/** Nothing is set on it that a call must be looked at for. */
const hasNoTerms = (key: KeyState): boolean =>
  key.active &&
  key.rateLimitPerMinute === 0 &&
  !key.paused &&
  key.expiresAtMs === undefined &&
  key.budgets === undefined &&
  key.rules === undefined

const admittedOf = ({ budgets, rules }: KeyState): KeyAnswer =>
  budgets === undefined && rules === undefined ? admitted : { _tag: "Admitted", budgets, rules }

const newKey = (key: KeyState | undefined): OwnedKey => ({
  key,
  permits: 0,
  limitedUntilMs: 0,
  retryAfterMs: 0
})

/** A call that has waited for this counts from when it came: it is told no more than the limit said. */
const limitedOf = ({ limitedUntilMs, retryAfterMs }: OwnedKey, { nowMs }: KeyCommand): KeyAnswer => ({
  _tag: "Limited",
  retryAfterMs: Math.max(1, Math.min(retryAfterMs, limitedUntilMs - nowMs))
})
