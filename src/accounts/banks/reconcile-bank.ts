/** Receives what a provider lists and its webhook never told of. */
import type { Agent } from "undici"
import type { Sql } from "../../storage/Database.ts"
import { readCheckpoint, writeCheckpoint } from "../../storage/payments/TransferStore.ts"
import type { ListTransfers } from "./bank-transfer.ts"
import { receiveTransfer } from "../top-up.ts"
import { dayMs } from "../../domain/vietnam-days.ts"

export interface Reconciliation {
  readonly seen: number
  /** How many were new: each one is a gap in the webhooks. */
  readonly missed: number
}

export interface Reconciling {
  readonly provider: string
  readonly list: ListTransfers
  /** `undefined`: the provider tells of our own payments alone. */
  readonly ourAccount: string | undefined
  readonly agent: Agent
  readonly nowMs: number
  readonly signal: AbortSignal
}

/** Banks tell late of some transfers, so the last days are always asked for again. */
const lookBackMs = 3 * dayMs
const lookBackMsMax = 60 * dayMs

/** From the last days, or from a day before what was last received whole, where that is longer ago. */
const reconcileFrom = (checkpointMs: number | undefined, nowMs: number): number =>
  Math.max(nowMs - lookBackMsMax, Math.min(nowMs - lookBackMs, (checkpointMs ?? nowMs) - dayMs))

/** The checkpoint moves only when the whole list was received. */
export const reconcileBank = async (
  sql: Sql,
  { agent, list, nowMs, ourAccount, provider, signal }: Reconciling
): Promise<Reconciliation> => {
  const sinceMs = reconcileFrom(await readCheckpoint(sql, provider), nowMs)
  let seen = 0
  let missed = 0
  for await (const transfers of list({ sql, sinceMs, nowMs, agent, signal })) {
    for (const transfer of transfers) {
      const reception = await receiveTransfer(sql, transfer, "reconciliation", ourAccount, nowMs)
      if (reception._tag !== "Duplicate") missed += 1
    }
    seen += transfers.length
  }
  await writeCheckpoint(sql, provider, nowMs)
  return { seen, missed }
}
