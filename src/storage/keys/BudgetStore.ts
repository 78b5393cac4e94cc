/** What open calls hold of the budgets of their keys and of who made these, at rest (0023-key-budgets.sql, 0055-member-budgets.sql). */
import type { CallId, KeyId } from "../../domain/ids.ts"
import type { BudgetHolder, BudgetPeriod } from "../../domain/key-settings.ts"
import type { MicroVnd } from "../../domain/money.ts"
import { arrayText, askedAmount, plainArrayText } from "../array-text.ts"
import type { Sql, Transaction } from "../Database.ts"
import type { NodeSession } from "../EscrowStore.ts"

export interface BudgetAsk {
  readonly keyId: KeyId
  readonly callId: CallId
  /** When the call began, ms since 1970, as in its row. */
  readonly atMs: number
  /** µVND that the call must hold in all. */
  readonly minimum: MicroVnd
  /** µVND that it would like to hold in all. */
  readonly wanted: MicroVnd
}

export interface BudgetHold {
  readonly callId: CallId
  /** µVND that the call holds in all; `undefined`: a budget does not cover its minimum, and it holds what it held. */
  readonly held: MicroVnd | undefined
  /** Which budget that is. */
  readonly shortOf: BudgetHolder | undefined
}

/** `undefined` when the session or its node is over. Calls of unknown keys are absent from the answer. */
export const holdBudgets = async (
  sql: Sql,
  { nodeId, session }: NodeSession,
  asks: ReadonlyArray<BudgetAsk>
): Promise<ReadonlyArray<BudgetHold> | undefined> => {
  const rows = await sql<Array<{ call_id: CallId; held: bigint | null; short_of: BudgetHolder | null }>>`
    select call_id, held, short_of from hold_budgets(${nodeId}, ${session},
      ${arrayText(asks, (ask) => ask.callId)}::text[], ${arrayText(asks, (ask) => ask.keyId)}::text[],
      ${plainArrayText(asks, (ask) => ask.atMs)}::float8[], ${plainArrayText(asks, (ask) => askedAmount(ask.minimum))}::int8[],
      ${plainArrayText(asks, (ask) => askedAmount(ask.wanted))}::int8[])`
  if (rows.length === 0 && asks.length > 0) return undefined
  return rows.map((row) => ({
    callId: row.call_id,
    held: row.held ?? undefined,
    shortOf: row.short_of ?? undefined
  }))
}

/**
 * These calls have ended and cost nothing. What an ask of another node deletes at this moment, since the call is in the log, is
 * left to it: it deletes in an order of its own, and each would wait for the other.
 */
export const releaseBudgets = async (
  sql: Sql | Transaction,
  callIds: ReadonlyArray<CallId>
): Promise<void> => {
  await sql`
    delete from key_holds where call_id in (
      select call_id from key_holds where call_id = any (${arrayText(callIds, (id) => id)}::text[])
      for update skip locked)`
}

/** What a key's budget has seen in the period that is now. */
export const readBudgetUse = async (
  sql: Sql,
  keyId: KeyId,
  period: BudgetPeriod
): Promise<{ readonly spent: MicroVnd; readonly held: MicroVnd }> => {
  const [row] = await sql<[{ spent: bigint; held: bigint }]>`
    select key_spent(${keyId}, starts_at, ends_at) as spent, key_held(${keyId}, starts_at, ends_at) as held
    from (select budget_starts_at(${period}, now()) as starts_at, budget_ends_at(${period}, now()) as ends_at) present`
  return row
}
