/**
 * How much of a wallet a node is given to spend when its calls want some: a generous part of a rich wallet, so that
 * most calls are admitted without a statement; of a scarce one exactly what is wanted, so that nothing lies idle on one
 * node while it is missing on another.
 *
 * The program asks `claim_wallets` in SQL, which has the same rule. Tests and the simulation go by this one, and
 * test/storage/claims-as-ruled.system.test.ts holds the two to each other.
 */
import type { MicroVnd } from "./money.ts"

/** A wallet is rich while it has so many times what is wanted. */
const richHolds = 64n
/** The part of a rich wallet that one claim is given. */
const generousPart = 8n

export interface EscrowAsk {
  /** µVND that the waiting calls would like to hold. */
  readonly wanted: MicroVnd
  /** Less than this is of no use to any of them. Below zero: whatever is there now, also while others may give back more. */
  readonly minimum: MicroVnd
}

/** An ask that is looked at again while it can not be granted. */
export interface WaitingAsk extends EscrowAsk {
  /** Since the calls began to wait. */
  readonly waitedMs: number
}

export interface EscrowState {
  /** µVND of the wallet that no node has. */
  readonly free: MicroVnd
  /** Other nodes have parts that may lie idle. */
  readonly othersIdle: boolean
  /** µVND with nodes that have not been heard of while it was waited. */
  readonly unheard: MicroVnd
  /** No other node lives. */
  readonly isAlone: boolean
}

export interface EscrowGrant {
  readonly granted: MicroVnd
  /** What is not held must be given back at once. */
  readonly isExact: boolean
  /** Others must give back what lies idle before more can be said. */
  readonly isPending: boolean
  /** There is too little, but enough is with nodes that have not been heard of: their calls may have ended with them. */
  readonly isUnheard: boolean
}

export const grantOf = (ask: EscrowAsk, state: EscrowState): EscrowGrant => {
  const { free, isAlone, othersIdle, unheard } = state
  const granted = grantedOf(ask, state)
  const isShort = granted < ask.wanted
  return {
    granted,
    isExact: !isAlone && free / richHolds < atLeastOne(ask.wanted),
    isPending: othersIdle && isShort,
    isUnheard: unheard > 0n && isShort && free + unheard >= atLeastOne(ask.minimum)
  }
}

const grantedOf = ({ minimum, wanted }: EscrowAsk, { free, isAlone, othersIdle }: EscrowState): MicroVnd => {
  if (free < atLeastOne(minimum) || (othersIdle && free < wanted && minimum >= 0n)) return 0n
  if (isAlone) return free
  if (free / richHolds >= wanted) return wanted > free / generousPart ? wanted : free / generousPart
  return wanted < free ? wanted : free
}

const atLeastOne = (amount: MicroVnd): MicroVnd => (amount > 1n ? amount : 1n)
