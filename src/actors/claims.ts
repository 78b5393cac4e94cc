/** What a wallet's actor claims, and how it decides with and without having claimed just now. */
import { Deferred, Effect } from "effect"
import type { EscrowAsk } from "../domain/escrow.ts"
import type { AccountId } from "../domain/ids.ts"
import type { MicroVnd } from "../domain/money.ts"
import {
  available,
  emptyWallet,
  evolve,
  perform,
  type WalletCommand,
  type WalletDecision
} from "../domain/wallet.ts"
import type { EscrowClaim } from "../storage/EscrowStore.ts"
import type { Unavailable } from "./Actor.ts"
import { decideOnAll, type OwnedWallet, type Shortage, takeBack } from "./allowances.ts"
import { monotonicMs } from "./monotonic.ts"

/** What calls ask of a wallet, and wait for where it must be claimed first. */
export type HoldCommand = Extract<WalletCommand, { _tag: "Hold" | "Extend" }>
export type WalletAnswer =
  | WalletDecision
  | { readonly _tag: "Disabled" }
  /** What the wallet could pay for is not known: a node that has a part of it does not answer. */
  | { readonly _tag: "Unknown" }

const disabled: WalletAnswer = { _tag: "Disabled" }
const unknown: WalletAnswer = { _tag: "Unknown" }

/** Asks storage for more of a wallet, for calls that wait since then by the monotonic clock; fails when it can not be told in time. */
export type ClaimEscrow = (
  accountId: AccountId,
  ask: EscrowAsk,
  sinceMs: number
) => Effect.Effect<EscrowClaim, Unavailable>

/**
 * While other nodes hold parts of a wallet that can not pay, it is not claimed again for so long, whoever asks: long enough
 * for each of them to be heard of, so that one statement then suffices.
 */
const askAgainAfterMs = 1_100

/**
 * Claims what these commands lack, and answers how the wallet is with it; `isLost`: what was granted is others' by now.
 * What an exact wallet has idle is given back by the next commit, and so before the claim is made, which must not count on it.
 */
export const claimLack = Effect.fnUntraced(function* (
  claim: ClaimEscrow,
  giveBack: (owned: OwnedWallet) => void,
  accountId: AccountId,
  owned: OwnedWallet | undefined,
  commands: ReadonlyArray<HoldCommand>
) {
  const sinceMs = yield* monotonicMs
  if (owned?.shortage !== undefined) yield* untilAskedAgain(owned.shortage)
  if (owned?.isExact === true && available(owned.wallet) > 0n) giveBack(owned)
  const ask = lackOf(owned === undefined ? 0n : available(owned.wallet), commands)
  const claimed = yield* claim(accountId, ask, sinceMs)
  const askAgainMs = (yield* monotonicMs) + askAgainAfterMs
  return (isLost: boolean) =>
    applyClaim(
      owned ?? newWallet(),
      ask,
      isLost ? { ...claimed, granted: 0n, isPending: true } : claimed,
      askAgainMs
    )
})

/** Waits until it is time to ask again, or something has changed. */
const untilAskedAgain = Effect.fnUntraced(function* ({ askAgainMs, changed }: Shortage) {
  if (askAgainMs === undefined) return
  const waitMs = Math.max(0, askAgainMs - (yield* monotonicMs))
  yield* Effect.timeoutOrElse(Deferred.await(changed), { duration: waitMs, orElse: () => Effect.void })
})

/** What was too little, and how little it was, may be otherwise now. */
export const endShortage = <Owned extends OwnedWallet | undefined>(owned: Owned): Owned => {
  if (owned === undefined) return owned
  if (owned.shortage !== undefined) Deferred.doneUnsafe(owned.shortage.changed, Effect.void)
  owned.shortage = undefined
  owned.rest = undefined
  return owned
}

const newWallet = (): OwnedWallet => ({
  wallet: emptyWallet(0n),
  active: true,
  isExact: false,
  isOverheld: false,
  uncommitted: 0n,
  shortage: undefined,
  rest: undefined,
  allowances: new Map()
})

/** What these commands want beyond what is there: all of them together, and at least the smallest. */
const lackOf = (present: MicroVnd, commands: ReadonlyArray<HoldCommand>): EscrowAsk => {
  // Also what costs nothing is refused when there is nothing.
  let wanted = 0n
  let minimum = commands[0]?.minimum ?? 0n
  for (const command of commands) {
    wanted += atLeast(1n, command.wanted)
    if (command.minimum < minimum) minimum = command.minimum
  }
  return { wanted: atLeast(0n, wanted - present), minimum: atLeast(0n, atLeast(1n, minimum) - present) }
}

const applyClaim = (
  owned: OwnedWallet,
  { wanted }: EscrowAsk,
  claimed: EscrowClaim,
  askAgainMs: number
): OwnedWallet => {
  const { active, elsewhere, free, granted, isExact, isPending, isUnheard } = claimed
  owned.active = active
  owned.rest = restAfter(owned.rest, wanted, claimed)
  owned.isOverheld = free < 0n
  owned.isExact = isExact || owned.isOverheld
  if (owned.isExact) takeBack(owned)
  perform(owned.wallet, { _tag: "Fund", amount: granted })
  // Those for whom what was granted does not suffice have not been waited for yet.
  const isShort = granted < wanted && !(isUnheard && !isPending && granted > 0n)
  owned.shortage = isShort
    ? {
        free,
        isUnknown: isPending || isUnheard,
        askAgainMs: elsewhere > 0n ? askAgainMs : undefined,
        changed: Deferred.makeUnsafe()
      }
    : undefined
  return owned
}

/** Known from the first claim on that was granted too little, while no other node had any. */
const restAfter = (
  before: MicroVnd | undefined,
  wanted: MicroVnd,
  { elsewhere, free, granted }: EscrowClaim
): MicroVnd | undefined => {
  if (elsewhere === 0n && (before !== undefined || granted < wanted)) return free
  return before === undefined ? undefined : atLeast(0n, before - granted)
}

/** A wallet that does not suffice is claimed anew: a top-up counts from the very next call. */
export const decideOwned = (owned: OwnedWallet, command: HoldCommand): WalletAnswer | undefined => {
  if (!owned.active && command._tag === "Hold") return undefined
  const decision = decideOnAll(owned, command)
  if (decision._tag === "Insufficient" && !isKnownToLack(owned, command)) return undefined
  // With less than it wants, a call would be cut short, although there may be more elsewhere.
  if (isPartial(decision, command) && owned.shortage === undefined) return undefined
  evolve(owned.wallet, decision)
  return decision
}

/**
 * What lay idle here when the claim was made may have been given back since, or held for others: `undefined` where it is
 * not for the wallet that there is too little now.
 */
export const decideFresh = (owned: OwnedWallet, command: HoldCommand): WalletAnswer | undefined => {
  if (!owned.active && command._tag === "Hold") return disabled
  const decision = decideOnAll(owned, command)
  if (decision._tag === "Insufficient" && owned.shortage?.isUnknown === true) return unknown
  if (decision._tag === "Insufficient" && !isShort(owned, command)) {
    endShortage(owned)
    return undefined
  }
  evolve(owned.wallet, decision)
  return decision
}

const isPartial = (decision: WalletDecision, { wanted }: HoldCommand): boolean =>
  decision._tag === "Held" && 0n < decision.granted && decision.granted < wanted

/** Nothing that this node could claim would make it enough; a credit would have been told of. */
const isKnownToLack = ({ rest, wallet }: OwnedWallet, { minimum }: HoldCommand): boolean =>
  rest !== undefined && available(wallet) + rest < atLeast(1n, minimum)

/** The last claim has shown that there is too little. */
const isShort = ({ shortage, wallet }: OwnedWallet, { minimum }: HoldCommand): boolean =>
  shortage !== undefined && available(wallet) + shortage.free < atLeast(1n, minimum)

const atLeast = (least: MicroVnd, amount: MicroVnd): MicroVnd => (amount < least ? least : amount)
