/** All keys in use on this node: one actor per key, which knows its status and counts its calls per minute. */
import type { AccountId, KeyId } from "../domain/ids.ts"
import type { KeyState } from "../storage/LedgerStore.ts"
import { Actor } from "./Actor.ts"
import { SlidingWindow } from "./sliding-window.ts"

export type KeyAnswer =
  | { readonly _tag: "Admitted" }
  | { readonly _tag: "Revoked" }
  | { readonly _tag: "Limited"; readonly retryAfterMs: number }
  | { readonly _tag: "Unavailable" }

interface KeyCommand {
  readonly accountId: AccountId
  readonly nowMs: number
  /** Counts against the key's rate limit. */
  readonly counted: boolean
}

interface Owned {
  /** `undefined`: there is no such key. */
  key: KeyState | undefined
  readonly window: SlidingWindow
}

interface Entry {
  readonly actor: Actor<Owned, KeyCommand, KeyAnswer>
  usedAtMs: number
}

const admitted: KeyAnswer = { _tag: "Admitted" }
const revoked: KeyAnswer = { _tag: "Revoked" }

export class Keys {
  readonly #entries = new Map<KeyId, Entry>()
  readonly #load: (keyId: KeyId) => void
  readonly #mailboxCapacity: number
  /** The limit of a key is the cluster's; each live node allows its part. */
  liveNodes = 1

  /** `load` asks for a key's state; the answer comes back through `loaded`. */
  constructor(options: { readonly load: (keyId: KeyId) => void; readonly mailboxCapacity: number }) {
    this.#load = options.load
    this.#mailboxCapacity = options.mailboxCapacity
  }

  ask(keyId: KeyId, command: KeyCommand, answer: (answer: KeyAnswer) => void): void {
    const entry = this.#entries.get(keyId) ?? this.#start(keyId)
    entry.usedAtMs = command.nowMs
    entry.actor.ask(command, answer)
  }

  /** The database's answer; `undefined` where it could not be asked. */
  loaded(keyId: KeyId, found: { readonly key: KeyState | undefined } | undefined): void {
    const entry = this.#entries.get(keyId)
    if (entry === undefined) return
    if (found === undefined) return entry.actor.failed()
    const owned = entry.actor.state ?? { key: found.key, window: new SlidingWindow() }
    owned.key = found.key
    entry.actor.loaded(owned)
  }

  /** Whether calls of this key need no counting, as far as is known now. */
  isUnlimited(keyId: KeyId): boolean {
    const actor = this.#entries.get(keyId)?.actor
    const key = actor?.state?.key
    return actor?.isUsable === true && key?.active === true && key.rateLimitPerMinute === 0
  }

  invalidate(keyId: KeyId): void {
    this.#entries.get(keyId)?.actor.invalidate()
  }

  invalidateAll(): void {
    for (const entry of this.#entries.values()) entry.actor.invalidate()
  }

  /** Forgets keys that nobody has used since `beforeMs`, which must be at least a rate window ago. */
  putAwayIdle(beforeMs: number): void {
    for (const [keyId, entry] of this.#entries) {
      if (entry.usedAtMs < beforeMs && entry.actor.isIdle) this.#entries.delete(keyId)
    }
  }

  #start(keyId: KeyId): Entry {
    const entry: Entry = {
      actor: new Actor<Owned, KeyCommand, KeyAnswer>({
        decide: (owned, command) => this.#decide(owned, command),
        load: () => this.#load(keyId),
        unavailable: { _tag: "Unavailable" },
        mailboxCapacity: this.#mailboxCapacity
      }),
      usedAtMs: 0
    }
    this.#entries.set(keyId, entry)
    return entry
  }

  #decide({ key, window }: Owned, { accountId, counted, nowMs }: KeyCommand): KeyAnswer {
    if (key === undefined || !key.active || key.accountId !== accountId) return revoked
    if (key.rateLimitPerMinute === 0 || !counted) return admitted
    const limit = Math.max(1, Math.ceil(key.rateLimitPerMinute / this.liveNodes))
    const retryAfterMs = window.admit(nowMs, limit)
    return retryAfterMs === 0 ? admitted : { _tag: "Limited", retryAfterMs }
  }
}
