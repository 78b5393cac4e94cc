/** What a PostgreSQL has done so far, and what it did between two readings. */
import { setTimeout as delay } from "node:timers/promises"
import type { Sql } from "../../src/storage/Database.ts"
import { serverCpuMs } from "../measure/read-process.ts"

export interface Reading {
  readonly atMs: number
  readonly cpuMs: number
  readonly transactions: number
}

/** Sessions tell what they did a second later at the latest. */
const untoldMs = 1_200

export const readServer = async (sql: Sql, pid: number): Promise<Reading> => {
  await delay(untoldMs)
  const [row] = await sql<[{ transactions: number }]>`
    select sum(xact_commit + xact_rollback)::float8 as transactions from pg_stat_database`
  return { atMs: performance.now(), cpuMs: serverCpuMs(pid), transactions: row.transactions }
}

/** Each second. */
export interface Pace {
  readonly cpuMs: number
  readonly transactions: number
}

export const paceOf = (before: Reading, after: Reading): Pace => {
  const seconds = (after.atMs - before.atMs) / 1_000
  return {
    cpuMs: (after.cpuMs - before.cpuMs) / seconds,
    transactions: (after.transactions - before.transactions) / seconds
  }
}

/** Tables that are large where accounts and calls are many. */
const largeTables = [
  "accounts",
  "wallets",
  "wallet_escrows",
  "keys",
  "ledger_entries",
  "usage_hours",
  "key_windows"
]

export interface RowsRead {
  /** By going through a whole table. */
  readonly scanned: number
  readonly byIndex: number
}

/** A session that has told a moment ago tells the rest with its next heartbeat. */
const untoldRowsMs = 3_500

/** Rows of large tables that were read since the statistics began. */
export const readRows = async (sql: Sql): Promise<RowsRead> => {
  await delay(untoldRowsMs)
  const [row] = await sql<[RowsRead]>`
    select coalesce(sum(seq_tup_read), 0)::float8 as scanned, coalesce(sum(idx_tup_fetch), 0)::float8 as "byIndex"
    from pg_stat_user_tables where relname = any (${largeTables}::text[]) or relname like 'calls%'`
  return row
}

/** Open connections by the name that they go by. */
export const connectionsByName = async (
  sql: Sql
): Promise<ReadonlyArray<{ readonly name: string; readonly count: number }>> =>
  sql<Array<{ name: string; count: number }>>`
    select application_name as name, count(*)::int4 as count from pg_stat_activity
    where backend_type = 'client backend' and pid <> pg_backend_pid() group by 1 order by 1`
