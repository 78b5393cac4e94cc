/**
 * Allowances: parts of a wallet out of which gateway threads hold for calls by themselves. They are taken back whenever
 * the wallet is short or is not to be used, so that a call is refused only when nothing is left anywhere.
 */
import type { Deferred } from "effect"
import type { CallId } from "../domain/ids.ts"
import type { MicroVnd } from "../domain/money.ts"
import {
  available,
  decide,
  perform,
  type Wallet,
  type WalletCommand,
  type WalletDecision
} from "../domain/wallet.ts"

/** A gateway thread takes from it at any moment, by itself. */
export interface Allowance {
  /** µVND that have not been taken. */
  readonly free: MicroVnd
  /** The most that may be free. */
  readonly max: MicroVnd
  grant(amount: MicroVnd): void
  /** Ends it; answers what had not been taken and can not be any more. */
  takeBack(): MicroVnd
}

/** What a call holds out of the allowance of its thread. */
export interface Adopted {
  readonly thread: number
  readonly callId: CallId
  readonly amount: MicroVnd
}

/** A wallet as this node has it. */
export interface OwnedWallet {
  readonly wallet: Wallet
  /** The account is not disabled. */
  active: boolean
  /** Everything must be held by calls: what is not is given back with the next commit. */
  isExact: boolean
  /** Calls hold more than there may be, since others have taken from the wallet: what one of them leaves is not for another. */
  isOverheld: boolean
  /** µVND charged and not committed yet: the node's escrow in the database is this much more than its funds. */
  uncommitted: MicroVnd
  /** What the last claim found, where that was too little. */
  shortage: Shortage | undefined
  /**
   * µVND that nobody had when no other node had any, less what was granted and more what was given back since: only a credit
   * makes more of the wallet than this and what is here. `undefined`: not known.
   */
  rest: MicroVnd | undefined
  /** Those that can be taken from now, by the number of the thread. */
  readonly allowances: Map<number, Allowance>
}

export interface Shortage {
  /** µVND that nobody has. */
  readonly free: MicroVnd
  /** Some other node has not said what lies idle there, or has not been heard of. */
  readonly isUnknown: boolean
  /** Others hold some, which may come free: until then it is not asked again. Without it, only a credit helps. */
  readonly askAgainMs: number | undefined
  /** Done when the wallet has been changed by others. */
  readonly changed: Deferred.Deferred<void>
}

/** An allowance is this part of what is available, so that the first thread leaves enough for others. */
export const allowanceParts = 16n

/** What threads have been allowed and have not taken is there for every call. */
export const decideOnAll = (owned: OwnedWallet, command: WalletCommand): WalletDecision => {
  const decision = decide(owned.wallet, command)
  return fallsShort(decision, command) && takeBack(owned) > 0n ? decide(owned.wallet, command) : decision
}

const fallsShort = (decision: WalletDecision, command: WalletCommand): boolean =>
  decision._tag === "Insufficient" ||
  (decision._tag === "Held" &&
    "wanted" in command &&
    0n < decision.granted &&
    decision.granted < command.wanted)

export const takeBack = ({ allowances, wallet }: OwnedWallet): MicroVnd => {
  let sum = 0n
  for (const [thread, allowance] of allowances) {
    const amount = allowance.takeBack()
    perform(wallet, { _tag: "TakeBack", thread, amount })
    sum += amount
  }
  allowances.clear()
  return sum
}

/** All that lies idle is nobody's from now on. */
export const giveBack = (owned: OwnedWallet): void => {
  const idle = available(owned.wallet)
  perform(owned.wallet, { _tag: "Return" })
  owned.shortage = undefined
  if (owned.rest !== undefined && idle > 0n) owned.rest += idle
}

/** Others have changed the wallet: whether what calls hold is still there, the next claim says. */
export const doubtHolds = (owned: OwnedWallet): OwnedWallet => {
  owned.isExact = true
  owned.isOverheld = true
  return owned
}

/** A cost beyond its hold may leave less than is allowed. */
export const keepCovered = (owned: OwnedWallet): void => {
  if (available(owned.wallet) < 0n) takeBack(owned)
}

export const fillUp = (owned: OwnedWallet, thread: number, allowance: Allowance): void => {
  if (owned.isExact) return
  const { wallet } = owned
  const { free, max } = allowance
  const part = (available(wallet) + free) / allowanceParts
  const target = part < max ? part : max
  // Not at every call: each grant is a decision.
  if (free > target / 2n) return
  const decision = perform(wallet, { _tag: "Allow", thread, amount: target - free })
  if (decision._tag === "Allowed") allowance.grant(decision.amount)
}

export const heldByCalls = (owned: OwnedWallet | undefined): MicroVnd => {
  if (owned === undefined) return 0n
  let held = owned.wallet.held
  for (const { free } of owned.allowances.values()) held -= free
  return held
}

export const heldInAll = (wallets: Iterable<readonly [unknown, OwnedWallet]>) => {
  let count = 0
  let amount = 0n
  for (const [, owned] of wallets) {
    count += owned.wallet.holds.size
    amount += heldByCalls(owned)
  }
  return { count, amount }
}
