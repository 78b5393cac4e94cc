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

/** Newest first, further back while pages are full. */
export const listSepay = (access: SepayAccess): ListTransfers =>
  async function* (question) {
    let account: string | undefined = access.bankAccount
    let until: Date | undefined
    for (let page = 0; page < pagesMax; page++) {
      let answer = await fetchPage(access, question, { account, until })
      // It knows accounts by their main numbers: where none has ours, ours may be a virtual one.
      if (page === 0 && answer.count === 0) {
        account = undefined
        answer = await fetchPage(access, question, { account, until })
      }
      const { count, transfers } = answer
      yield transfers.filter((transfer) => isInto(access.bankAccount, transfer))
      if (count < pageSize) return
      const oldest = oldestOf(transfers)
      if (oldest?.getTime() === until?.getTime()) break
      until = oldest
    }
    throw new Error("SePay has more transactions than it lists")
  }

/** What is asked for: of all accounts where none is named, and up to a time. */
interface Range {
  readonly account: string | undefined
  readonly until: Date | undefined
}

const oldestOf = (transfers: ReadonlyArray<BankTransfer>): Date | undefined =>
  transfers.map((transfer) => transfer.transferredAt).toSorted((a, b) => a.getTime() - b.getTime())[0]

const fetchPage = async (
  access: SepayAccess,
  { agent, nowMs, signal, sinceMs }: ListQuestion,
  { account, until }: Range
) => {
  const query = new URLSearchParams({
    transaction_date_min: vietnamText(sinceMs),
    limit: String(pageSize)
  })
  if (account !== undefined) query.set("account_number", account)
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
