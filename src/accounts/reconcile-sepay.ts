/**
 * Asks SePay for recent transactions and receives those the webhook never told of: its retries end after half an hour.
 * The list is that of version 1, whose ids are the webhook's own; version 2 has other ids, which would credit twice.
 */
import { type Agent, fetch } from "undici"
import { vietnamText } from "../domain/vietnam-days.ts"
import type { BankTransfer } from "./bank-transfer.ts"
import { readSepayTransactions } from "./sepay.ts"
import { receiveTransfer } from "./top-up.ts"
import type { Sql } from "../storage/Database.ts"

export interface SepayAccess {
  /** `https://my.sepay.vn/userapi`, but for tests. */
  readonly baseUrl: string
  readonly token: string
  readonly bankAccount: string
  readonly agent: Agent
}

export interface Reconciliation {
  readonly seen: number
  /** How many were new: each one is a gap in the webhooks. */
  readonly missed: number
}

export const sepayListUrl = "https://my.sepay.vn/userapi"

const pageSize = 5_000
const pagesMax = 20
const lookBackMs = 3 * 24 * 3_600_000

/** Newest first, further back while pages are full. */
export const reconcileSepay = async (
  sql: Sql,
  access: SepayAccess,
  nowMs: number,
  signal: AbortSignal
): Promise<Reconciliation> => {
  let seen = 0
  let missed = 0
  let until: Date | undefined
  for (let page = 0; page < pagesMax; page++) {
    const transfers = await fetchPage(access, until, nowMs, signal)
    for (const transfer of transfers) {
      const reception = await receiveTransfer(sql, transfer, "reconciliation", access.bankAccount, nowMs)
      if (reception._tag !== "Duplicate") missed += 1
    }
    seen += transfers.length
    const oldest = oldestOf(transfers)
    if (transfers.length < pageSize || oldest?.getTime() === until?.getTime()) break
    until = oldest
  }
  return { seen, missed }
}

const oldestOf = (transfers: ReadonlyArray<BankTransfer>): Date | undefined =>
  transfers.map((transfer) => transfer.transferredAt).toSorted((a, b) => a.getTime() - b.getTime())[0]

const fetchPage = async (
  access: SepayAccess,
  until: Date | undefined,
  nowMs: number,
  signal: AbortSignal
) => {
  const query = new URLSearchParams({
    account_number: access.bankAccount,
    transaction_date_min: vietnamText(nowMs - lookBackMs),
    limit: String(pageSize)
  })
  if (until !== undefined) query.set("transaction_date_max", vietnamText(until.getTime()))
  const response = await fetch(`${access.baseUrl}/transactions/list?${query}`, {
    dispatcher: access.agent,
    headers: { authorization: `Bearer ${access.token}` },
    signal: AbortSignal.any([signal, AbortSignal.timeout(20_000)])
  })
  const transfers = response.ok ? readSepayTransactions(await response.text(), nowMs) : undefined
  if (transfers === undefined)
    throw new Error(`SePay answered ${response.status} without a list of transactions`)
  return transfers
}
