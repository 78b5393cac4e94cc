/**
 * A wallet as a pure decider: `decide` reads a wallet and a command and says what happens; `evolve` lets it happen.
 *
 * `funds` is what this node may spend. A hold sets part of it aside before the model is called; settling charges the
 * exact cost and frees the hold in one step. An allowance sets part of it aside for a gateway thread, which holds for
 * calls out of it by itself. What is neither held nor allowed is available.
 */
import type { CallId } from "./ids.ts"
import { atLeastZero, fromVnd, type MicroVnd } from "./money.ts"

export interface Wallet {
  funds: MicroVnd
  /** The sum of `holds` and `allowed`, kept so that a decision costs the same however many are open. */
  held: MicroVnd
  readonly holds: Map<CallId, MicroVnd>
  /** For each thread by its number: what it may still hold, and what its calls hold out of that. */
  readonly allowed: Map<number, MicroVnd>
  /**
   * Not all of what calls hold is there any more: the node was taken for gone, and others have spent it. Until those calls
   * have ended, each is charged only what is there.
   */
  isUncovered: boolean
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
  /** Charges `cost` and frees the hold; charges nothing beyond `costMax`. */
  | { readonly _tag: "Settle"; readonly callId: CallId; readonly cost: MicroVnd }
  /** Frees the hold and charges nothing. */
  | { readonly _tag: "Release"; readonly callId: CallId }
  /** Adds `amount` to a thread's allowance, or nothing. */
  | { readonly _tag: "Allow"; readonly thread: number; readonly amount: MicroVnd }
  /** What a call holds out of its thread's allowance becomes a hold of its own. */
  | {
      readonly _tag: "Adopt"
      readonly thread: number
      readonly callId: CallId
      readonly amount: MicroVnd
    }
  /** Takes `amount` of an allowance back, at most all of it. */
  | { readonly _tag: "TakeBack"; readonly thread: number; readonly amount: MicroVnd }
  /** The node may spend `amount` more. */
  | { readonly _tag: "Fund"; readonly amount: MicroVnd }
  /** The node gives back all that is available. */
  | { readonly _tag: "Return" }
  /** Nothing but what calls hold is left, and whether that is there is to be seen. */
  | { readonly _tag: "Confine" }
  /** Of what calls hold, `amount` is there. */
  | { readonly _tag: "Cover"; readonly amount: MicroVnd }

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
  | { readonly _tag: "Allowed" | "TakenBack"; readonly thread: number; readonly amount: MicroVnd }
  | {
      readonly _tag: "Adopted"
      readonly thread: number
      readonly callId: CallId
      readonly amount: MicroVnd
    }
  /** The call ends uncharged: what it held is not there any more, or it can not have cost so much. */
  | { readonly _tag: "Unpaid"; readonly callId: CallId }
  | { readonly _tag: "Funded" | "Returned" | "Covered"; readonly amount: MicroVnd }
  /** The call holds nothing (any more): there is nothing to do. */
  | { readonly _tag: "NotHeld" }
  | { readonly _tag: "Insufficient"; readonly available: MicroVnd }

export const emptyWallet = (funds: MicroVnd): Wallet => ({
  funds,
  held: 0n,
  holds: new Map(),
  allowed: new Map(),
  isUncovered: false
})

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
    case "Allow":
      return allow(wallet, command)
    case "Adopt":
      return adopt(wallet, command)
    case "TakeBack":
      return takeBack(wallet, command)
    case "Fund":
      return { _tag: "Funded", amount: command.amount }
    case "Return":
      return { _tag: "Returned", amount: atLeastZero(available(wallet)) }
    case "Confine":
      return { _tag: "Covered", amount: wallet.held }
    case "Cover":
      return { _tag: "Covered", amount: command.amount }
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
    case "Unpaid":
      return free(wallet, decision.callId)
    case "Allowed":
      wallet.held += decision.amount
      return changeAllowed(wallet, decision.thread, decision.amount)
    case "Adopted":
      wallet.holds.set(decision.callId, decision.amount)
      return changeAllowed(wallet, decision.thread, -decision.amount)
    case "TakenBack":
      wallet.held -= decision.amount
      return changeAllowed(wallet, decision.thread, -decision.amount)
    case "Funded":
      wallet.funds += decision.amount
      return noteCovered(wallet)
    case "Returned":
      wallet.funds -= decision.amount
      return
    case "Covered":
      wallet.funds = decision.amount
      wallet.isUncovered = wallet.held > wallet.funds
  }
}

/** Decides and lets it happen. */
export const perform = (wallet: Wallet, command: WalletCommand): WalletDecision => {
  const decision = decide(wallet, command)
  evolve(wallet, decision)
  return decision
}

/**
 * A thousand billion dong, the most that one credit brings: a price or a factor is a slip where a call would cost more.
 * What the database can not hold of one wallet would stop all that the node writes.
 */
export const costMax: MicroVnd = fromVnd(1_000_000_000_000n)

type Command<Tag extends WalletCommand["_tag"]> = Extract<WalletCommand, { readonly _tag: Tag }>

const hold = (wallet: Wallet, { callId, minimum, wanted }: Command<"Hold">): WalletDecision => {
  const already = wallet.holds.get(callId)
  if (already !== undefined) return { _tag: "Held", callId, amount: already, granted: 0n } // A retry must not hold twice.
  const free = available(wallet)
  if (free <= 0n || free < minimum) return { _tag: "Insufficient", available: free }
  const granted = wanted < free ? wanted : free
  return { _tag: "Held", callId, amount: granted, granted }
}

const extend = (wallet: Wallet, { callId, minimum, wanted }: Command<"Extend">): WalletDecision => {
  const already = wallet.holds.get(callId)
  if (already === undefined) return { _tag: "NotHeld" }
  const free = available(wallet)
  if (free <= 0n || free < minimum) return { _tag: "Insufficient", available: free }
  const granted = wanted < free ? wanted : free
  return { _tag: "Held", callId, amount: already + granted, granted }
}

const settle = (wallet: Wallet, { callId, cost }: Command<"Settle">): WalletDecision => {
  const held = wallet.holds.get(callId)
  if (held === undefined) return { _tag: "NotHeld" } // Settling twice charges once.
  if (cost > costMax || (wallet.isUncovered && cost > wallet.funds)) return { _tag: "Unpaid", callId }
  const after = wallet.funds - cost
  // A cost beyond its hold takes what others hold; it shows below zero when they are settled, and is counted then.
  return { _tag: "Settled", callId, cost, overdraft: belowZero(after) - belowZero(wallet.funds) }
}

const allow = (wallet: Wallet, { amount, thread }: Command<"Allow">): WalletDecision => {
  const free = available(wallet)
  return amount <= 0n || free < amount
    ? { _tag: "Insufficient", available: free }
    : { _tag: "Allowed", thread, amount }
}

const adopt = (wallet: Wallet, { amount, callId, thread }: Command<"Adopt">): WalletDecision => {
  const known = wallet.holds.has(callId) || (wallet.allowed.get(thread) ?? 0n) < amount
  return known || amount <= 0n ? { _tag: "NotHeld" } : { _tag: "Adopted", thread, callId, amount }
}

const takeBack = (wallet: Wallet, { amount, thread }: Command<"TakeBack">): WalletDecision => {
  const allowed = wallet.allowed.get(thread) ?? 0n
  return { _tag: "TakenBack", thread, amount: amount < allowed ? amount : allowed }
}

const changeAllowed = (wallet: Wallet, thread: number, change: MicroVnd): void => {
  const allowed = (wallet.allowed.get(thread) ?? 0n) + change
  if (allowed === 0n) wallet.allowed.delete(thread)
  else wallet.allowed.set(thread, allowed)
}

const free = (wallet: Wallet, callId: CallId): void => {
  wallet.held -= wallet.holds.get(callId) ?? 0n
  wallet.holds.delete(callId)
  if (wallet.isUncovered) noteCovered(wallet)
}

/** Once what is held is there again, a cost beyond its hold is a mere overdraft. */
const noteCovered = (wallet: Wallet): void => {
  if (wallet.held <= wallet.funds) wallet.isUncovered = false
}

const belowZero = (funds: MicroVnd): MicroVnd => (funds < 0n ? -funds : 0n)
