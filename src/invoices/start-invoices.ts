/** Issues invoices through the queue of jobs, where the settings name who does. */
import { notSet } from "../config/settings-parts.ts"
import type { Settings } from "../config/settings.ts"
import type { AccountId } from "../domain/ids.ts"
import { outwardAgent } from "../outgoing/connect-outward.ts"
import type { Transaction } from "../storage/Database.ts"
import { isSetOtherwise } from "../storage/NodeSettingsStore.ts"
import {
  addInvoices,
  findInvoiceOf,
  listWaitingInvoices,
  retryInvoice
} from "../storage/payments/InvoiceStore.ts"
import type { JobQueue, QueueTraits } from "../storage/jobs/JobQueue.ts"
import { issueInvoice } from "./issue-invoice.ts"
import { SepayEinvoice, sepayEinvoice } from "./sepay-einvoice.ts"

const invoiceQueue: QueueTraits = {
  name: "issue-invoice",
  retriesMax: 200,
  retryDelaySeconds: 5,
  retryDelaySecondsMax: 1_800,
  attemptSecondsMax: 120,
  atOnceMax: 10
}

export interface Invoices {
  /** Asks for invoices of these top-ups, in the transaction that notices them. */
  readonly add: (transaction: Transaction, entryIds: ReadonlyArray<string>) => Promise<void>
  /** Asks for one where there is none; false where the account has not said to whom it is made out. */
  readonly request: (accountId: AccountId, entryId: string) => Promise<boolean>
  /** An operator's word that a failed one may be asked for again; false where there is none. */
  readonly retry: (id: string, actor: string) => Promise<boolean>
  readonly close: () => Promise<void>
}

/** `undefined` where nobody issues them. */
export const startInvoices = async (queue: JobQueue, settings: Settings): Promise<Invoices | undefined> => {
  const { einvoice, proxies } = settings
  if (einvoice === undefined) return undefined
  const provider = new SepayEinvoice(einvoice, outwardAgent(proxies))
  await queue.serve<{ readonly invoice: string }>(invoiceQueue, ({ invoice }) =>
    issueInvoice(queue, provider, invoice)
  )
  const addJobs = (transaction: Transaction, ids: ReadonlyArray<string>) => addJobsTo(queue, transaction, ids)
  // While nobody issued any, the queue may have forgotten their jobs; those that are there keep others out.
  await queue.run((sql) =>
    sql.begin(async (transaction) => addJobs(transaction, await listWaitingInvoices(transaction)))
  )
  const add = async (transaction: Transaction, entryIds: ReadonlyArray<string>, owner?: AccountId) => {
    const ids = await addInvoices(transaction, provider.name, entryIds, owner)
    await addJobs(transaction, ids)
    return ids.length > 0
  }
  return {
    add: async (transaction, entryIds) => void (await add(transaction, entryIds)),
    request: (accountId, entryId) =>
      queue.run((sql) =>
        sql.begin(
          async (transaction) =>
            (await add(transaction, [entryId], accountId)) ||
            (await findInvoiceOf(transaction, accountId, entryId)) !== undefined
        )
      ),
    retry: (id, actor) =>
      queue.run((sql) => sql.begin((transaction) => retryIn(queue, transaction, id, actor))),
    close: () => provider.close()
  }
}

/** As `Invoices.add`, on a node that issues none: one that was told who does will, if any lives. */
export const leaveInvoices = async (
  queue: JobQueue,
  transaction: Transaction,
  entryIds: ReadonlyArray<string>
): Promise<void> => {
  if (!(await isSetOtherwise(transaction, { einvoice: notSet }))) return
  await addJobsTo(queue, transaction, await addInvoices(transaction, sepayEinvoice, entryIds))
}

/** As `Invoices.retry`, on a node that issues none; false, too, where no other that lives was told who does. */
export const leaveRetry = (queue: JobQueue, id: string, actor: string): Promise<boolean> =>
  queue.run((sql) =>
    sql.begin(
      async (transaction) =>
        (await isSetOtherwise(transaction, { einvoice: notSet })) &&
        (await retryIn(queue, transaction, id, actor))
    )
  )

const retryIn = async (queue: JobQueue, transaction: Transaction, id: string, actor: string) => {
  const outcome = await retryInvoice(transaction, id, actor)
  if (outcome === "retried")
    await queue.addNow(transaction, invoiceQueue.name, { key: id, data: { invoice: id } })
  return outcome !== "no invoice"
}

const addJobsTo = (queue: JobQueue, transaction: Transaction, ids: ReadonlyArray<string>) =>
  queue.add(
    transaction,
    invoiceQueue.name,
    ids.map((id) => ({ key: id, data: { invoice: id } }))
  )
