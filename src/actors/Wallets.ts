/** All wallets in use on this node: one actor per account, started by its first command, put away when idle. */
import type { AccountId, CallId } from "../domain/ids.ts"
import type { MicroVnd } from "../domain/money.ts"
import {
  available,
  emptyWallet,
  evolve,
  perform,
  type WalletCommand,
  type WalletDecision
} from "../domain/wallet.ts"
import type { Claim } from "../storage/LedgerStore.ts"
import { Actor } from "./Actor.ts"
import {
  type Allowance,
  allowanceParts,
  decideOnAll,
  fillUp,
  heldByCalls,
  keepCovered,
  type OwnedWallet,
  takeBack
} from "./allowances.ts"

export type WalletAnswer = WalletDecision | { readonly _tag: "Disabled" } | { readonly _tag: "Unavailable" }

const unavailable: WalletAnswer = { _tag: "Unavailable" }
const disabled: WalletAnswer = { _tag: "Disabled" }

/** What a call holds out of the allowance of its thread. */
interface Adopted {
  readonly thread: number
  readonly callId: CallId
  readonly amount: MicroVnd
}

interface Entry {
  readonly actor: Actor<OwnedWallet, WalletCommand, WalletAnswer>
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
    const decision = perform(owned.wallet, { _tag: "Settle", callId, cost })
    if (decision._tag !== "Settled") return false
    keepCovered(owned)
    entry.uncommitted += cost
    this.#overdraft += decision.overdraft
    return true
  }

  /**
   * Sets part of what is available aside for a thread, which then holds for calls out of it without asking: a new
   * allowance of `open`, or the one it has, filled up. `undefined` where there is too little for another `wanted`.
   */
  allow<A extends Allowance>(
    accountId: AccountId,
    {
      open,
      thread,
      wanted
    }: { readonly thread: number; readonly wanted: MicroVnd; readonly open: () => A | undefined }
  ): A | undefined {
    const actor = this.#entries.get(accountId)?.actor
    const owned = actor?.state
    if (owned === undefined || actor?.isUsable !== true) return undefined
    const present = owned.allowances.get(thread) as A | undefined
    if (present === undefined && available(owned.wallet) / allowanceParts < wanted) return undefined
    const allowance = present ?? open()
    if (allowance === undefined) return undefined
    owned.allowances.set(thread, allowance)
    fillUp(owned, thread, allowance)
    return allowance
  }

  /** What a call holds out of its thread's allowance becomes a hold of its own. */
  adopt(accountId: AccountId, { thread, callId, amount }: Adopted, nowMs: number): void {
    const entry = this.#entries.get(accountId)
    const owned = entry?.actor.state
    if (entry === undefined || owned === undefined) return
    entry.usedAtMs = nowMs
    perform(owned.wallet, { _tag: "Adopt", thread, callId, amount })
  }

  /** Keeps a thread's allowance up, if it has one. */
  fillUp(accountId: AccountId, thread: number): void {
    const owned = this.#owned(accountId)
    const allowance = owned?.allowances.get(thread)
    if (owned !== undefined && allowance !== undefined) fillUp(owned, thread, allowance)
  }

  /** From now on, no call is admitted but by asking. */
  takeBackAll(): void {
    for (const { actor } of this.#entries.values()) if (actor.state !== undefined) takeBack(actor.state)
  }

  /** The thread is gone, and its calls with it: nothing of its allowances is held any more. */
  endThread(thread: number): void {
    for (const { actor } of this.#entries.values()) {
      const owned = actor.state
      owned?.allowances.delete(thread)
      const amount = owned?.wallet.allowed.get(thread)
      if (owned === undefined || amount === undefined) continue
      perform(owned.wallet, { _tag: "TakeBack", thread, amount })
    }
  }

  release(accountId: AccountId, callId: CallId): void {
    const owned = this.#owned(accountId)
    if (owned !== undefined) perform(owned.wallet, { _tag: "Release", callId })
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
    const owned = entry?.actor.state
    if (entry === undefined || owned === undefined) return 0n
    takeBack(owned)
    const { wallet } = owned
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
    const owned = entry.actor.state ?? {
      wallet: emptyWallet(funds),
      active: claim.active,
      allowances: new Map()
    }
    owned.wallet.funds = funds
    owned.active = claim.active
    entry.elsewhere = claim.elsewhere
    entry.actor.loaded(owned)
  }

  invalidate(accountId: AccountId): void {
    const actor = this.#entries.get(accountId)?.actor
    if (actor?.state !== undefined) takeBack(actor.state)
    actor?.invalidate()
  }

  invalidateAll(): void {
    this.takeBackAll()
    for (const entry of this.#entries.values()) entry.actor.invalidate()
  }

  /** µVND that this wallet has for further calls on this node. */
  availableOf(accountId: AccountId): MicroVnd {
    const wallet = this.#owned(accountId)?.wallet
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
    return heldByCalls(this.#owned(accountId))
  }

  /** Open holds on this node: how many beside those out of allowances, and the µVND of all. */
  holds(): { readonly count: number; readonly amount: MicroVnd } {
    let count = 0
    let amount = 0n
    for (const { actor } of this.#entries.values()) {
      count += actor.state?.wallet.holds.size ?? 0
      amount += heldByCalls(actor.state)
    }
    return { count, amount }
  }

  /** Forgets wallets that nobody has used since `beforeMs` and that owe the database nothing; answers which. */
  putAwayIdle(beforeMs: number): ReadonlyArray<AccountId> {
    const away: Array<AccountId> = []
    for (const [accountId, entry] of this.#entries) {
      if (entry.usedAtMs >= beforeMs || entry.uncommitted !== 0n || !entry.actor.isIdle) continue
      const owned = entry.actor.state
      if (owned !== undefined) {
        takeBack(owned)
        if (owned.wallet.held > 0n) continue
      }
      this.#entries.delete(accountId)
      away.push(accountId)
    }
    return away
  }

  #owned(accountId: AccountId): OwnedWallet | undefined {
    return this.#entries.get(accountId)?.actor.state
  }

  #start(accountId: AccountId): Entry {
    const entry: Entry = {
      actor: new Actor<OwnedWallet, WalletCommand, WalletAnswer>({
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
const decideOwned = (
  owned: OwnedWallet,
  command: WalletCommand,
  fresh: boolean
): WalletAnswer | undefined => {
  if (!owned.active && command._tag === "Hold") return fresh ? disabled : undefined
  const decision = decideOnAll(owned, command)
  if (decision._tag === "Insufficient" && !fresh) return undefined
  evolve(owned.wallet, decision)
  return decision
}
