/** Wallets at rest: balances, the credits that raise or correct them, and what nodes tell that calls hold of them. */
import type { AccountId } from "../domain/ids.ts"
import { formatVnd, type MicroVnd } from "../domain/money.ts"
import { isAccountClosed } from "./AccountStore.ts"
import type { Sql, Transaction } from "./Database.ts"
import { announceEvent } from "./announce-event.ts"
import { recordAction } from "./record-action.ts"

export const readBalance = async (
  sql: Sql | Transaction,
  accountId: AccountId
): Promise<MicroVnd | undefined> => {
  const [row] = await sql<Array<{ balance: MicroVnd }>>`
    select balance_micro_vnd as balance from wallet_balances where account_id = ${accountId}`
  return row?.balance
}

export interface Credit {
  readonly accountId: AccountId
  /** Negative for a correction. */
  readonly amount: MicroVnd
  readonly reason: string
  readonly actor: string
  /** Names this credit: sent again it changes nothing, and another one can not have it. */
  readonly creditId: string
  /** µVND that a correction must leave; `undefined`: it may take the balance below zero. */
  readonly atLeast: MicroVnd | undefined
}

export type CreditOutcome =
  | { readonly _tag: "NoWallet" }
  | { readonly _tag: "TooLittleLeft"; readonly balance: MicroVnd }
  /** Money only leaves an account that its founder has closed. */
  | { readonly _tag: "AccountClosed" }
  /** There is another credit of this name. */
  | { readonly _tag: "Repeated"; readonly amount: MicroVnd }
  | {
      readonly _tag: "Credited"
      readonly balance: MicroVnd
      /** It had been credited before: nothing was added. */
      readonly isRepeated: boolean
      readonly heldEventId: bigint
    }

/** The balance; until the transaction ends no other correction sees one that suffices for one of them alone. */
export const lockWallet = async (
  transaction: Transaction,
  accountId: AccountId
): Promise<MicroVnd | undefined> => {
  await transaction`select from wallets where account_id = ${accountId} for no key update`
  return readBalance(transaction, accountId)
}

export const creditWallet = (sql: Sql, credit: Credit): Promise<CreditOutcome> =>
  sql.begin(async (transaction): Promise<CreditOutcome> => {
    const before = await lockWallet(transaction, credit.accountId)
    if (before === undefined) return { _tag: "NoWallet" }
    const [former] = await transaction<Array<{ account: AccountId; amount: MicroVnd }>>`
      select account_id as account, amount_micro_vnd as amount from ledger_entries
      where source = 'credit' and source_id = ${credit.creditId}`
    if (former !== undefined && (former.account !== credit.accountId || former.amount !== credit.amount))
      return { _tag: "Repeated", amount: former.amount }
    if (former === undefined && credit.amount > 0n && (await isAccountClosed(transaction, credit.accountId)))
      return { _tag: "AccountClosed" }
    const after = former === undefined ? before + credit.amount : before
    if (after < before && credit.atLeast !== undefined && after < credit.atLeast)
      return { _tag: "TooLittleLeft", balance: before }
    if (former === undefined) await writeCredit(transaction, credit)
    await announceEvent(transaction, "wallet", credit.accountId)
    return {
      _tag: "Credited",
      balance: after,
      isRepeated: former !== undefined,
      heldEventId: await announceEvent(transaction, "held", credit.accountId)
    }
  })

/** Asks every node how much of the wallet it holds; the answers belong to the event returned. */
export const askHeld = (sql: Sql, accountId: AccountId): Promise<bigint> =>
  sql.begin((transaction) => announceEvent(transaction, "held", accountId))

/** What this node's open calls hold of an account's wallet, for whoever asked by this event. */
export const answerHeld = async (
  sql: Sql,
  eventId: bigint,
  nodeId: number,
  held: MicroVnd
): Promise<void> => {
  await sql`insert into node_answers (event_id, node_id, value)
    values (${eventId}, ${nodeId}, to_jsonb(${String(held)}::text)) on conflict do nothing`
}

/** The sum of what the nodes answered, which is forgotten with this. */
export const takeHeld = async (sql: Sql, eventId: bigint): Promise<MicroVnd> => {
  const [row] = await sql<[{ held: string }]>`
    with taken as (delete from node_answers where event_id = ${eventId} returning value)
    select coalesce(sum((value #>> '{}')::numeric), 0)::text as held from taken`
  return BigInt(row.held)
}

const writeCredit = async (transaction: Transaction, credit: Credit): Promise<void> => {
  await transaction`
    insert into ledger_entries (account_id, source, source_id, amount_micro_vnd, reason, actor)
    values (${credit.accountId}, 'credit', ${credit.creditId}, ${credit.amount}, ${credit.reason},
      ${credit.actor})`
  await transaction`
    update wallets set booked_micro_vnd = booked_micro_vnd + ${credit.amount}, updated_at = now()
    where account_id = ${credit.accountId}`
  await recordAction(transaction, {
    actor: credit.actor,
    action: "wallet.credit",
    subject: credit.accountId,
    detail: { amount_vnd: formatVnd(credit.amount), reason: credit.reason, credit_id: credit.creditId }
  })
}
