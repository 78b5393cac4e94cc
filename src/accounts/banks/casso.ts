/**
 * Casso: webhooks that tell of transfers on watched bank accounts, both versions of them, after
 * https://developer.casso.vn/webhook/thiet-lap-webhook-thu-cong and the signed example that Casso publishes.
 */
import { createHmac } from "node:crypto"
import { isJsonRecord, type JsonRecord, textOf } from "../../domain/json-record.ts"
import { amountOf, idOf, lineOf, parseExactRecord, parseJsonRecord, textsOf } from "./bank-json.ts"
import { type BankTransfer, type Hear, refused, readBankTime } from "./bank-transfer.ts"
import { equalSecrets } from "../compare-secrets.ts"

export interface CassoSecrets {
  /** Signs webhooks of version 2 in `X-Casso-Signature`. */
  readonly webhookSecret: string | undefined
  /** Or what webhooks of version 1 bring as `Secure-Token`. */
  readonly secureToken: string | undefined
}

export const hearCasso =
  (secrets: CassoSecrets): Hear =>
  (body, header, nowMs) => {
    const raw = body.toString("utf8")
    const problem = checkSender(secrets, parseJsonRecord(raw), header)
    if (problem !== undefined) return refused(401, problem)
    const data = parseExactRecord(raw)?.["data"]
    // Version 2 tells of one transfer, version 1 of several.
    const rows = (Array.isArray(data) ? data : [data]).filter(isJsonRecord)
    const transfers = rows.flatMap(
      (row) => readTransfer(row, rows.length === 1 ? raw : undefined, nowMs) ?? []
    )
    if (transfers.length === 0 && !Array.isArray(data)) return refused(400, "not a Casso transfer")
    return { _tag: "Transfers", transfers, unread: rows.length - transfers.length }
  }

/** One row of Casso's list, or of a webhook. Money that leaves has a negative amount. */
export const readTransfer = (
  row: JsonRecord,
  raw: string | undefined,
  nowMs: number
): BankTransfer | undefined => {
  const amount = amountOf(row["amount"])
  const id = idOf(row["id"])
  if (amount === undefined || id === undefined) return undefined
  return {
    provider: "casso",
    providerTransferId: id,
    direction: amount < 0n ? "out" : "in",
    amount: amount < 0n ? -amount : amount,
    bankAccounts: textsOf(
      row["accountNumber"],
      row["bank_sub_acc_id"] ?? row["bankSubAccId"],
      row["subAccId"],
      row["virtualAccountNumber"] ?? row["virtualAccount"] ?? row["virtual_account"]
    ),
    memo: textOf(row["description"]),
    transferredAt: readBankTime(row["transactionDateTime"] ?? row["when"], nowMs),
    sender: {
      name: lineOf(row["counterAccountName"], row["corresponsiveName"], row["corresponsive_name"]),
      account: lineOf(row["counterAccountNumber"], row["corresponsiveAccount"], row["corresponsive_account"]),
      bank: lineOf(
        row["counterAccountBankName"],
        row["corresponsiveBankName"],
        row["corresponsive_bank_name"]
      )
    },
    bankReference: lineOf(row["reference"], row["tid"]),
    shownReference: "",
    raw: raw ?? JSON.stringify(row)
  }
}

/**
 * What is wrong with the sender, if anything. The signature's time may be of any age: Casso does not say that it signs anew what
 * it sends again, and what is sent twice is counted once all the same.
 */
const checkSender = (
  { secureToken, webhookSecret }: CassoSecrets,
  event: JsonRecord | undefined,
  header: (name: string) => string
): string | undefined => {
  if (webhookSecret === undefined) {
    if (secureToken === undefined) return "no secret is set"
    return equalSecrets(header("secure-token"), secureToken) ? undefined : "the token does not match"
  }
  const [, time, signature] =
    /^t=(\d{1,16}),v1=([0-9a-f]{128})$/.exec(header("x-casso-signature").trim()) ?? []
  if (time === undefined || signature === undefined) return "the signature is missing"
  const sorted = event && sortKeys(event, sortedDepthMax)
  if (sorted === undefined) return "the signature does not match"
  const expected = createHmac("sha512", webhookSecret)
    .update(`${time}.${JSON.stringify(sorted)}`)
    .digest("hex")
  return equalSecrets(signature, expected) ? undefined : "the signature does not match"
}

const sortedDepthMax = 8

/** As Casso signs it: the keys of objects in order, at any depth but inside lists. `undefined` where it goes too deep. */
const sortKeys = (value: JsonRecord, depth: number): JsonRecord | undefined => {
  if (depth === 0) return undefined
  const entries: Array<readonly [string, unknown]> = []
  for (const key of Object.keys(value).sort()) {
    const field = value[key]
    const sorted = isJsonRecord(field) ? sortKeys(field, depth - 1) : field
    if (isJsonRecord(field) && sorted === undefined) return undefined
    entries.push([key, sorted])
  }
  return Object.fromEntries(entries)
}
