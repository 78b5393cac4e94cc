/**
 * payOS: it takes the payment of orders that it is asked to take, and tells of each by a webhook, after https://payos.vn/docs
 * (webhook, check by signature). What it sends and answers is signed alike.
 */
import { createHmac } from "node:crypto"
import { isJsonRecord, type JsonRecord, textOf } from "../../domain/json-record.ts"
import { amountOf, lineOf, parseJsonRecord, textsOf } from "./bank-json.ts"
import { type BankTransfer, type Hear, refused, readBankTime } from "./bank-transfer.ts"
import { equalSecrets } from "../compare-secrets.ts"

export const hearPayos =
  (checksumKey: string): Hear =>
  (body, _header, nowMs) => {
    const raw = body.toString("utf8")
    const event = parseJsonRecord(raw)
    const data = event?.["data"]
    if (!isJsonRecord(data) || !isSigned(data, event?.["signature"], checksumKey))
      return refused(401, "the signature does not match")
    // Sent where the address of the webhook is set up, to see whether anybody answers.
    if (data["orderCode"] === testNumber) return { _tag: "Transfers", transfers: [], unread: 0 }
    if (textOf(data["code"]) !== "00") return { _tag: "Transfers", transfers: [], unread: 0 }
    const transfer = readPayment(data, data["orderCode"], raw, nowMs)
    return transfer === undefined
      ? refused(400, "not a payment of payOS")
      : { _tag: "Transfers", transfers: [transfer], unread: 0 }
  }

const testNumber = 123

/** A payment, as the webhook and the payment request tell it alike, so that it has the same id from both. */
export const readPayment = (
  data: JsonRecord,
  number: unknown,
  raw: string | undefined,
  nowMs: number
): BankTransfer | undefined => {
  const amount = amountOf(data["amount"])
  if (amount === undefined || amount < 0n) return undefined
  if (typeof number !== "number" || !Number.isSafeInteger(number)) return undefined
  const transferredAt = readBankTime(data["transactionDateTime"], nowMs)
  const reference = lineOf(data["reference"])
  // A time that is not told is that of the moment, which is another one each time that it is told of.
  const time = transferredAt.getTime() === nowMs ? "" : transferredAt.toISOString()
  const name = reference === "" ? `${time}/${amount}` : reference
  return {
    provider: "payos",
    providerTransferId: `${number}/${name}`,
    request: BigInt(number),
    direction: "in",
    amount,
    bankAccounts: textsOf(data["accountNumber"], data["virtualAccountNumber"]),
    memo: textOf(data["description"]),
    transferredAt,
    sender: {
      name: lineOf(data["counterAccountName"]),
      account: lineOf(data["counterAccountNumber"]),
      bank: lineOf(data["counterAccountBankName"], data["counterAccountBankId"])
    },
    bankReference: reference,
    shownReference: "",
    raw: raw ?? JSON.stringify(data)
  }
}

/** Whether the fields, sorted by name and written as `name=value&…`, have this HMAC-SHA256. */
export const isSigned = (data: JsonRecord, signature: unknown, checksumKey: string): boolean =>
  typeof signature === "string" && equalSecrets(signature, signatureOf(data, checksumKey))

export const signatureOf = (data: JsonRecord, checksumKey: string): string => {
  const pairs = Object.keys(data)
    .sort()
    .map((key) => `${key}=${signedText(data[key])}`)
  return createHmac("sha256", checksumKey).update(pairs.join("&")).digest("hex")
}

/** Nothing is written as nothing, a list as JSON whose objects are sorted. */
const signedText = (value: unknown): string => {
  if (Array.isArray(value))
    return JSON.stringify(value.map((item) => (isJsonRecord(item) ? sorted(item) : item)))
  if (value === null || value === undefined || value === "null" || value === "undefined") return ""
  return String(value)
}

const sorted = (record: JsonRecord): JsonRecord =>
  Object.fromEntries(
    Object.keys(record)
      .sort()
      .map((key) => [key, record[key]])
  )
