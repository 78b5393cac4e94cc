/** What became of the payments that payOS was asked to take: it lists no transfers, so each open request is asked after. */
import {
  closeRequest,
  listOpenRequests,
  noteAskedAfter,
  type OpenRequest
} from "../../storage/payments/PaymentRequestStore.ts"
import { isJsonRecord } from "../../domain/json-record.ts"
import type { ListQuestion, ListTransfers } from "./bank-transfer.ts"
import { readPayment } from "./payos.ts"
import { PayosRequests, type PayosAccess } from "./PayosRequests.ts"
import { payosPayee, payosProvider } from "./request-payment.ts"

const requestsMax = 200
const askedMsMax = 7 * 24 * 3_600_000
/** What was never answered, and is not there after so long, was not taken. */
const lostMsMax = 3_600_000

const finalStatuses: ReadonlySet<unknown> = new Set(["PAID", "CANCELLED", "EXPIRED", "FAILED"])

export const listPayos = (access: PayosAccess): ListTransfers =>
  async function* (question) {
    const { agent, nowMs, signal, sql } = question
    const requests = new PayosRequests(access, agent)
    const since = new Date(nowMs - askedMsMax)
    let failure: unknown
    for (const open of await listOpenRequests(sql, payosPayee(access), since, requestsMax)) {
      const request = { provider: payosProvider, number: open.number }
      // Before: one whose answer can not be read must not take its turn again and again.
      await noteAskedAfter(sql, request)
      try {
        const data = await requests.read(open.number, signal)
        const payments = data["transactions"]
        const rows = Array.isArray(payments) ? payments.filter(isJsonRecord) : []
        yield rows.flatMap((row) => readPayment(row, Number(open.number), undefined, nowMs) ?? [])
        // Only now: what was yielded has been received.
        if (finalStatuses.has(data["status"])) await closeRequest(sql, request)
      } catch (cause) {
        signal.throwIfAborted()
        if (isLost(open, question)) await closeRequest(sql, request)
        else if (open.isAnswered) failure ??= cause
      }
    }
    // One that can not be asked after keeps no other from it, and is told of all the same.
    if (failure !== undefined) throw failure
  }

const isLost = ({ askedAtMs, isAnswered }: OpenRequest, { nowMs }: ListQuestion) =>
  !isAnswered && nowMs - askedAtMs > lostMsMax
