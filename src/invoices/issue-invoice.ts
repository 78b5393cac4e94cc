/**
 * One step towards an invoice. The provider knows no repetition of a request: so that an invoice may be there is written down
 * before it is asked for, and one whose answer was lost is looked for by its reference, never asked for again.
 */
import { invoiceProblems } from "../domain/invoice-problems.ts"
import { microVndPerVnd } from "../domain/money.ts"
import {
  changeInvoice,
  dropTakenBack,
  findInvoice,
  type InvoiceRow,
  markSent
} from "../storage/payments/InvoiceStore.ts"
import type { JobQueue } from "../storage/jobs/JobQueue.ts"
import type { JobOutcome } from "../storage/jobs/JobWorker.ts"
import type { InvoiceAnswer, InvoiceProvider } from "./InvoiceProvider.ts"

/** What could not be issued for so long is left to an operator. */
const invoiceMsMax = 24 * 3_600_000

export const issueInvoice = async (
  queue: JobQueue,
  provider: InvoiceProvider,
  id: string
): Promise<JobOutcome> => {
  const invoice = await queue.run((sql) => findInvoice(sql, id))
  if (invoice === undefined || invoice.status !== "waiting") return "done"
  const answer = await askProvider(queue, provider, invoice)
  const tracking = answer._tag === "Pending" ? answer.tracking : undefined
  const isTaken = tracking !== undefined && tracking !== invoice.tracking
  const isLast = invoice.attempts > 0 && !isTaken && invoice.triedMs >= invoiceMsMax
  switch (answer._tag) {
    case "Issued": {
      const { number, url } = answer.invoice
      await queue.run((sql) => changeInvoice(sql, id, { status: "issued", number, url, problem: "" }))
      return "done"
    }
    case "Refused":
      await queue.run((sql) =>
        changeInvoice(sql, id, { status: "failed", isUnsent: true, problem: answer.problem })
      )
      return "done"
    case "Pending":
      return putOff(queue, id, { ...(tracking && { tracking }), problem: invoiceProblems.inProgress }, isLast)
    case "NotSent":
      return putOff(queue, id, { isUnsent: true, problem: answer.problem }, isLast)
    case "Unknown":
      // After a day of looking it is not there; whether to ask again is for an operator to say.
      return putOff(queue, id, { problem: invoiceProblems.unknown, isUnsent: isLast }, isLast)
    case "Lost":
      return putOff(queue, id, { problem: answer.problem }, isLast)
  }
}

const askProvider = async (
  queue: JobQueue,
  provider: InvoiceProvider,
  invoice: InvoiceRow
): Promise<InvoiceAnswer> => {
  const { id, tracking } = invoice
  if (invoice.sentAtMs !== undefined) {
    const answer = tracking === undefined ? undefined : await provider.check(tracking)
    return answer === undefined || answer._tag === "Unknown" ? provider.find(id) : answer
  }
  if (tracking !== undefined) {
    // It was taken and then told as failed, or forgotten: it may have been issued all the same since.
    const answer = await provider.find(id)
    if (answer._tag !== "Unknown") return answer
  }
  const sent = await queue.run((sql) => markSent(sql, id))
  if (sent === undefined) {
    const present = await queue.run((sql) => findInvoice(sql, id))
    // By another node, while this one stood still for longer than an attempt may take.
    if (present?.sentAtMs !== undefined) return provider.find(id)
    await queue.run((sql) => dropTakenBack(sql, id))
    return { _tag: "Refused", problem: invoiceProblems.toNobody }
  }
  const { address, amount, company, email, sentAtMs, taxCode } = sent
  const amountVnd = amount / microVndPerVnd
  return provider.create({ reference: id, amountVnd, company, taxCode, address, email }, sentAtMs!)
}

const putOff = async (
  queue: JobQueue,
  id: string,
  change: { readonly problem: string; readonly tracking?: string; readonly isUnsent?: boolean },
  isLast: boolean
): Promise<JobOutcome> => {
  const status = isLast ? "failed" : "waiting"
  await queue.run((sql) => changeInvoice(sql, id, { ...change, status }))
  return isLast ? "done" : "again"
}
