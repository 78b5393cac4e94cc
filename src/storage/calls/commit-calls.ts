/**
 * Writes calls, what they cost and what that leaves to spend in one statement, hence one transaction: all of them or none.
 * Their sums come ready made, since PostgreSQL would take twice the time of the whole statement to make them.
 */
import type { CallExtras, CallRecord } from "../../domain/call.ts"
import type { AccountId, CallId } from "../../domain/ids.ts"
import type { MicroVnd } from "../../domain/money.ts"
import { byteaArrayText } from "../array-text.ts"
import type { Sql } from "../Database.ts"
import type { Escrow, NodeSession } from "../EscrowStore.ts"
import { findCalls } from "../LedgerStore.ts"
import { byteaText, type Field, rowsText } from "./rows-text.ts"
import { type CallSums, type Part, sumCalls } from "./sum-calls.ts"

export interface CallBatch {
  readonly records: ReadonlyArray<CallRecord>
  /**
   * What the node has of these wallets once the batch is committed. Of one that is charged and is not here, the node keeps
   * what it has: the charge is taken from what nobody has.
   */
  readonly escrows: ReadonlyArray<Escrow>
  /** By the clock that dates calls. */
  readonly nowMs?: number
}

/** Parts of purchases that have their row: most calls are of the same few. */
export type NamedParts = Set<bigint>

const namedMax = 10_000

/** How often what was found of a batch may have changed before it is written. */
const triesMax = 5

/**
 * Only calls that are really written are charged: writing a batch twice is writing it once. `false`: the session or its node is
 * over, and nothing was written.
 *
 * Calls are nearly always new, and of this month. So they are written as such, and looked for one by one only when one was not.
 */
export const commitCalls = async (
  sql: Sql,
  session: NodeSession,
  { escrows, nowMs = Date.now(), records }: CallBatch,
  named: NamedParts = new Set()
): Promise<boolean> => {
  let fresh = records
  let keptFromMs = -Infinity
  for (let tries = 1; ; tries++) {
    try {
      await writeCalls(sql, session, { records: fresh, escrows, keptFromMs, nowMs }, named)
      return true
    } catch (error) {
      const { code } = error as { readonly code?: unknown }
      if (code === gone) return false
      if (tries === triesMax || (code !== uniqueViolation && code !== diverted)) throw error
      if (code === uniqueViolation) fresh = notIn(await findCalls(sql, records), records)
      else keptFromMs = await findKeptFrom(sql)
    }
  }
}

const uniqueViolation = "23505"
const gone = "TG002"
/** Calls of months that are gone are not charged, nor summed; see `note_late_call`. */
const diverted = "TG001"

/** Each of them once. */
const notIn = (known: ReadonlySet<CallId>, records: ReadonlyArray<CallRecord>): ReadonlyArray<CallRecord> => [
  ...new Map(
    records.flatMap((record) => (known.has(record.callId) ? [] : [[record.callId, record]]))
  ).values()
]

const findKeptFrom = async (sql: Sql): Promise<number> => {
  const [row] = await sql<[{ ms: number }]>`select extract(epoch from calls_kept_from())::float8 * 1000 as ms`
  return row.ms
}

interface Writing extends CallBatch {
  /** Calls that arrived before this belong into the log no more. */
  readonly keptFromMs: number
  readonly nowMs: number
}

const writeCalls = async (
  sql: Sql,
  { nodeId, session, slot }: NodeSession,
  { escrows, keptFromMs, nowMs, records }: Writing,
  named: NamedParts
): Promise<void> => {
  const kept = records.filter(({ atMs }) => atMs >= keptFromMs)
  const sums = sumCalls(kept)
  const unnamed = [...sums.parts.values()].filter(({ id }) => !named.has(id))
  const late = kept.filter(({ atMs, latencyMs }) => nowMs - atMs - latencyMs > lateMsMin)
  await sql`
    with inserted as (
      insert into calls (id, at, account_id, key_id, endpoint, model_requested, model, stream, status, error_type,
        input_tokens, output_tokens, units, estimated, per_mtok_vnd, per_request_vnd, cost_micro_vnd, latency_ms,
        first_byte_ms, stored_id_hash, node_id, cache_read_tokens, cache_write_tokens, reasoning_tokens, tier, factor,
        route, tool_uses, other_tokens, attempts, stored_item_hashes)
      select c.id, to_timestamp(at_ms / 1000), account_id, key_id, endpoint, model_requested, model, stream, status,
        error_type, input_tokens, output_tokens, units, estimated, per_mtok_vnd, per_request_vnd, cost_micro_vnd, latency_ms,
        first_byte_ms, stored_id_hash, ${nodeId}::int4, cache_read_tokens, cache_write_tokens, reasoning_tokens, tier, factor,
        route, tool_uses, other_tokens, attempts, stored_item_hashes
      from unnest(${rowsText(records.map(callFields))}::incoming_call[]) c
      returning 1
    ), ${chargeEscrows(sql, nodeId, escrows, sums.spent)}, ${addHours(sql, slot, sums)}, ${addPurchases(sql, slot, sums)}
    ${unnamed.length === 0 ? sql`` : nameParts(sql, unnamed)}
    ${late.length === 0 ? sql`` : noteAccounts(sql, late)}
    select case
      when not exists (
        select from nodes where id = ${nodeId}::int4 and session = ${session}::int4 and gone_at is null for key share
      ) then refuse_gone()
      when (select count(*) from inserted) <> ${kept.length}::int8 then refuse_diverted()
    end`
  if (named.size + unnamed.length > namedMax) named.clear()
  for (const { id } of unnamed) named.add(id)
}

/** Kept elsewhere since, as where the database was away or the node had ended: looks at accounts go back only as long as calls take. */
const lateMsMin = 60_000

/** Has them looked at for what there is to tell. */
const noteAccounts = (sql: Sql, records: ReadonlyArray<CallRecord>) => {
  const accountIds = [...new Set(records.map(({ accountId }) => accountId))]
  return sql`, noted as (
      insert into alert_events (account_id, kind) select unnest(${accountIds}::text[]), 'account.changed'
    )`
}

/** Of a wallet that is charged and of which nothing is told, the node keeps what it has. */
const chargeEscrows = (
  sql: Sql,
  nodeId: number,
  escrows: ReadonlyArray<Escrow>,
  spent: ReadonlyMap<AccountId, MicroVnd>
) => {
  const told = new Set(escrows.map(({ accountId }) => accountId))
  const untold = [...spent].filter(([accountId]) => !told.has(accountId))
  const rows = escrows.map(({ accountId, amount, isExact }) => [
    accountId,
    amount,
    spent.get(accountId) ?? 0n,
    isExact
  ])
  const charged = sql`charged as (
      insert into wallet_escrows as mine (account_id, node_id, amount_micro_vnd, spent_micro_vnd, exact)
      select e.account_id, ${nodeId}::int4, e.amount_micro_vnd, e.spent_micro_vnd, e.exact
      from unnest(${rowsText(rows)}::incoming_escrow[]) e
      on conflict (account_id, node_id) do update set spent_micro_vnd = mine.spent_micro_vnd + excluded.spent_micro_vnd,
        amount_micro_vnd = excluded.amount_micro_vnd, exact = excluded.exact
    )`
  if (untold.length === 0) return charged
  const untoldRows = untold.map(([accountId, cost]) => [accountId, 0n, cost, true])
  return sql`${charged}, charged_untold as (
      insert into wallet_escrows as mine (account_id, node_id, amount_micro_vnd, spent_micro_vnd, exact)
      select e.account_id, ${nodeId}::int4, e.amount_micro_vnd, e.spent_micro_vnd, e.exact
      from unnest(${rowsText(untoldRows)}::incoming_escrow[]) e
      on conflict (account_id, node_id) do update set spent_micro_vnd = mine.spent_micro_vnd + excluded.spent_micro_vnd
    )`
}

const addHours = (sql: Sql, slot: number, { hours }: CallSums) => {
  const rows = hours.map((sum) => [
    sum.accountId,
    sum.keyId,
    sum.model,
    sum.hourMs,
    sum.calls,
    sum.failed,
    sum.inputTokens,
    sum.outputTokens,
    sum.cost,
    sum.lastMs,
    sum.latencyMs
  ])
  return sql`summed as (
      insert into usage_hours as u (account_id, key_id, model, hour, slot, calls, failed_calls, input_tokens,
        output_tokens, cost_micro_vnd, last_call_at, latency_ms)
      select account_id, key_id, model, to_timestamp(hour_ms / 1000), ${slot}::int2, calls, failed_calls, input_tokens,
        output_tokens, cost_micro_vnd, to_timestamp(last_call_at_ms / 1000), latency_ms
      from unnest(${rowsText(rows)}::incoming_hour[])
      on conflict (account_id, hour, key_id, model, slot) do update set
        calls = u.calls + excluded.calls, failed_calls = u.failed_calls + excluded.failed_calls,
        input_tokens = u.input_tokens + excluded.input_tokens, output_tokens = u.output_tokens + excluded.output_tokens,
        cost_micro_vnd = u.cost_micro_vnd + excluded.cost_micro_vnd,
        last_call_at = greatest(u.last_call_at, excluded.last_call_at), latency_ms = u.latency_ms + excluded.latency_ms
    )`
}

const addPurchases = (sql: Sql, slot: number, { purchases, totals }: CallSums) => {
  const rowsOf = (sums: CallSums["totals"]) =>
    rowsText(
      sums.map((sum) => [
        sum.day,
        sum.accountId,
        sum.part.id,
        sum.calls,
        sum.input,
        sum.cacheRead,
        sum.cacheWrite,
        sum.output,
        sum.uses,
        sum.revenue
      ])
    )
  const columns = sql`calls, input_tokens, cache_read_tokens, cache_write_tokens, output_tokens, uses, revenue_micro_vnd`
  const added = sql`
        calls = u.calls + excluded.calls, input_tokens = u.input_tokens + excluded.input_tokens,
        cache_read_tokens = u.cache_read_tokens + excluded.cache_read_tokens,
        cache_write_tokens = u.cache_write_tokens + excluded.cache_write_tokens,
        output_tokens = u.output_tokens + excluded.output_tokens, uses = u.uses + excluded.uses,
        revenue_micro_vnd = u.revenue_micro_vnd + excluded.revenue_micro_vnd`
  return sql`bought as (
      insert into purchase_days as u select day, account_id, part_id, ${slot}::int2, ${columns}
      from unnest(${rowsOf(purchases)}::incoming_purchase[])
      on conflict (day, account_id, part_id, slot) do update set ${added}
    ), bought_in_all as (
      insert into purchase_totals as u select day, part_id, ${slot}::int2, ${columns}
      from unnest(${rowsOf(totals)}::incoming_purchase[])
      on conflict (day, part_id, slot) do update set ${added}
    )`
}

const nameParts = (sql: Sql, parts: ReadonlyArray<Part>) => {
  const rows = parts.map(({ factor, id, mix, model, part, route }) => [id, route, model, factor, mix, part])
  return sql`, named as (
      insert into purchase_parts select * from unnest(${rowsText(rows)}::incoming_part[])
      on conflict (id) do nothing
    )`
}

/** In the order of `incoming_call`, which other versions write at the same time: with more fields it is a type of another name. */
const callFields = (record: CallRecord): ReadonlyArray<Field> => {
  const { extras } = record
  return [
    record.callId,
    record.atMs,
    record.accountId,
    record.keyId,
    record.endpoint,
    record.modelRequested,
    record.model,
    record.stream,
    record.status,
    record.errorType,
    record.inputTokens,
    record.outputTokens,
    record.units,
    record.estimated,
    record.perMtokVnd,
    record.perRequestVnd,
    record.cost,
    record.latencyMs,
    record.firstByteMs,
    record.storedIdHash && byteaText(record.storedIdHash),
    extras.cacheReadTokens || null,
    extras.cacheWriteTokens || null,
    extras.reasoningTokens || null,
    extras.tier || null,
    extras.factor === "1" ? null : extras.factor,
    extras.route || null,
    toolUsesJson(extras),
    otherTokensJson(extras),
    extras.attempts.length === 0 ? null : JSON.stringify(extras.attempts),
    record.storedItemHashes.length === 0 ? null : byteaArrayText(record.storedItemHashes)
  ]
}

/** µVND are whole numbers in JSON, too: PostgreSQL reads them exactly. */
const toolUsesJson = ({ toolUses }: CallExtras): string | null =>
  toolUses.length === 0
    ? null
    : JSON.stringify(
        toolUses.map(({ price, tool, uses }) => ({
          tool,
          uses,
          ...(price !== undefined && { micro_vnd: Number(price) })
        }))
      )

const otherTokensJson = ({ others }: CallExtras): string | null =>
  others.length === 0
    ? null
    : JSON.stringify(
        others.map((other) => ({
          model: other.model,
          input_tokens: other.inputTokens,
          ...(other.cacheReadTokens > 0 && { cache_read_tokens: other.cacheReadTokens }),
          ...(other.cacheWriteTokens > 0 && { cache_write_tokens: other.cacheWriteTokens }),
          output_tokens: other.outputTokens,
          per_mtok_vnd: other.perMtokVnd,
          apart: other.isApart
        }))
      )
