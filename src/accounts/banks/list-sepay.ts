/**
 * SePay's own list of transactions, for what its webhook never told of: its retries end after half an hour.
 * The list is that of version 1, whose ids are the webhook's own; version 2 has other ids, which would credit twice.
 */
import { fetch } from "undici"
import { isInto } from "../../domain/top-up.ts"
import { vietnamText } from "../../domain/vietnam-days.ts"
import { answerMsMax, type BankTransfer, type ListQuestion, type ListTransfers } from "./bank-transfer.ts"
import { readSepayPage } from "./sepay.ts"

export interface SepayAccess {
  readonly baseUrl: string
  readonly token: string
  readonly bankAccount: string
}

const pageSize = 5_000
const pagesMax = 20

/**
 * Newest first, further back while pages are full. SePay is not asked for the account: it knows each by its main number alone, and
 * some banks' customers pay into a virtual one.
 */
export const listSepay = (access: SepayAccess): ListTransfers =>
  async function* (question) {
    let until: Date | undefined
    for (let page = 0; page < pagesMax; page++) {
      const { count, transfers } = await fetchPage(access, question, until)
      yield transfers.filter((transfer) => isInto(access.bankAccount, transfer))
      if (count < pageSize) return
      const oldest = oldestOf(transfers)
      if (oldest?.getTime() === until?.getTime()) break
      until = oldest
    }
    throw new Error("SePay has more transactions than it lists")
  }

const oldestOf = (transfers: ReadonlyArray<BankTransfer>): Date | undefined =>
  transfers.map((transfer) => transfer.transferredAt).toSorted((a, b) => a.getTime() - b.getTime())[0]

const fetchPage = async (
  access: SepayAccess,
  { agent, nowMs, signal, sinceMs }: ListQuestion,
  until: Date | undefined
) => {
  const query = new URLSearchParams({
    transaction_date_min: vietnamText(sinceMs),
    limit: String(pageSize)
  })
  if (until !== undefined) query.set("transaction_date_max", vietnamText(until.getTime()))
  const response = await fetch(`${access.baseUrl}/transactions/list?${query}`, {
    dispatcher: agent,
    headers: { authorization: `Bearer ${access.token}` },
    signal: AbortSignal.any([signal, AbortSignal.timeout(answerMsMax)])
  })
  const page = response.ok ? readSepayPage(await response.text(), nowMs) : undefined
  if (page === undefined) throw new Error(`SePay answered ${response.status} without a list of transactions`)
  return page
}
