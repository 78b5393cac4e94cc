/** Casso's list of transactions, after https://developer.casso.vn/casso-api/api/lay-giao-dich; its ids are the webhook's own. */
import { fetch } from "undici"
import { dayText } from "../../domain/vietnam-days.ts"
import { isJsonRecord } from "../../domain/json-record.ts"
import { parseExactRecord } from "./bank-json.ts"
import { answerMsMax, type BankTransfer, type ListQuestion, type ListTransfers } from "./bank-transfer.ts"
import { readTransfer } from "./casso.ts"

export interface CassoAccess {
  readonly baseUrl: string
  readonly apiKey: string
}

const pageSize = 100
const pagesMax = 1_000

/** Oldest first, so that what comes meanwhile stands at the end and moves nothing from page to page. */
export const listCasso = (access: CassoAccess): ListTransfers =>
  async function* (question) {
    for (let page = 1; page <= pagesMax; page++) {
      const { pages, transfers } = await fetchPage(access, question, page)
      yield transfers
      if (page >= pages) return
    }
    throw new Error(`Casso has more than ${pagesMax} pages of transactions since the last days`)
  }

const fetchPage = async (
  { apiKey, baseUrl }: CassoAccess,
  { agent, nowMs, signal, sinceMs }: ListQuestion,
  page: number
): Promise<{ readonly pages: number; readonly transfers: ReadonlyArray<BankTransfer> }> => {
  const query = new URLSearchParams({
    fromDate: dayText(sinceMs),
    page: String(page),
    pageSize: String(pageSize),
    sort: "ASC"
  })
  const response = await fetch(`${baseUrl}/transactions?${query}`, {
    dispatcher: agent,
    headers: { authorization: `Apikey ${apiKey}` },
    signal: AbortSignal.any([signal, AbortSignal.timeout(answerMsMax)])
  })
  const data = response.ok ? parseExactRecord(await response.text())?.["data"] : undefined
  const records = isJsonRecord(data) ? data["records"] : undefined
  const pages = isJsonRecord(data) ? Number(data["totalPages"]) : Number.NaN
  if (!Array.isArray(records) || !Number.isSafeInteger(pages))
    throw new Error(`Casso answered ${response.status} without a list of transactions`)
  const rows = records.filter(isJsonRecord)
  return { pages, transfers: rows.flatMap((row) => readTransfer(row, undefined, nowMs) ?? []) }
}
