/** All wallets in use on this node: one actor per account, started by its first command, put away when idle. */
import type { AccountId, CallId } from "../domain/ids.ts"
import type { MicroVnd } from "../domain/money.ts"
import {
  available,
  decide,
  emptyWallet,
  evolve,
  type Wallet,
  type WalletCommand,
  type WalletDecision
} from "../domain/wallet.ts"
import type { Claim } from "../storage/LedgerStore.ts"
import { Actor } from "./Actor.ts"

export type WalletAnswer = WalletDecision | { readonly _tag: "Disabled" } | { readonly _tag: "Unavailable" }

const unavailable: WalletAnswer = { _tag: "Unavailable" }
const disabled: WalletAnswer = { _tag: "Disabled" }

interface Owned {
  readonly wallet: Wallet
  active: boolean
}

interface Entry {
  readonly actor: Actor<Owned, WalletCommand, WalletAnswer>
  /** Charged or given back, and not yet committed: a claim answered by the database does not know of it. */
  uncommitted: MicroVnd
  /** What other nodes held of this wallet when it was last claimed. */
  elsewhere: MicroVnd
  usedAtMs: number
}

export class Wallets {
  readonly #entries = new Map<AccountId, Entry>()
  readonly #claim: (accountId: AccountId) => void
  readonly #mailboxCapacity: number
  #overdraft: MicroVnd = 0n

  /** `claim` asks for a wallet's share; the answer comes back through `claimed`. */
  constructor(options: { readonly claim: (accountId: AccountId) => void; readonly mailboxCapacity: number }) {
    this.#claim = options.claim
    this.#mailboxCapacity = options.mailboxCapacity
  }

  get size(): number {
    return this.#entries.size
  }

  /** µVND charged beyond what wallets held, in all. */
  get overdraft(): MicroVnd {
    return this.#overdraft
  }

  ask(
    accountId: AccountId,
    command: WalletCommand,
    nowMs: number,
    answer: (answer: WalletAnswer) => void
  ): void {
    const entry = this.#entries.get(accountId) ?? this.#start(accountId)
    entry.usedAtMs = nowMs
    entry.actor.ask(command, answer)
  }

  /**
   * Takes the exact cost from the wallet and frees the hold. The charge counts as uncommitted until `committed`.
   * Answers whether the call held anything: what holds nothing is not charged.
   */
  settle(accountId: AccountId, callId: CallId, cost: MicroVnd): boolean {
    const entry = this.#entries.get(accountId)
    const owned = entry?.actor.state
    if (entry === undefined || owned === undefined) return false
    const decision = decide(owned.wallet, { _tag: "Settle", callId, cost })
    if (decision._tag !== "Settled") return false
    evolve(owned.wallet, decision)
    entry.uncommitted += cost
    this.#overdraft += decision.overdraft
    return true
  }

  release(accountId: AccountId, callId: CallId): void {
    const owned = this.#entries.get(accountId)?.actor.state
    if (owned !== undefined) evolve(owned.wallet, decide(owned.wallet, { _tag: "Release", callId }))
  }

  /** A charge, or what was given back, is in the database now. */
  committed(accountId: AccountId, amount: MicroVnd): void {
    const entry = this.#entries.get(accountId)
    if (entry !== undefined) entry.uncommitted -= amount
  }

  /**
   * Takes what another node lacks out of this one's funds, at least half of what is available and never what is held.
   * Counts as uncommitted until `committed`.
   */
  giveBack(accountId: AccountId, lacking: MicroVnd): MicroVnd {
    const entry = this.#entries.get(accountId)
    const wallet = entry?.actor.state?.wallet
    if (entry === undefined || wallet === undefined) return 0n
    const free = available(wallet)
    if (free <= 0n) return 0n
    const amount = lacking >= free ? free : lacking > free / 2n ? lacking : free - free / 2n
    wallet.funds -= amount
    entry.uncommitted += amount
    return amount
  }

  /** The database's answer to a claim, taken while no charge was being committed. */
  claimed(accountId: AccountId, claim: Claim | undefined): void {
    const entry = this.#entries.get(accountId)
    if (entry === undefined) return
    if (claim === undefined) return entry.actor.failed()
    const funds = claim.share - entry.uncommitted
    const owned = entry.actor.state ?? { wallet: emptyWallet(funds), active: claim.active }
    owned.wallet.funds = funds
    owned.active = claim.active
    entry.elsewhere = claim.elsewhere
    entry.actor.loaded(owned)
  }

  invalidate(accountId: AccountId): void {
    this.#entries.get(accountId)?.actor.invalidate()
  }

  invalidateAll(): void {
    for (const entry of this.#entries.values()) entry.actor.invalidate()
  }

  /** µVND that this wallet has for further calls on this node. */
  availableOf(accountId: AccountId): MicroVnd {
    const wallet = this.#entries.get(accountId)?.actor.state?.wallet
    return wallet === undefined ? 0n : available(wallet)
  }

  /** µVND of this wallet that other nodes held when it was last claimed. */
  elsewhere(accountId: AccountId): MicroVnd {
    return this.#entries.get(accountId)?.elsewhere ?? 0n
  }

  has(accountId: AccountId): boolean {
    return this.#entries.has(accountId)
  }

  /** µVND held by open calls of this account on this node. */
  heldBy(accountId: AccountId): MicroVnd {
    return this.#entries.get(accountId)?.actor.state?.wallet.held ?? 0n
  }

  /** Open holds on this node: how many, and their µVND. */
  holds(): { readonly count: number; readonly amount: MicroVnd } {
    let count = 0
    let amount = 0n
    for (const { actor } of this.#entries.values()) {
      count += actor.state?.wallet.holds.size ?? 0
      amount += actor.state?.wallet.held ?? 0n
    }
    return { count, amount }
  }

  /** Forgets wallets that nobody has used since `beforeMs` and that owe the database nothing; answers which. */
  putAwayIdle(beforeMs: number): ReadonlyArray<AccountId> {
    const away: Array<AccountId> = []
    for (const [accountId, entry] of this.#entries) {
      const holds = entry.actor.state?.wallet.holds.size ?? 0
      if (entry.usedAtMs >= beforeMs || holds > 0 || entry.uncommitted !== 0n || !entry.actor.isIdle) continue
      this.#entries.delete(accountId)
      away.push(accountId)
    }
    return away
  }

  #start(accountId: AccountId): Entry {
    const entry: Entry = {
      actor: new Actor<Owned, WalletCommand, WalletAnswer>({
        decide: decideOwned,
        load: () => this.#claim(accountId),
        unavailable,
        mailboxCapacity: this.#mailboxCapacity
      }),
      uncommitted: 0n,
      elsewhere: 0n,
      usedAtMs: 0
    }
    this.#entries.set(accountId, entry)
    return entry
  }
}

/** A wallet that does not suffice is read again once: a top-up counts from the very next call. */
const decideOwned = (owned: Owned, command: WalletCommand, fresh: boolean): WalletAnswer | undefined => {
  if (!owned.active && command._tag === "Hold") return fresh ? disabled : undefined
  const decision = decide(owned.wallet, command)
  if (decision._tag === "Insufficient" && !fresh) return undefined
  evolve(owned.wallet, decision)
  return decision
}
