/** The ledger's own SQL: everything that must be exact and quick. Each function takes the connection it runs on. */
import type { CallRecord } from "../domain/call.ts"
import type { AccountId, KeyId } from "../domain/ids.ts"
import type { MicroVnd } from "../domain/money.ts"
import type { Sql } from "./Database.ts"

/** Advisory lock class of live nodes; `live_nodes()` in SQL reads the same. */
const nodeLockClass = 712_001

/** What a node may spend of a wallet after claiming it. */
export interface Claim {
  readonly accountId: AccountId
  readonly share: MicroVnd
  /** What other live nodes hold of this wallet. */
  readonly elsewhere: MicroVnd
  readonly active: boolean
}

/** The mutable part of a key. */
export interface KeyState {
  readonly keyId: KeyId
  readonly accountId: AccountId
  readonly active: boolean
  /** Calls per minute; 0 is no limit. */
  readonly rateLimitPerMinute: number
}

/** Registers a node and takes its lock for as long as this connection lives. `former` is the id it had before. */
export const registerNode = (sql: Sql, former: number | undefined): Promise<number> =>
  sql.begin(async (transaction) => {
    if (former !== undefined) await transaction`delete from nodes where id = ${former}`
    await transaction`delete from nodes where id not in (select live_nodes()) and started_at < now() - interval '1 day'`
    const [node] = await transaction<[{ id: number }]>`
      insert into nodes (seen_event_id) select coalesce(max(id), 0) from node_events returning id`
    await transaction`select pg_advisory_lock(${nodeLockClass}, ${node.id})`
    return node.id
  })

/**
 * Writes calls, their charges and the balance changes in one statement, hence one transaction.
 * Only rows that are really inserted are charged: writing a batch twice is writing it once.
 *
 * Calls are nearly always new. So they are first written as such, and looked for one by one only when one was known:
 * with `on conflict` the ledger alone settles 2 to 24 % fewer calls a second, the fewer wallets they are of.
 */
export const commitCalls = async (
  sql: Sql,
  nodeId: number,
  records: ReadonlyArray<CallRecord>
): Promise<void> => {
  try {
    await insertCalls(sql, nodeId, records, { mayBeKnown: false })
  } catch (error) {
    if ((error as { readonly code?: unknown }).code !== uniqueViolation) throw error
    await insertCalls(sql, nodeId, records, { mayBeKnown: true })
  }
}

const uniqueViolation = "23505"

const insertCalls = async (
  sql: Sql,
  nodeId: number,
  records: ReadonlyArray<CallRecord>,
  { mayBeKnown }: { readonly mayBeKnown: boolean }
): Promise<void> => {
  const texts = (read: (record: CallRecord) => string | null) => arrayOf(records, read, quoted)
  const values = (read: (record: CallRecord) => number | bigint | boolean | null) =>
    arrayOf(records, read, String)
  await sql`
    with incoming as (
      select * from unnest(
        ${texts((record) => record.callId)}::text[], ${values((record) => record.atMs)}::float8[],
        ${texts((record) => record.accountId)}::text[], ${texts((record) => record.keyId)}::text[],
        ${texts((record) => record.endpoint)}::text[], ${texts((record) => record.modelRequested)}::text[],
        ${texts((record) => record.model)}::text[], ${values((record) => record.stream)}::bool[],
        ${values((record) => record.status)}::int2[], ${texts((record) => record.errorType)}::text[],
        ${values((record) => record.inputTokens)}::int4[], ${values((record) => record.outputTokens)}::int4[],
        ${values((record) => record.units)}::int4[], ${values((record) => record.estimated)}::bool[],
        ${values((record) => record.perMtokVnd)}::int8[], ${values((record) => record.perRequestVnd)}::int8[],
        ${values((record) => record.cost)}::int8[], ${values((record) => record.latencyMs)}::int4[],
        ${values((record) => record.firstByteMs)}::int4[],
        ${texts((record) => storedIdHex(record.storedIdHash))}::text[]
      ) as t (id, at, account_id, key_id, endpoint, model_requested, model, stream, status, error_type, input_tokens,
        output_tokens, units, estimated, per_mtok_vnd, per_request_vnd, cost, latency_ms, first_byte_ms, stored_id)
    ), inserted as (
      insert into calls (id, at, account_id, key_id, endpoint, model_requested, model, stream, status, error_type,
        input_tokens, output_tokens, units, estimated, per_mtok_vnd, per_request_vnd, cost_micro_vnd, latency_ms,
        first_byte_ms, stored_id_hash, node_id)
      select id, to_timestamp(at / 1000), account_id, key_id, endpoint, model_requested, model, stream, status,
        error_type, input_tokens, output_tokens, units, estimated, per_mtok_vnd, per_request_vnd, cost, latency_ms,
        first_byte_ms, decode(stored_id, 'hex'), ${nodeId}::int4
      from incoming
      ${mayBeKnown ? sql`on conflict do nothing` : sql``}
      returning id, at, account_id, key_id, model, status, input_tokens, output_tokens, cost_micro_vnd
    ), charged as (
      insert into ledger_entries (account_id, source, source_id, amount_micro_vnd)
      select account_id, 'call', id, -cost_micro_vnd from inserted where cost_micro_vnd > 0
      returning account_id, amount_micro_vnd
    ), change as (
      select account_id, sum(amount_micro_vnd)::int8 as amount from charged group by account_id
    ), locked as (
      -- Every node locks wallets in the same order, so that two of them never wait for each other.
      select w.account_id, change.amount from wallets w join change using (account_id)
      order by w.account_id for no key update of w
    ), balance as (
      update wallets w set balance_micro_vnd = w.balance_micro_vnd + locked.amount, updated_at = now()
      from locked where w.account_id = locked.account_id
    ), share as (
      update wallet_shares s set share_micro_vnd = s.share_micro_vnd + change.amount
      from change where s.account_id = change.account_id and s.node_id = ${nodeId}::int4
    )
    insert into usage_hours as u (account_id, key_id, model, hour, calls, failed_calls, input_tokens, output_tokens,
      cost_micro_vnd, last_call_at)
    select account_id, key_id, model, date_trunc('hour', at, 'UTC'), count(*), count(*) filter (where status >= 400),
      sum(input_tokens), sum(output_tokens), sum(cost_micro_vnd)::int8, max(at)
    from inserted group by 1, 2, 3, 4 order by 1, 4, 2, 3
    on conflict (account_id, hour, key_id, model) do update set
      calls = u.calls + excluded.calls, failed_calls = u.failed_calls + excluded.failed_calls,
      input_tokens = u.input_tokens + excluded.input_tokens, output_tokens = u.output_tokens + excluded.output_tokens,
      cost_micro_vnd = u.cost_micro_vnd + excluded.cost_micro_vnd,
      last_call_at = greatest(u.last_call_at, excluded.last_call_at)`
}

/** One column of a batch as PostgreSQL's text of an array: the client would weigh and escape every element by itself. */
const arrayOf = <A>(
  records: ReadonlyArray<CallRecord>,
  read: (record: CallRecord) => A | null,
  show: (value: A) => string
): string => {
  let text = "{"
  for (const record of records) {
    const value = read(record)
    if (text.length > 1) text += ","
    text += value === null ? "NULL" : show(value)
  }
  return `${text}}`
}

const quoted = (text: string): string =>
  /["\\]/.test(text) ? `"${text.replace(/["\\]/g, "\\$&")}"` : `"${text}"`

/** Claims all of these wallets that no other live node holds. Unknown accounts are absent from the answer. */
export const claimWallets = async (
  sql: Sql,
  nodeId: number,
  accountIds: ReadonlyArray<AccountId>
): Promise<ReadonlyArray<Claim>> => {
  const rows = await sql<
    Array<{ account_id: AccountId; share: bigint; elsewhere: bigint; account_status: string }>
  >`select account_id, share_micro_vnd as share, balance_micro_vnd - share_micro_vnd as elsewhere, account_status
    from claim_wallets(${nodeId}, ${[...accountIds]}::text[])`
  return rows.map((row) => ({
    accountId: row.account_id,
    share: row.share,
    elsewhere: row.elsewhere,
    active: row.account_status === "active"
  }))
}

/** Gives back the shares of wallets that this node has put away. */
export const dropShares = async (
  sql: Sql,
  nodeId: number,
  accountIds: ReadonlyArray<AccountId>
): Promise<void> => {
  await sql`delete from wallet_shares
    where node_id = ${nodeId} and account_id = any (${[...accountIds]}::text[])`
}

/** Tells the other nodes that this one lacks funds which they may hold. Heard by `Shares`. */
export const announceWanted = async (
  sql: Sql,
  nodeId: number,
  accountId: AccountId,
  lacking: MicroVnd
): Promise<void> => {
  await sql`select pg_notify('tollgate_shares', ${`wanted ${nodeId} ${accountId} ${lacking}`})`
}

/** Makes this node's share smaller, so that others can claim the difference, and tells them. */
export const giveBackShare = async (
  sql: Sql,
  nodeId: number,
  accountId: AccountId,
  amount: MicroVnd
): Promise<void> => {
  await sql`
    with given as (
      update wallet_shares set share_micro_vnd = share_micro_vnd - ${amount}
      where account_id = ${accountId} and node_id = ${nodeId}
    )
    select pg_notify('tollgate_shares', ${`freed ${nodeId} ${accountId} ${amount}`})`
}

export const loadKeys = async (sql: Sql, keyIds: ReadonlyArray<KeyId>): Promise<ReadonlyArray<KeyState>> => {
  const rows = await sql<
    Array<{ id: KeyId; account_id: AccountId; status: string; rate_limit_per_minute: number }>
  >`select id, account_id, status, rate_limit_per_minute from keys where id = any (${[...keyIds]}::text[])`
  return rows.map((row) => ({
    keyId: row.id,
    accountId: row.account_id,
    active: row.status === "active",
    rateLimitPerMinute: row.rate_limit_per_minute
  }))
}

/** Tokens of the call that stored an answer under this id, if that call was this account's. */
export const findStoredCall = async (
  sql: Sql,
  accountId: AccountId,
  storedIdHash: Uint8Array
): Promise<number | undefined> => {
  const [row] = await sql<Array<{ tokens: number }>>`
    select (input_tokens + output_tokens)::int4 as tokens from calls
    where stored_id_hash = ${storedIdHash} and account_id = ${accountId} order by at desc limit 1`
  return row?.tokens
}

export interface NodeEvent {
  readonly id: bigint
  readonly kind: string
  readonly subject: string
}

export const eventsAfter = async (sql: Sql, id: bigint): Promise<ReadonlyArray<NodeEvent>> => {
  const rows = await sql<Array<NodeEvent>>`
    select id, kind, subject from node_events where id > ${id} order by id limit 1000`
  return rows
}

export const latestEventId = async (sql: Sql): Promise<bigint> => {
  const [row] = await sql<[{ id: bigint }]>`select coalesce(max(id), 0)::int8 as id from node_events`
  return row.id
}

export const acknowledgeEvents = async (sql: Sql, nodeId: number, id: bigint): Promise<void> => {
  await sql`with seen as (update nodes set seen_event_id = ${id} where id = ${nodeId})
    select pg_notify('tollgate_acks', ${String(nodeId)})`
}

export const countLiveNodes = async (sql: Sql): Promise<number> => {
  const [row] = await sql<[{ count: number }]>`select count(*)::int4 as count from live_nodes()`
  return row.count
}

/** What this node's open calls hold of an account's wallet, for whoever asked by event. */
export const answerHeld = async (
  sql: Sql,
  eventId: bigint,
  nodeId: number,
  held: MicroVnd
): Promise<void> => {
  await sql`insert into node_answers (event_id, node_id, value)
    values (${eventId}, ${nodeId}, to_jsonb(${String(held)}::text)) on conflict do nothing`
}

const storedIdHex = (hash: Uint8Array | null): string | null =>
  hash === null ? null : Buffer.from(hash).toString("hex")
