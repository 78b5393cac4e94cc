/** A bank transfer as the rest of the program sees it, and what every provider of such news must offer. */
import type { Arrival } from "../domain/top-up.ts"

export interface BankTransfer extends Arrival {
  readonly provider: string
  /** Unique within the provider: the same transfer heard of twice is one transfer. */
  readonly providerTransferId: string
  readonly memo: string
  readonly transferredAt: Date
  /** What the provider sent, unchanged. */
  readonly raw: string
}

/** What a request to a webhook turned out to be. */
export type Heard =
  | { readonly _tag: "Transfers"; readonly transfers: ReadonlyArray<BankTransfer> }
  | { readonly _tag: "Refused"; readonly status: 400 | 401; readonly reason: string }

/** One bank messenger: checks who sent it over the raw bytes, then reads it. */
export interface BankAdapter {
  readonly provider: string
  readonly hear: (body: Buffer, header: (name: string) => string, nowMs: number) => Heard
}

export const refused = (status: 400 | 401, reason: string): Heard => ({ _tag: "Refused", status, reason })

/** PostgreSQL holds fewer years than JavaScript, and no bank tells of a transfer so far from now. */
const awayMsMax = 20 * 365 * 86_400_000

/** Banks give local times without a zone: Viet Nam is UTC+7 all year. What can not be a time is now. */
export const vietnamTime = (text: unknown, nowMs: number): Date => {
  const date = new Date(`${typeof text === "string" ? text.trim().replace(" ", "T") : ""}+07:00`)
  return Math.abs(date.getTime() - nowMs) < awayMsMax ? date : new Date(nowMs)
}
