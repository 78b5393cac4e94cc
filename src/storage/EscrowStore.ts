/** What nodes may spend of wallets, at rest. Each function does nothing for a session that is not its node's present one. */
import type { WaitingAsk } from "../domain/escrow.ts"
import type { AccountId } from "../domain/ids.ts"
import type { MicroVnd } from "../domain/money.ts"
import { arrayText, askedAmount, plainArrayText } from "./array-text.ts"
import type { Sql } from "./Database.ts"

/** A session of a node's journal. */
export interface NodeSession {
  readonly nodeId: number
  readonly slot: number
  readonly session: number
}

export interface EscrowClaim {
  readonly accountId: AccountId
  /** µVND that the node may spend beside what it had. */
  readonly granted: MicroVnd
  /** µVND that it may spend in all. */
  readonly amount: MicroVnd
  readonly isExact: boolean
  /** Other nodes have idle parts and have been asked for them: claim again soon. */
  readonly isPending: boolean
  /** Enough is with other nodes that have not renewed since the calls began to wait: claim again soon. */
  readonly isUnheard: boolean
  /** µVND that other nodes have. */
  readonly elsewhere: MicroVnd
  /** µVND that nobody has, after this claim. */
  readonly free: MicroVnd
  /** The account is not disabled. */
  readonly active: boolean
}

/** Unknown accounts are absent from the answer; `undefined` when the session or its node is over. */
export const claimWallets = async (
  sql: Sql,
  { nodeId, session }: NodeSession,
  asks: ReadonlyMap<AccountId, WaitingAsk>
): Promise<ReadonlyArray<EscrowClaim> | undefined> => {
  const wants = [...asks.values()]
  const rows = await sql<Array<ClaimRow>>`
    select c.* from claim_wallets(${nodeId}, ${session}, ${arrayText([...asks.keys()], (id) => id)}::text[],
      ${plainArrayText(wants, (ask) => askedAmount(ask.wanted))}::int8[], ${plainArrayText(wants, (ask) => askedAmount(ask.minimum))}::int8[],
      ${plainArrayText(wants, (ask) => Math.floor(ask.waitedMs))}::int8[]) c`
  // Where nothing is known of any of them, either the accounts or the node are not there.
  if (rows.length === 0 && !(await isPresent(sql, { nodeId, session }))) return undefined
  return rows.map((row) => ({
    accountId: row.account_id,
    granted: row.granted,
    amount: row.amount,
    isExact: row.is_exact,
    isPending: row.is_pending,
    isUnheard: row.is_unheard,
    elsewhere: row.elsewhere,
    free: row.free,
    active: row.account_status === "active"
  }))
}

interface ClaimRow {
  readonly account_id: AccountId
  readonly granted: bigint
  readonly amount: bigint
  readonly is_exact: boolean
  readonly is_pending: boolean
  readonly is_unheard: boolean
  readonly elsewhere: bigint
  readonly free: bigint
  readonly account_status: string
}

const isPresent = async (
  sql: Sql,
  { nodeId, session }: Pick<NodeSession, "nodeId" | "session">
): Promise<boolean> => {
  const rows = await sql`
    select from nodes where id = ${nodeId} and session = ${session} and gone_at is null`
  return rows.length > 0
}

/** What a node may spend of a wallet from now on, as it itself says; no other node writes it. */
export interface Escrow {
  readonly accountId: AccountId
  readonly amount: MicroVnd
  readonly isExact: boolean
}

/** Gives back what lies idle, and takes note that it was given back as others had asked. */
export const giveBack = async (
  sql: Sql,
  { nodeId, session }: NodeSession,
  escrows: ReadonlyArray<Escrow>,
  recalled: ReadonlyArray<AccountId>
): Promise<void> => {
  await sql`
    with node as (
      select id from nodes where id = ${nodeId} and session = ${session} and gone_at is null for key share
    ), given as (
      update wallet_escrows e set amount_micro_vnd = g.amount, exact = g.exact
      from unnest(${arrayText(escrows, (each) => each.accountId)}::text[],
        ${plainArrayText(escrows, (each) => each.amount)}::int8[], ${plainArrayText(escrows, (each) => each.isExact)}::bool[]) as g (account_id, amount, exact), node
      where e.account_id = g.account_id and e.node_id = node.id
    )
    delete from escrow_recalls r using node
    where r.node_id = node.id and r.account_id = any (${arrayText(recalled, (id) => id)}::text[])`
}

/** Gives back all of wallets that the node has put away. */
export const returnWallets = async (
  sql: Sql,
  { nodeId, session }: NodeSession,
  accountIds: ReadonlyArray<AccountId>
): Promise<void> => {
  await sql`select return_wallets(${nodeId}, ${session}, ${arrayText(accountIds, (id) => id)}::text[])`
}
