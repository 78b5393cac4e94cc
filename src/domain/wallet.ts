/**
 * A wallet as a pure decider: `decide` reads a wallet and a command and says what happens; `evolve` lets it happen.
 *
 * `funds` is what this node may spend. A hold sets part of it aside before the model is called; settling charges the
 * exact cost and frees the hold in one step. What is not held is available.
 */
import type { CallId } from "./ids.ts"
import type { MicroVnd } from "./money.ts"

export interface Wallet {
  funds: MicroVnd
  /** The sum of `holds`, kept so that a decision costs the same however many holds are open. */
  held: MicroVnd
  readonly holds: Map<CallId, MicroVnd>
}

export type WalletCommand =
  /** Sets aside `wanted`, or all that is available if that is less but covers `minimum`. */
  | {
      readonly _tag: "Hold"
      readonly callId: CallId
      readonly minimum: MicroVnd
      readonly wanted: MicroVnd
    }
  /** Adds to an open hold, by the same rule. */
  | {
      readonly _tag: "Extend"
      readonly callId: CallId
      readonly minimum: MicroVnd
      readonly wanted: MicroVnd
    }
  /** Charges `cost` and frees the hold. */
  | { readonly _tag: "Settle"; readonly callId: CallId; readonly cost: MicroVnd }
  /** Frees the hold and charges nothing. */
  | { readonly _tag: "Release"; readonly callId: CallId }

export type WalletDecision =
  /** `amount` is set aside for the call in all; `granted` of it by this command. */
  | {
      readonly _tag: "Held"
      readonly callId: CallId
      readonly amount: MicroVnd
      readonly granted: MicroVnd
    }
  | {
      readonly _tag: "Settled"
      readonly callId: CallId
      readonly cost: MicroVnd
      readonly overdraft: MicroVnd
    }
  | { readonly _tag: "Released"; readonly callId: CallId }
  /** The call holds nothing (any more): there is nothing to do. */
  | { readonly _tag: "NotHeld" }
  | { readonly _tag: "Insufficient"; readonly available: MicroVnd }

export const emptyWallet = (funds: MicroVnd): Wallet => ({ funds, held: 0n, holds: new Map() })

export const available = (wallet: Wallet): MicroVnd => wallet.funds - wallet.held

export const decide = (wallet: Wallet, command: WalletCommand): WalletDecision => {
  switch (command._tag) {
    case "Hold":
      return hold(wallet, command)
    case "Extend":
      return extend(wallet, command)
    case "Settle":
      return settle(wallet, command)
    case "Release":
      return wallet.holds.has(command.callId)
        ? { _tag: "Released", callId: command.callId }
        : { _tag: "NotHeld" }
  }
}

/** Applies a decision of `decide`, made on this very state. */
export const evolve = (wallet: Wallet, decision: WalletDecision): void => {
  switch (decision._tag) {
    case "Held":
      wallet.holds.set(decision.callId, decision.amount)
      wallet.held += decision.granted
      return
    case "Settled":
      wallet.funds -= decision.cost
      return free(wallet, decision.callId)
    case "Released":
      return free(wallet, decision.callId)
  }
}

type HoldCommand = Extract<WalletCommand, { _tag: "Hold" }>

const hold = (wallet: Wallet, { callId, minimum, wanted }: HoldCommand): WalletDecision => {
  const already = wallet.holds.get(callId)
  if (already !== undefined) return { _tag: "Held", callId, amount: already, granted: 0n } // A retry must not hold twice.
  const free = available(wallet)
  if (free <= 0n || free < minimum) return { _tag: "Insufficient", available: free }
  const granted = wanted < free ? wanted : free
  return { _tag: "Held", callId, amount: granted, granted }
}

const extend = (
  wallet: Wallet,
  { callId, minimum, wanted }: Extract<WalletCommand, { _tag: "Extend" }>
): WalletDecision => {
  const already = wallet.holds.get(callId)
  if (already === undefined) return { _tag: "NotHeld" }
  const free = available(wallet)
  if (free <= 0n || free < minimum) return { _tag: "Insufficient", available: free }
  const granted = wanted < free ? wanted : free
  return { _tag: "Held", callId, amount: already + granted, granted }
}

const settle = (
  wallet: Wallet,
  { callId, cost }: Extract<WalletCommand, { _tag: "Settle" }>
): WalletDecision => {
  const held = wallet.holds.get(callId)
  if (held === undefined) return { _tag: "NotHeld" } // Settling twice charges once.
  const after = wallet.funds - cost
  // A cost beyond its hold takes what others hold; it shows below zero when they are settled, and is counted then.
  return { _tag: "Settled", callId, cost, overdraft: belowZero(after) - belowZero(wallet.funds) }
}

const free = (wallet: Wallet, callId: CallId): void => {
  wallet.held -= wallet.holds.get(callId) ?? 0n
  wallet.holds.delete(callId)
}

const belowZero = (funds: MicroVnd): MicroVnd => (funds < 0n ? -funds : 0n)
