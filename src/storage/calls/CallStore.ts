/** The call log at rest, as it is read back. Rows are written by the ledger alone. */
import type postgres from "postgres"
import type { Attempt } from "../../domain/call.ts"
import { timeOfCallId } from "../../domain/ids.ts"
import type { MicroVnd } from "../../domain/money.ts"
import type { PricedTokens, PricedUses } from "../../domain/price.ts"
import type { Sql } from "../Database.ts"
import { withKeysOf } from "./with-keys-of.ts"
import { type CallCursor, type CallPaging, type HourFilter, hoursWith } from "./find-hours.ts"

/** One call, with the name its key has today. */
export interface LoggedCall {
  readonly callId: string
  readonly at: Date
  readonly keyId: string
  readonly keyName: string
  readonly endpoint: string
  readonly modelRequested: string
  readonly model: string
  readonly stream: boolean
  readonly status: number
  readonly errorType: string
  readonly inputTokens: number
  readonly outputTokens: number
  readonly estimated: boolean
  readonly cost: MicroVnd
  readonly latencyMs: number
  readonly firstByteMs: number | undefined
  /** Of the input; of the output. */
  readonly cacheReadTokens: number
  readonly cacheWriteTokens: number
  readonly reasoningTokens: number
  /** On what terms it was charged; empty where all was standard. */
  readonly tier: string
  /** The prices that held then, in VND; `undefined` where there was no model, or it is sold in the other way. */
  readonly perMtokVnd: number | undefined
  readonly perRequestVnd: number | undefined
  /** Images of an image call, else 1. */
  readonly units: number
  /** What all but the uses of tools was multiplied by: a decimal. */
  readonly factor: string
  readonly toolUses: ReadonlyArray<PricedUses>
  readonly others: ReadonlyArray<OtherPricedTokens>
  /** The provider's route that answered well, else the one that was tried last; empty where none was. */
  readonly route: string
  /** Of calls of before routes were kept nothing is known. */
  readonly isRouteKnown: boolean
  /** Empty where there was none, or one alone in a call that did not fail with 5xx. */
  readonly attempts: ReadonlyArray<Attempt>
}

type OtherPricedTokens = Omit<PricedTokens, "cacheReadTokens" | "cacheWriteTokens">

export interface CallFilter extends HourFilter {
  readonly callId?: string | undefined
  /** Exactly this one. */
  readonly status?: number | undefined
}

export interface CallPage {
  readonly calls: ReadonlyArray<LoggedCall>
  /** Where the next page begins; `undefined` after the last. */
  readonly next: CallCursor | undefined
}

export const readClock = async (sql: Sql): Promise<Date> => {
  const [row] = await sql<[{ now: Date }]>`select now() as now`
  return row.now
}

/** One page of the calls of the filter. Pages, unlike a cursor, hold neither connection nor snapshot between them. */
export const readCallPage = async (sql: Sql, filter: CallFilter, paging: CallPaging): Promise<CallPage> => {
  const { limit } = paging
  const rows = await readRows(sql, filter, paging)
  const last = rows.length < limit ? undefined : rows.at(-1)
  return {
    calls: rows.map(toCall),
    next: last === undefined ? undefined : { at: last.cursor_at, callId: last.id }
  }
}

/**
 * An account's calls are found in the order of time. Those of one key or model may be few among many, so their hours are
 * found first, in the sums of hours. When a call was begun is written in its id.
 */
const readRows = (sql: Sql, filter: CallFilter, paging: CallPaging): Promise<ReadonlyArray<CallRow>> => {
  if (filter.callId !== undefined) {
    const atMs = timeOfCallId(filter.callId)
    if (atMs === undefined) return Promise.resolve([])
    const seconds = { first: new Date(atMs - 1_000), last: new Date(atMs + 1_000) }
    return sql<Array<CallRow>>`
      ${callsOf(sql, filter, paging, sql`and c.at between ${seconds.first} and ${seconds.last}`)}`
  }
  // The hours' sums do not know which status their calls had.
  const isFewAmongMany =
    filter.keyId !== undefined || filter.model !== undefined || filter.madeBy !== undefined
  if (filter.status !== undefined || !isFewAmongMany) {
    return sql<Array<CallRow>>`${callsOf(sql, filter, paging, sql``)}`
  }
  return sql<Array<CallRow>>`
    select found.* from (${hoursWith(sql, filter, paging)}) h cross join lateral (
      ${callsOf(sql, filter, paging, sql`and c.at >= h.hour and c.at < h.hour_end`)}
    ) found ${inOrder(sql, paging)}`
}

const callsOf = (
  sql: Sql,
  filter: CallFilter,
  paging: CallPaging,
  more: postgres.PendingQuery<Array<postgres.Row>>
) => sql`
  select c.id, c.at, c.at::text as cursor_at, c.key_id, coalesce(k.name, '') as key_name, c.endpoint,
    c.model_requested, c.model, c.stream, c.status, c.error_type, c.input_tokens, c.output_tokens, c.estimated,
    c.cost_micro_vnd as cost, c.latency_ms, c.first_byte_ms, coalesce(c.cache_read_tokens, 0) as cache_read_tokens,
    coalesce(c.cache_write_tokens, 0) as cache_write_tokens, coalesce(c.reasoning_tokens, 0) as reasoning_tokens,
    coalesce(c.tier, '') as tier, c.per_mtok_vnd::float8, c.per_request_vnd::float8, c.units,
    coalesce(trim_scale(c.factor), 1)::text as factor, c.tool_uses, c.other_tokens, coalesce(c.route, '') as route, c.attempts,
    c.route is not null or c.at >= (select applied_at from schema_migrations where version = 24) as is_route_known
  from calls c left join keys k on k.id = c.key_id
  where c.account_id = ${filter.accountId} ${more}
  ${filter.keyId === undefined ? sql`` : sql`and c.key_id = ${filter.keyId}`}
  ${filter.model === undefined ? sql`` : sql`and c.model = ${filter.model}`}
  ${filter.callId === undefined ? sql`` : sql`and c.id = ${filter.callId}`} ${withKeysOf(sql, filter)}
  ${filter.outcome === "failed" || (filter.status ?? 0) >= 400 ? sql`and c.status >= 400` : sql``}
  ${filter.status === undefined ? sql`` : sql`and c.status = ${filter.status}`}
  ${filter.from === undefined ? sql`` : sql`and c.at >= ${filter.from}`}
  ${filter.to === undefined ? sql`` : sql`and c.at < ${filter.to}`}
  ${beyond(sql, paging)} ${inOrder(sql, paging)}`

const beyond = (sql: Sql, { after, order }: CallPaging) =>
  after === undefined
    ? sql``
    : sql`and (c.at, c.id) ${order === "oldest first" ? sql`>` : sql`<`}
      (${after.at}::text::timestamptz, ${after.callId})`

const inOrder = (sql: Sql, { limit, order }: CallPaging) =>
  order === "oldest first"
    ? sql`order by at, id limit ${limit}`
    : sql`order by at desc, id desc limit ${limit}`

interface CallRow {
  readonly id: string
  readonly at: Date
  readonly cursor_at: string
  readonly key_id: string
  readonly key_name: string
  readonly endpoint: string
  readonly model_requested: string
  readonly model: string
  readonly stream: boolean
  readonly status: number
  readonly error_type: string
  readonly input_tokens: number
  readonly output_tokens: number
  readonly estimated: boolean
  readonly cost: MicroVnd
  readonly latency_ms: number
  readonly first_byte_ms: number | null
  readonly cache_read_tokens: number
  readonly cache_write_tokens: number
  readonly reasoning_tokens: number
  readonly tier: string
  readonly per_mtok_vnd: number | null
  readonly per_request_vnd: number | null
  readonly units: number
  readonly factor: string
  readonly tool_uses: ReadonlyArray<{
    readonly tool: string
    readonly uses: number
    readonly micro_vnd?: number
  }> | null
  readonly other_tokens: ReadonlyArray<{
    readonly model: string
    readonly input_tokens: number
    readonly output_tokens: number
    readonly per_mtok_vnd: number
    readonly apart: boolean
  }> | null
  readonly route: string
  readonly is_route_known: boolean
  readonly attempts: ReadonlyArray<Attempt> | null
}

const toCall = (row: CallRow): LoggedCall => ({
  callId: row.id,
  at: row.at,
  keyId: row.key_id,
  keyName: row.key_name,
  endpoint: row.endpoint,
  modelRequested: row.model_requested,
  model: row.model,
  stream: row.stream,
  status: row.status,
  errorType: row.error_type,
  inputTokens: row.input_tokens,
  outputTokens: row.output_tokens,
  estimated: row.estimated,
  cost: row.cost,
  latencyMs: row.latency_ms,
  firstByteMs: row.first_byte_ms ?? undefined,
  cacheReadTokens: row.cache_read_tokens,
  cacheWriteTokens: row.cache_write_tokens,
  reasoningTokens: row.reasoning_tokens,
  tier: row.tier,
  perMtokVnd: row.per_mtok_vnd ?? undefined,
  perRequestVnd: row.per_request_vnd ?? undefined,
  units: row.units,
  factor: row.factor,
  toolUses: (row.tool_uses ?? []).map(({ micro_vnd: price, tool, uses }) => ({
    tool,
    uses,
    price: price === undefined ? undefined : BigInt(price)
  })),
  others: (row.other_tokens ?? []).map((other) => ({
    model: other.model,
    inputTokens: other.input_tokens,
    outputTokens: other.output_tokens,
    perMtokVnd: other.per_mtok_vnd,
    isApart: other.apart
  })),
  route: row.route,
  isRouteKnown: row.is_route_known,
  attempts: row.attempts ?? []
})
