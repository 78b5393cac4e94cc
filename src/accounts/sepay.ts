/** SePay: the webhook that tells of transfers on a watched bank account, and its list to ask for what was missed. */
import { createHash, createHmac, timingSafeEqual } from "node:crypto"
import { parseVnd } from "../domain/money.ts"
import { isJsonRecord, parseJsonRecord, type JsonRecord } from "./bank-json.ts"
import { type BankAdapter, type BankTransfer, refused, vietnamTime } from "./bank-transfer.ts"

export interface SepaySecrets {
  /** Secret of `X-SePay-Signature`. */
  readonly webhookSecret: string | undefined
  /** Or the key of `Authorization: Apikey …`. */
  readonly apiKey: string | undefined
}

const driftMsMax = 5 * 60_000

export const makeSepay = (secrets: SepaySecrets): BankAdapter => ({
  provider: "sepay",
  hear: (body, header, nowMs) => {
    const problem = checkSender(secrets, body, header, nowMs)
    if (problem !== undefined) return refused(401, problem)
    const transfer = readTransfer(body.toString("utf8"), nowMs)
    return transfer === undefined
      ? refused(400, "not a SePay transfer")
      : { _tag: "Transfers", transfers: [transfer] }
  }
})

/** One page of SePay's own list of transactions as the transfers the webhook would have told of. */
export const readSepayTransactions = (
  raw: string,
  nowMs: number
): ReadonlyArray<BankTransfer> | undefined => {
  const rows = parseJsonRecord(raw)?.["transactions"]
  if (!Array.isArray(rows)) return undefined
  return rows.filter(isJsonRecord).flatMap((row) => {
    const arrived = parseVnd(decimalText(row["amount_in"])) ?? 0n
    const left = parseVnd(decimalText(row["amount_out"])) ?? 0n
    const id = idText(row["id"])
    if (id === undefined || (arrived === 0n && left === 0n)) return []
    const transfer: BankTransfer = {
      provider: "sepay",
      providerTransferId: id,
      direction: arrived > 0n ? "in" : "out",
      bankAccounts: accountsOf(row["account_number"], row["sub_account"]),
      amount: arrived > 0n ? arrived : left,
      memo: text(row["transaction_content"]),
      transferredAt: vietnamTime(row["transaction_date"], nowMs),
      raw: JSON.stringify(row)
    }
    return [transfer]
  })
}

/** What is wrong with the sender, if anything. With a signing secret set, a bare key is not enough. */
const checkSender = (
  secrets: SepaySecrets,
  body: Buffer,
  header: (name: string) => string,
  nowMs: number
): string | undefined => {
  if (secrets.webhookSecret !== undefined) {
    const timestamp = header("x-sepay-timestamp")
    if (!/^\d{1,12}$/.test(timestamp)) return "the timestamp is missing"
    const expected = createHmac("sha256", secrets.webhookSecret)
      .update(`${timestamp}.`)
      .update(body)
      .digest("hex")
    if (!equalText(header("x-sepay-signature"), `sha256=${expected}`)) return "the signature does not match"
    return Math.abs(nowMs - Number(timestamp) * 1_000) > driftMsMax
      ? "the timestamp is too old or too new"
      : undefined
  }
  if (secrets.apiKey === undefined) return "no secret is set"
  return equalText(header("authorization"), `Apikey ${secrets.apiKey}`) ? undefined : "the key does not match"
}

/** Digests are compared, so that neither content nor length shows in the time taken. */
const equalText = (left: string, right: string): boolean => timingSafeEqual(digest(left), digest(right))
const digest = (value: string) => createHmac("sha256", "compare").update(value).digest()

const readTransfer = (raw: string, nowMs: number): BankTransfer | undefined => {
  const event: JsonRecord = parseJsonRecord(raw) ?? {}
  const amount = parseVnd(decimalText(event["transferAmount"]))
  const id = idText(event["id"])
  const direction = event["transferType"]
  if (amount === undefined || amount < 0n || id === undefined) return undefined
  if (direction !== "in" && direction !== "out") return undefined
  return {
    provider: "sepay",
    providerTransferId: id,
    direction,
    bankAccounts: accountsOf(event["accountNumber"], event["subAccount"]),
    amount,
    memo: [text(event["content"]), text(event["description"])].filter((part) => part !== "").join("\n"),
    transferredAt: vietnamTime(event["transactionDate"], nowMs),
    raw
  }
}

const accountsOf = (...values: ReadonlyArray<unknown>): ReadonlyArray<string> =>
  values.map(text).filter((value) => value !== "")

const text = (value: unknown): string =>
  typeof value === "string" ? value : typeof value === "number" ? String(value) : ""

/** One that is no plain short text is known by its hash, since nothing may be refused for ever for its sake. */
const idText = (value: unknown): string | undefined => {
  const id = text(value).trim()
  if (id === "") return undefined
  return /^[\x20-\x7e]{1,100}$/.test(id) ? id : `sha256:${createHash("sha256").update(id).digest("hex")}`
}

/** `2277000` and `"2277000.00"` alike; a number with a fraction is not money a bank sends. */
const decimalText = (value: unknown): string =>
  typeof value === "number" && !Number.isSafeInteger(value) ? "" : text(value).trim()
