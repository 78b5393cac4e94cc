/** The rows of the model of the database, and who is told of them. */
import type { CallRecord } from "../../src/domain/call.ts"

export interface NodeRow {
  readonly id: number
  readonly token: string
  readonly slot: number
  session: number
  /** Ends the connection of its journal. */
  endJournal: (() => void) | undefined
  leaseUntilMs: number
  renewedAtMs: number
  readonly startedAtMs: number
  steadySinceMs: number
  seen: bigint
  goneAtMs: number | undefined
}

export interface EscrowRow {
  amount: bigint
  spent: bigint
  exact: boolean
  /** Granted, and the node has not heard so yet. */
  flying: bigint
}

export const newEscrow = (): EscrowRow => ({ amount: 0n, spent: 0n, exact: true, flying: 0n })

export interface WalletRow {
  booked: bigint
  active: boolean
  readonly escrows: Map<number, EscrowRow>
}

/** What is left out to see that it is missed. */
export interface ModelBreaks {
  readonly acceptsStaleSessions?: boolean
  readonly declaresWithoutSteadiness?: boolean
  readonly believesUnheard?: boolean
  readonly leavesLeasesAhead?: boolean
  readonly forgetsBudgetHolds?: boolean
  /** A member's budget counts what one key has used, as if it were that key's. */
  readonly countsMembersByKey?: boolean
}

export interface ModelListeners {
  /** Somebody is to hear something. */
  readonly onNotice: () => void
  readonly onGone: (node: NodeRow) => void
  readonly onCommitted: (nodeId: number, records: ReadonlyArray<CallRecord>) => void
}
