/** All wallets in use on this node: one actor per account, started by its first command, put away when idle. */
import { Effect } from "effect"
import type { AccountId, CallId } from "../domain/ids.ts"
import type { MicroVnd } from "../domain/money.ts"
import { available, perform } from "../domain/wallet.ts"
import type { Escrow } from "../storage/EscrowStore.ts"
import type { Unavailable } from "./Actor.ts"
import { ActorMap } from "./ActorMap.ts"
import {
  type Adopted,
  type Allowance,
  allowanceParts,
  doubtHolds,
  fillUp,
  giveBack,
  heldByCalls,
  heldInAll,
  keepCovered,
  type OwnedWallet,
  takeBack
} from "./allowances.ts"
import {
  claimLack,
  type ClaimEscrow,
  decideFresh,
  decideOwned,
  endShortage,
  type HoldCommand,
  type WalletAnswer
} from "./claims.ts"
import { Untold } from "./Untold.ts"

export interface WalletsOptions {
  readonly claim: ClaimEscrow
  /** Something lies idle that must be given back. */
  readonly onIdleFunds: () => void
  readonly mailboxCapacity: number
  readonly fork: (serve: Effect.Effect<void>) => void
}

export class Wallets {
  readonly #actors: ActorMap<AccountId, OwnedWallet, HoldCommand, WalletAnswer>
  readonly #options: WalletsOptions
  readonly #untold = new Untold()
  /** How often all was confined. */
  #confinements = 0
  #overdraft: MicroVnd = 0n

  constructor(options: WalletsOptions) {
    this.#options = options
    this.#actors = new ActorMap(
      (accountId) => ({
        decide: decideOwned,
        // What was told since may be a credit.
        refresh: (owned, commands, isUsable) =>
          this.#refresh(accountId, isUsable ? owned : endShortage(owned), commands),
        decideFresh,
        // What was claimed and suits none of them is others'.
        onServed: (owned) => {
          if (available(owned.wallet) > 0n) this.#noteIdle(accountId, owned)
        }
      }),
      options
    )
  }

  get size(): number {
    return this.#actors.size
  }

  /** µVND charged beyond what wallets held, in all. */
  get overdraft(): MicroVnd {
    return this.#overdraft
  }

  /** Decides now: an `Exit` where this node's part suffices, else what waits for a claim. */
  askUnsafe(
    accountId: AccountId,
    command: HoldCommand,
    nowMs: number
  ): Effect.Effect<WalletAnswer, Unavailable> {
    return this.#actors.askUnsafe(accountId, command, nowMs)
  }

  /**
   * Takes the exact cost from the wallet and frees the hold. The charge counts as uncommitted until `committed`. Of a
   * call that held nothing, nothing is charged.
   */
  settle(accountId: AccountId, callId: CallId, cost: MicroVnd): "charged" | "not held" | "unpaid" {
    const owned = this.#actors.state(accountId)
    if (owned === undefined) return "not held"
    const decision = perform(owned.wallet, { _tag: "Settle", callId, cost })
    this.#noteIdle(accountId, owned)
    if (decision._tag === "Unpaid") return "unpaid"
    if (decision._tag !== "Settled") return "not held"
    owned.uncommitted += cost
    this.#overdraft += decision.overdraft
    keepCovered(owned)
    return "charged"
  }

  release(accountId: AccountId, callId: CallId): void {
    const owned = this.#actors.state(accountId)
    if (owned === undefined) return
    perform(owned.wallet, { _tag: "Release", callId })
    this.#noteIdle(accountId, owned)
  }

  /** A charge is in the database now, or will never be. */
  committed(accountId: AccountId, cost: MicroVnd): void {
    const owned = this.#actors.state(accountId)
    if (owned !== undefined) owned.uncommitted -= cost
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
    const actor = this.#actors.get(accountId)
    const owned = actor?.state
    if (owned === undefined || actor?.isUsable !== true || owned.isExact) return undefined
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
    const owned = this.#actors.state(accountId)
    if (owned === undefined) return
    this.#actors.touch(accountId, nowMs)
    perform(owned.wallet, { _tag: "Adopt", thread, callId, amount })
  }

  /** Keeps a thread's allowance up, if it has one. */
  fillUp(accountId: AccountId, thread: number): void {
    const owned = this.#actors.state(accountId)
    const allowance = owned?.allowances.get(thread)
    if (owned !== undefined && allowance !== undefined) fillUp(owned, thread, allowance)
  }

  /** From now on, no call is admitted but by asking. */
  takeBackAll(): void {
    for (const [, owned] of this.#actors.states()) takeBack(owned)
  }

  /** The thread is gone, and its calls with it: nothing of its allowances is held any more. */
  endThread(thread: number): void {
    for (const [accountId, owned] of this.#actors.states()) {
      owned.allowances.delete(thread)
      const amount = owned.wallet.allowed.get(thread)
      if (amount === undefined) continue
      perform(owned.wallet, { _tag: "TakeBack", thread, amount })
      this.#noteIdle(accountId, owned)
    }
  }

  /** Others lack what lies idle here: from now on nothing does. */
  recall(accountId: AccountId): void {
    const owned = this.#actors.state(accountId)
    if (owned === undefined) return
    takeBack(owned)
    owned.isExact = true
    this.#noteIdle(accountId, owned)
  }

  /** What was claimed has been granted, in this moment; see `escrowOf`. */
  granted(accountId: AccountId, amount: MicroVnd): void {
    this.#untold.noteGranted(accountId, amount)
  }

  /** Wallets of which something lies idle that must be given back; each is told once. */
  takeIdle(): ReadonlyArray<AccountId> {
    return this.#untold.takeIdle()
  }

  /**
   * What this node has of the wallet once all that is uncommitted but `committing` µVND is left out, and nothing lies idle
   * that must not: the database is to be told so.
   */
  escrowOf(accountId: AccountId, committing: MicroVnd): Escrow | undefined {
    const owned = this.#actors.state(accountId)
    const arriving = this.#untold.tell(accountId)
    if (owned === undefined)
      return committing === 0n ? { accountId, amount: arriving, isExact: arriving === 0n } : undefined
    if (owned.isExact && available(owned.wallet) > 0n) giveBack(owned)
    const amount = owned.wallet.funds + arriving + owned.uncommitted - committing
    return { accountId, amount, isExact: owned.isExact }
  }

  /** The wallet has been changed by others: all that lies idle goes back, and the next hold claims anew. */
  invalidate(accountId: AccountId): void {
    const owned = this.#actors.state(accountId)
    if (owned !== undefined) this.#giveBack(accountId, doubtHolds(owned))
    this.#actors.invalidate(accountId)
  }

  /** All that lies idle, before the database is asked for more. */
  #giveBack(accountId: AccountId, owned: OwnedWallet): void {
    takeBack(owned)
    giveBack(endShortage(owned))
    this.#untold.noteReturned(accountId)
    this.tellAnew(accountId)
  }

  /** The node counts as gone: nothing is left but what calls hold, and that must be claimed anew. */
  confine(): void {
    this.#confinements++
    for (const [, owned] of this.#actors.states()) {
      takeBack(owned)
      endShortage(owned)
      perform(owned.wallet, { _tag: "Confine" })
    }
    this.#actors.invalidateAll()
    this.#untold.clear()
  }

  /** µVND that open calls hold of each wallet, all zeros included. */
  *heldByWallet(): Generator<readonly [AccountId, MicroVnd]> {
    for (const [accountId, owned] of this.#actors.states()) yield [accountId, owned.wallet.held]
  }

  /** Of what calls hold of a confined wallet, `amount` could be claimed anew. */
  cover(accountId: AccountId, amount: MicroVnd, isExact: boolean): void {
    const owned = this.#actors.state(accountId)
    if (owned === undefined) return
    perform(owned.wallet, { _tag: "Cover", amount })
    owned.isExact = isExact || owned.isOverheld
    this.#noteIdle(accountId, owned)
  }

  has(accountId: AccountId): boolean {
    return this.#actors.has(accountId)
  }

  /** µVND held by open calls of this account on this node. */
  heldBy(accountId: AccountId): MicroVnd {
    return heldByCalls(this.#actors.state(accountId))
  }

  /** Open holds on this node: how many beside those out of allowances, and the µVND of all. */
  holds(): { readonly count: number; readonly amount: MicroVnd } {
    return heldInAll(this.#actors.states())
  }

  /** Forgets wallets that nobody has used since `beforeMs` and that owe the database nothing; answers which. */
  putAwayIdle(beforeMs: number): ReadonlyArray<AccountId> {
    return this.#actors.retire(beforeMs, (owned) => {
      if (owned.uncommitted !== 0n) return false
      takeBack(owned)
      return owned.wallet.held === 0n
    })
  }

  #noteIdle(accountId: AccountId, owned: OwnedWallet): void {
    if (owned.isOverheld) this.#giveBack(accountId, owned)
    else if (owned.isExact) this.tellAnew(accountId)
  }

  /** What the database has heard or answered last is not known: it is told what the node has, lest the rest be nobody's. */
  tellAnew(accountId: AccountId): void {
    this.#untold.noteIdle(accountId)
    this.#options.onIdleFunds()
  }

  /** What was claimed for a node that counts as gone by now is lost. */
  #refresh(accountId: AccountId, owned: OwnedWallet | undefined, commands: ReadonlyArray<HoldCommand>) {
    const confinements = this.#confinements
    const giveBackFirst = (idle: OwnedWallet) => this.#giveBack(accountId, idle)
    const lost = Effect.sync(() => {
      this.#untold.forgetGranted(accountId)
      this.tellAnew(accountId)
    })
    const claim = claimLack(this.#options.claim, giveBackFirst, accountId, owned, commands)
    return Effect.map(
      Effect.onError(claim, () => lost),
      (apply) => () => {
        const hasMore = this.#untold.forgetGranted(accountId)
        const mayBeIdle = owned?.isExact === false
        const fresh = apply(confinements !== this.#confinements)
        if (hasMore) endShortage(fresh)
        if (mayBeIdle && fresh.isExact) this.tellAnew(accountId)
        return fresh
      }
    )
  }
}
