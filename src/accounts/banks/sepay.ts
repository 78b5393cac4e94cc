/** SePay: the webhook that tells of transfers on a watched bank account. */
import { createHmac } from "node:crypto"
import { isJsonRecord, type JsonRecord, textOf } from "../../domain/json-record.ts"
import { amountOf, idOf, lineOf, parseExactRecord, textsOf } from "./bank-json.ts"
import { type BankTransfer, type Hear, refused, unknownSender, readBankTime } from "./bank-transfer.ts"
import { equalSecrets } from "../compare-secrets.ts"

export interface SepaySecrets {
  /** Secret of `X-SePay-Signature`. */
  readonly webhookSecret: string | undefined
  /** Or the key of `Authorization: Apikey …`. */
  readonly apiKey: string | undefined
}

const driftMsMax = 5 * 60_000

export const hearSepay =
  (secrets: SepaySecrets): Hear =>
  (body, header, nowMs) => {
    const problem = checkSender(secrets, body, header, nowMs)
    if (problem !== undefined) return refused(401, problem)
    const transfer = readTransfer(body.toString("utf8"), nowMs)
    return transfer === undefined
      ? refused(400, "not a SePay transfer")
      : { _tag: "Transfers", transfers: [transfer], unread: 0 }
  }

/** One page of SePay's own list of transactions. */
export interface SepayPage {
  /** Of all that stand there, also in a form that can not be read. */
  readonly count: number
  /** As the webhook would have told of them. */
  readonly transfers: ReadonlyArray<BankTransfer>
}

/** `undefined` where it is no list. */
export const readSepayPage = (raw: string, nowMs: number): SepayPage | undefined => {
  const rows = parseExactRecord(raw)?.["transactions"]
  if (!Array.isArray(rows)) return undefined
  const transfers = rows.filter(isJsonRecord).flatMap((row) => {
    const arrived = amountOf(row["amount_in"]) ?? 0n
    const left = amountOf(row["amount_out"]) ?? 0n
    const id = idOf(row["id"])
    if (id === undefined || (arrived === 0n && left === 0n)) return []
    const transfer: BankTransfer = {
      provider: "sepay",
      providerTransferId: id,
      direction: arrived > 0n ? "in" : "out",
      bankAccounts: textsOf(row["account_number"], row["sub_account"]),
      amount: arrived > 0n ? arrived : left,
      memo: textOf(row["transaction_content"]),
      transferredAt: readBankTime(row["transaction_date"], nowMs),
      sender: unknownSender,
      bankReference: "",
      shownReference: lineOf(row["reference_number"]),
      raw: JSON.stringify(row)
    }
    return [transfer]
  })
  return { count: rows.length, transfers }
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
    if (!equalSecrets(header("x-sepay-signature"), `sha256=${expected}`))
      return "the signature does not match"
    return Math.abs(nowMs - Number(timestamp) * 1_000) > driftMsMax
      ? "the timestamp is too old or too new"
      : undefined
  }
  if (secrets.apiKey === undefined) return "no secret is set"
  return equalSecrets(header("authorization"), `Apikey ${secrets.apiKey}`)
    ? undefined
    : "the key does not match"
}

const readTransfer = (raw: string, nowMs: number): BankTransfer | undefined => {
  const event: JsonRecord = parseExactRecord(raw) ?? {}
  const amount = amountOf(event["transferAmount"])
  const id = idOf(event["id"])
  const direction = event["transferType"]
  if (amount === undefined || amount < 0n || id === undefined) return undefined
  if (direction !== "in" && direction !== "out") return undefined
  return {
    provider: "sepay",
    providerTransferId: id,
    direction,
    bankAccounts: textsOf(event["accountNumber"], event["subAccount"]),
    amount,
    memo: textsOf(event["content"], event["description"]).join("\n"),
    transferredAt: readBankTime(event["transactionDate"], nowMs),
    // SePay tells of the sender only what the memo says, and its list has no reference that is always there.
    sender: unknownSender,
    bankReference: "",
    shownReference: lineOf(event["referenceCode"]),
    raw
  }
}
