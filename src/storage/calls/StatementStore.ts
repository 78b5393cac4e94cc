/**
 * Every movement of a wallet with the balance after it. Calls stand as sums of a day and a model, taken from the sums of
 * days and hours; balance = entries - costs, as the audit proves it.
 */
import type { AccountId } from "../../domain/ids.ts"
import type { MicroVnd } from "../../domain/money.ts"
import { dayMs, startOfDay, startOfNamedDay } from "../../domain/vietnam-days.ts"
import type { Sql, Transaction } from "../Database.ts"
import { usedWithin } from "./find-used.ts"

export interface StatementFilter {
  readonly accountId: AccountId
  /** Midnights in Viet Nam; up to, but without, `to`. `undefined`: from the beginning. */
  readonly from: Date | undefined
  readonly to: Date
}

interface Movement {
  /** In Viet Nam: `2026-11-22`. */
  readonly day: string
  /** Its place among the movements of its day: entries as they came, then calls by model. */
  readonly place: string
  readonly amount: MicroVnd
  /** Of the wallet, after this movement. Between those of one day it need not have been the balance of any moment. */
  readonly balance: MicroVnd
}

export type StatementLine = Movement &
  (
    | {
        readonly kind: "top_up" | "credit" | "correction"
        readonly entryId: string
        readonly atMs: number
        readonly reason: string
      }
    | {
        readonly kind: "calls"
        readonly model: string
        /** With those that failed, and cost nothing. */
        readonly calls: number
        readonly inputTokens: number
        readonly outputTokens: number
      }
  )

/** Behind which movement a page begins. */
export type StatementCursor = Pick<Movement, "day" | "place">

export interface StatementSums {
  /** Before the first movement of the period. */
  readonly opening: MicroVnd
  /** What was added and what was taken in the period; the second is not positive. */
  readonly added: MicroVnd
  readonly taken: MicroVnd
  /** After its last movement. */
  readonly closing: MicroVnd
}

export interface StatementPage {
  readonly sums: StatementSums
  readonly lines: ReadonlyArray<StatementLine>
  /** `undefined` after the last page. */
  readonly next: StatementCursor | undefined
}

/** Oldest first. All of a page is of one moment of the database. */
export const readStatement = (
  sql: Sql,
  filter: StatementFilter,
  paging: StatementPaging
): Promise<StatementPage> =>
  sql.begin("isolation level repeatable read read only", async (transaction) => {
    const [sums, lines] = await Promise.all([
      readSums(transaction, filter),
      readLines(transaction, filter, paging)
    ])
    const last = lines.length < paging.limit ? undefined : lines.at(-1)
    return { sums, lines, next: last === undefined ? undefined : { day: last.day, place: last.place } }
  })

interface StatementPaging {
  readonly after: StatementCursor | undefined
  readonly limit: number
}

/** From the balances at both ends, and not line by line: calls only take. */
const readSums = async (sql: Transaction, filter: StatementFilter): Promise<StatementSums> => {
  const { accountId, from, to } = filter
  const [opening, closing, [row]] = await Promise.all([
    from === undefined ? 0n : readBalanceAt(sql, filter, from),
    readBalanceAt(sql, filter, to),
    sql<[{ added: string }]>`
      select coalesce(sum(amount_micro_vnd), 0)::text as added from ledger_entries
      where account_id = ${accountId} and amount_micro_vnd > 0 ${within(sql, "at", from)} and at < ${to}`
  ])
  const added = BigInt(row.added)
  return { opening, added, taken: closing - opening - added, closing }
}

/** Closed months that are over by then count by their sums, of which there are few. */
const readBalanceAt = async (
  sql: Transaction,
  { accountId }: StatementFilter,
  at: Date
): Promise<MicroVnd> => {
  const [{ names, until }] = await sql<[{ names: ReadonlyArray<string>; until: Date | null }]>`
    select coalesce(array_agg(name), '{}') as names, max(ends_at) as until from call_months
    where closed_at is not null and ends_at <= ${at}`
  const [row] = await sql<[{ balance: string }]>`
    select (
      (select coalesce(sum(amount_micro_vnd), 0) from ledger_entries where account_id = ${accountId} and at < ${at})
      - (select coalesce(sum(cost_micro_vnd), 0) from usage_months
        where account_id = ${accountId} and month = any (${[...names]}::text[]))
      - (select coalesce(sum(cost_micro_vnd), 0)
        from (${usedWithin(sql, { accountId, from: until ?? undefined, to: at })}) used)
    )::text as balance`
  return BigInt(row.balance)
}

/** Of the first stretch that is looked through; each that follows is twice as long. */
const stretchDays = 64

/** Stretch by stretch until the page is full, so that a page reads about what it shows. */
const readLines = async (
  sql: Transaction,
  filter: StatementFilter,
  { after, limit }: StatementPaging
): Promise<ReadonlyArray<StatementLine>> => {
  const lines: Array<StatementLine> = []
  let from = startAfter(filter, after)
  for (let days = stretchDays; lines.length < limit; days *= 2) {
    const start = await findMovement(sql, filter, from)
    if (start === undefined) break
    const to = new Date(Math.min(start.getTime() + days * dayMs, filter.to.getTime()))
    lines.push(
      ...(await readStretch(sql, { ...filter, from: start, to }, { after, limit: limit - lines.length }))
    )
    from = to
  }
  return lines
}

/** The rest of the cursor's own day is read too. */
const startAfter = ({ from }: StatementFilter, after: StatementCursor | undefined): Date | undefined => {
  if (after === undefined) return from
  const day = new Date(startOfNamedDay(after.day))
  return from !== undefined && from > day ? from : day
}

/** The midnight of the first day from then on that something moved on; no earlier than that moment. */
const findMovement = async (
  sql: Transaction,
  { accountId, to }: StatementFilter,
  from: Date | undefined
): Promise<Date | undefined> => {
  const [{ first }] = await sql<[{ first: Date | null }]>`
    select least(
      (select min(hour) from usage_hours where account_id = ${accountId} ${within(sql, "hour", from)} and hour < ${to}),
      (select min(at) from ledger_entries where account_id = ${accountId} ${within(sql, "at", from)} and at < ${to})
    ) as first`
  return first === null
    ? undefined
    : new Date(Math.max(startOfDay(first.getTime()), from?.getTime() ?? -Infinity))
}

const readStretch = async (
  sql: Transaction,
  stretch: Stretch,
  { after, limit }: StatementPaging
): Promise<ReadonlyArray<StatementLine>> => {
  const [before, rows] = await Promise.all([
    readBalanceAt(sql, stretch, stretch.from),
    sql<Array<RawLine>>`
      select day, place, kind, amount::text, running::text, entry_id, at, text, calls::float8, input_tokens::float8, output_tokens::float8
      from (select m.*, sum(amount) over (order by day, place) as running from (${movementsOf(sql, stretch)}) m) summed
      ${after === undefined ? sql`` : sql`where (day, place) > (${after.day}, ${after.place} collate "C")`}
      order by day, place limit ${limit}`
  ])
  return rows.map((row) => readLine(row, before))
}

const within = (sql: Transaction, column: "at" | "hour", from: Date | undefined) =>
  from === undefined ? sql`` : sql`and ${sql(column)} >= ${from}`

/** Whole days, but for those that the period itself begins or ends within. */
interface Stretch extends StatementFilter {
  readonly from: Date
}

/** What cost nothing moved nothing. */
const movementsOf = (sql: Transaction, { accountId, from, to }: Stretch) => sql`
    select vietnam_day(at)::text collate "C" as day,
      ('0' || lpad(id::text, 19, '0')) collate "C" as place,
      case when source = 'top_up' and amount_micro_vnd > 0 then 'top_up' when amount_micro_vnd > 0 then 'credit' else 'correction' end as kind,
      amount_micro_vnd::numeric as amount, id::text as entry_id, at, reason as text,
      0::numeric as calls, 0::numeric as input_tokens, 0::numeric as output_tokens
    from ledger_entries where account_id = ${accountId} and amount_micro_vnd <> 0 and at >= ${from} and at < ${to}
    union all
    select (day::text) collate "C", ('1' || model) collate "C", 'calls', -cost, null, null, model, calls, input_tokens, output_tokens
    from (
      select vietnam_day(start) as day, model, sum(cost_micro_vnd) as cost, sum(calls) as calls,
        sum(input_tokens) as input_tokens, sum(output_tokens) as output_tokens
      from (${usedWithin(sql, { accountId, from, to })}) used group by 1, 2
    ) days where cost <> 0`

interface RawLine {
  readonly day: string
  readonly place: string
  readonly kind: StatementLine["kind"]
  readonly amount: string
  /** What all movements of the stretch up to this one come to. */
  readonly running: string
  readonly entry_id: string | null
  readonly at: Date | null
  readonly text: string
  readonly calls: number
  readonly input_tokens: number
  readonly output_tokens: number
}

const readLine = (row: RawLine, before: MicroVnd): StatementLine => {
  const { day, kind, place } = row
  const movement = { day, place, amount: BigInt(row.amount), balance: before + BigInt(row.running) }
  if (kind === "calls") {
    const { calls, input_tokens: inputTokens, output_tokens: outputTokens, text: model } = row
    return { ...movement, kind, model, calls, inputTokens, outputTokens }
  }
  return {
    ...movement,
    kind,
    entryId: row.entry_id ?? "",
    atMs: row.at?.getTime() ?? 0,
    reason: row.text
  }
}
