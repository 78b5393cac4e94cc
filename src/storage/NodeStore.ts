/** Nodes at rest: their leases, what they are told, and how far they have heard. */
import type { AccountId } from "../domain/ids.ts"
import type { Sql } from "./Database.ts"

/** One life of one process: from its registration to the end of its lease. */
export interface Node {
  readonly id: number
  /** The smallest number that no other living node has. */
  readonly slot: number
  /** A database that was put back to an earlier moment may give its id to another. */
  readonly token: string
  /** How many renewals of its lease were answered. */
  readonly renewals: number
  /** When it was renewed last, by the database's clock, ms since 1970. */
  readonly renewedAtMs?: number
}

export type KnownNode = Pick<Node, "id" | "token" | "renewals">

export interface Registration extends Node {
  /** The latest event at that time: what it tells of is read at the start. */
  readonly eventId: bigint
}

/** How long a node is believed to live after it has renewed, by the database's clock. */
export const leaseMs = 8_000

export const renewEveryMs = 1_000

const lease = `${leaseMs} milliseconds`

/**
 * `token` names the new life; `former` are those of lives of this process or data folder, which are certainly over: what
 * they had is free at once.
 */
export const registerNode = async (
  sql: Sql,
  token: string,
  former: ReadonlyArray<string>
): Promise<Registration> => {
  const [node] = await sql<[{ id: number; slot: number; event_id: bigint }]>`
    select id, slot, event_id from register_node(${token}, ${[...former]}::text[], ${lease}::text::interval)`
  return { id: node.id, slot: node.slot, token, renewals: 0, eventId: node.event_id }
}

export interface Beat {
  /** How many there were of this life, this one included. */
  readonly renewals: number
  /** How many nodes live, this one included. */
  readonly liveNodes: number
  readonly latestEventId: bigint
  /** Wallets of which other nodes lack what lies idle here. */
  readonly recalled: ReadonlyArray<AccountId>
  /** The database's clock, ms since 1970. */
  readonly atMs: number
}

/**
 * Renews the lease and says which events the node has acted upon; `undefined` when it counts as gone, or the database does not
 * know it as it knows itself. `toldAtMs`: what came free on the node before that moment of the database's clock is in the
 * database, ms since 1970; `undefined`: not known.
 */
export const beat = async (
  sql: Sql,
  { id, renewals, token }: KnownNode,
  seenEventId: bigint,
  toldAtMs: number | undefined
): Promise<Beat | undefined> => {
  const [row] = await sql<Array<BeatRow>>`
    select renewals, live_nodes, latest_event_id, recalled, at_ms
    from beat(${id}, ${token}, ${renewals}::int4, ${lease}::text::interval, ${seenEventId}, ${toldAtMs ?? null}::float8)`
  if (row === undefined) return undefined
  return {
    renewals: row.renewals,
    liveNodes: row.live_nodes,
    latestEventId: row.latest_event_id,
    recalled: row.recalled,
    atMs: row.at_ms
  }
}

interface BeatRow {
  readonly renewals: number
  readonly live_nodes: number
  readonly latest_event_id: bigint
  readonly recalled: Array<AccountId>
  readonly at_ms: number
}

/** `false`: what the database has told this node since is not so any more. A day after its end nothing is known of a node: see `tidy_gone`. */
export const remembersNode = async (
  sql: Sql,
  { id, renewals, renewedAtMs = Infinity, token }: KnownNode & Pick<Node, "renewedAtMs">
): Promise<boolean> => {
  const [row] = await sql<[{ remembers: boolean }]>`
    select coalesce(
      (select id = ${id} and renewals >= ${renewals}::int4 from nodes where token = ${token}),
      clock_timestamp() > to_timestamp(${renewedAtMs / 1_000}::float8) + interval '1 day'
    ) as remembers`
  return row.remembers
}

/** The node stops: all that it had is free at once. */
export const leaveNode = async (sql: Sql, { id, token }: Pick<Node, "id" | "token">): Promise<void> => {
  await sql`update nodes set gone_at = clock_timestamp() where id = ${id} and token = ${token} and gone_at is null`
}

/** Begins another session of the node's journal; `undefined` as for `beat`. */
export const beginJournal = async (
  sql: Sql,
  { id, renewals, token }: KnownNode
): Promise<number | undefined> => {
  const [row] = await sql<[{ session: number | null }]>`
    select begin_journal(${id}, ${token}, ${renewals}::int4) as session`
  return row.session ?? undefined
}

export interface NodeEvent {
  readonly id: bigint
  readonly kind: string
  readonly subject: string
}

export const eventsAfter = (sql: Sql, id: bigint): Promise<ReadonlyArray<NodeEvent>> =>
  sql<Array<NodeEvent>>`select id, kind, subject from node_events where id > ${id} order by id limit 1000`

/** Tells those who wait for it that this node has acted upon something. */
export const announceProgress = async (sql: Sql, nodeId: number): Promise<void> => {
  await sql`select pg_notify('tollgate_acks', ${String(nodeId)})`
}

/** Those that live beside this one, which may have no life now. */
export const countOtherNodes = async (sql: Sql, nodeId: number | undefined): Promise<number> => {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int4 as count from live_nodes() as live (id) where id is distinct from ${nodeId ?? null}`
  return row.count
}

/** The nodes that live and have not yet acted upon an event. */
export const nodesBehind = async (sql: Sql, eventId: bigint): Promise<ReadonlyArray<number>> => {
  const rows = await sql<Array<{ id: number }>>`
    select nodes.id from nodes join live_nodes() as live (id) on live.id = nodes.id
    where nodes.seen_event_id < ${eventId} order by nodes.id`
  return rows.map((row) => row.id)
}

/** Some node that lives has not yet acted upon a credit of one of these accounts. */
export const isCreditUnheard = async (sql: Sql, accountIds: ReadonlyArray<AccountId>): Promise<boolean> => {
  const [row] = await sql<[{ is_unheard: boolean }]>`
    select exists (
      select from node_events e
      where e.id > (select min(nodes.seen_event_id) from nodes join live_nodes() as live (id) on live.id = nodes.id)
        and e.kind = 'wallet' and e.subject = any (${[...accountIds]})
    ) as is_unheard`
  return row.is_unheard
}
