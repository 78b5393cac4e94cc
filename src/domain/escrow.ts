/**
 * How much of a wallet a node is given to spend when its calls want some: a generous part of a rich wallet, so that
 * most calls are admitted without a statement; of a scarce one exactly what is wanted, so that nothing lies idle on one
 * node while it is missing on another. `claim_wallets` in SQL has the same rule.
 */
import type { MicroVnd } from "./money.ts"

/** A wallet is rich while it has so many times what is wanted. */
export const richHolds = 64n
/** The part of a rich wallet that one claim is given. */
export const generousPart = 8n

export interface EscrowAsk {
  /** µVND that the waiting calls would like to hold. */
  readonly wanted: MicroVnd
  /** Less than this is of no use to any of them. Below zero: whatever is there now, also while others may give back more. */
  readonly minimum: MicroVnd
}

export interface EscrowState {
  /** µVND of the wallet that no node has. */
  readonly free: MicroVnd
  /** Other nodes have parts that may lie idle. */
  readonly othersIdle: boolean
  /** No other node lives. */
  readonly isAlone: boolean
}

export interface EscrowGrant {
  readonly granted: MicroVnd
  /** What is not held must be given back at once. */
  readonly isExact: boolean
  /** Others must give back what lies idle before more can be said. */
  readonly isPending: boolean
}

export const grantOf = (
  { minimum, wanted }: EscrowAsk,
  { free, isAlone, othersIdle }: EscrowState
): EscrowGrant => {
  const isExact = !isAlone && free / richHolds < (wanted > 1n ? wanted : 1n)
  const granted = grantedOf()
  return { granted, isExact, isPending: othersIdle && granted < wanted }

  function grantedOf(): MicroVnd {
    if (free < (minimum > 1n ? minimum : 1n) || (othersIdle && free < wanted && minimum >= 0n)) {
      return 0n
    }
    if (isAlone) return free
    if (!isExact) return wanted > free / generousPart ? wanted : free / generousPart
    return wanted < free ? wanted : free
  }
}
