/** What Casso sends of a transfer (webhook of version 2), and how it signs it. */
import { createHmac } from "node:crypto"

export interface CassoEvent {
  readonly id?: number | string
  readonly amount?: number | string
  readonly description?: string
  readonly transactionDateTime?: string
  readonly accountNumber?: string
  readonly reference?: string
  readonly counterAccountName?: string
  readonly counterAccountNumber?: string
}

const dataOf = (event: CassoEvent) => ({
  id: 92_704,
  reference: "",
  description: "",
  amount: 50_000,
  runningBalance: 25_000_000,
  transactionDateTime: "2026-11-20 14:02:37",
  accountNumber: "0123456789",
  bankName: "VPBank",
  bankAbbreviation: "VPB",
  virtualAccountNumber: "",
  virtualAccountName: "",
  counterAccountName: "",
  counterAccountNumber: "",
  counterAccountBankId: "",
  counterAccountBankName: "",
  ...event
})

export const cassoBody = (event: CassoEvent): string => JSON.stringify({ error: 0, data: dataOf(event) })

/** A row of Casso's list. */
export const cassoRow = (event: CassoEvent) => {
  const { accountNumber, amount, description, id, reference } = dataOf(event)
  return {
    id,
    tid: reference,
    description,
    amount,
    cusum_balance: 1,
    when: "2026-11-20T00:00:00",
    bankSubAccId: accountNumber,
    virtualAccount: "",
    corresponsiveName: "",
    corresponsiveAccount: "",
    corresponsiveBankName: ""
  }
}

/** Of a body without objects deeper than `data`. */
export const cassoSignature = (body: string, secret: string): string => {
  const event = JSON.parse(body) as Record<string, unknown>
  const data = event["data"]
  const sorted =
    typeof data === "object" && data !== null && !Array.isArray(data)
      ? { ...event, data: sortedByKey(data as Record<string, unknown>) }
      : event
  const message = `1727948258788.${JSON.stringify(sortedByKey(sorted))}`
  return `t=1727948258788,v1=${createHmac("sha512", secret).update(message).digest("hex")}`
}

const sortedByKey = (value: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1)))
