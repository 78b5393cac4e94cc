/** A bank transfer as the rest of the program sees it, and what every provider of such news must offer. */
import type { Agent } from "undici"
import type { Arrival } from "../../domain/top-up.ts"
import type { Sql } from "../../storage/Database.ts"
import { vietnamOffset } from "../../domain/vietnam-days.ts"

export interface BankTransfer extends Arrival {
  readonly provider: string
  /** Unique within the provider: the same transfer heard of twice is one transfer. */
  readonly providerTransferId: string
  /** The number of our payment request that it pays, where that is told: it is our money and that order's, whatever else is said. */
  readonly request?: bigint
  readonly memo: string
  readonly transferredAt: Date
  /** Who sent it, each empty where the provider does not tell. */
  readonly sender: Sender
  /** By which the banks themselves know it; empty where the provider does not tell. */
  readonly bankReference: string
  /** By which its sender knows it, where that is told, but not surely each time that the transfer is; else empty. */
  readonly shownReference: string
  /** What the provider sent, unchanged. */
  readonly raw: string
}

export interface Sender {
  readonly name: string
  readonly account: string
  readonly bank: string
}

export const unknownSender: Sender = { name: "", account: "", bank: "" }

/** What a request to a webhook turned out to be. */
export type Heard =
  | {
      readonly _tag: "Transfers"
      readonly transfers: ReadonlyArray<BankTransfer>
      /** How many others it told of in a form that can not be read. */
      readonly unread: number
    }
  | { readonly _tag: "Refused"; readonly status: 400 | 401; readonly reason: string }

/** Checks who sent it over the raw bytes, then reads it. */
export type Hear = (body: Buffer, header: (name: string) => string, nowMs: number) => Heard

export interface ListQuestion {
  readonly sql: Sql
  /** Transfers from then on are asked for. */
  readonly sinceMs: number
  readonly nowMs: number
  readonly agent: Agent
  readonly signal: AbortSignal
}

/** Pages of transfers; it throws where the provider does not answer with a list. */
export type ListTransfers = (question: ListQuestion) => AsyncIterable<ReadonlyArray<BankTransfer>>

/** One bank messenger. Each part is `undefined` where no secret is set for it. */
export interface BankAdapter {
  /** Part of the webhook's path and of every transfer's id. */
  readonly provider: string
  /** As people know it. */
  readonly name: string
  /** It tells of all transfers on an account; or else of payments of our own requests alone. */
  readonly watchesAccount: boolean
  readonly hear: Hear | undefined
  readonly list: ListTransfers | undefined
}

export const refused = (status: 400 | 401, reason: string): Heard => ({ _tag: "Refused", status, reason })

/** How long a provider may take to answer one question. */
export const answerMsMax = 20_000

/** Why a provider could not be asked: fetch's own words say only that it failed. */
export const whyUnasked = (failure: unknown): string => {
  const code = failure instanceof Error && (failure.cause as { readonly code?: unknown } | undefined)?.code
  return typeof code === "string" ? `${String(failure)} (${code})` : String(failure)
}

/** PostgreSQL holds fewer years than JavaScript, and no bank tells of a transfer so far from now. */
const awayMsMax = 20 * 365 * 86_400_000

/** Banks give local times without a zone, or the day alone: Viet Nam is UTC+7 all year. What can not be a time is now. */
export const readBankTime = (text: unknown, nowMs: number): Date => {
  const local = typeof text === "string" ? text.trim().replace(" ", "T") : ""
  const time = /^\d{4}-\d\d-\d\d$/.test(local) ? `${local}T00:00:00` : local
  const date = new Date(/(?:Z|[+-]\d\d:\d\d)$/.test(time) ? time : `${time}${vietnamOffset}`)
  return Math.abs(date.getTime() - nowMs) < awayMsMax ? date : new Date(nowMs)
}
