/** Whom an account's papers are made out to, and what its top-ups were. */
import type { AccountId } from "../../domain/ids.ts"
import type { MicroVnd } from "../../domain/money.ts"
import type { Sql, Transaction } from "../Database.ts"
import { recordAction } from "../record-action.ts"
import { type Asker, mayStillSet } from "../still-asks.ts"
import { takenBackAt } from "./TopUpStore.ts"

/** Each empty where nothing was said. */
export interface BillingDetails {
  readonly company: string
  readonly taxCode: string
  readonly address: string
  /** Where electronic invoices go. */
  readonly email: string
}

const noDetails: BillingDetails = { company: "", taxCode: "", address: "", email: "" }

export const readBillingDetails = async (
  sql: Sql | Transaction,
  accountId: AccountId
): Promise<BillingDetails> => {
  const [row] = await sql<Array<BillingDetails>>`
    select company, tax_code as "taxCode", address, email from billing_details where account_id = ${accountId}`
  return row ?? noDetails
}

/** What is not given stays as it is. Answers what stands then; `undefined`: whoever asked has been shut out since. */
export const writeBillingDetails = (
  sql: Sql,
  accountId: AccountId,
  change: Partial<BillingDetails>,
  asker: Asker
): Promise<BillingDetails | undefined> =>
  sql.begin(async (transaction) => {
    if (!(await mayStillSet(transaction, accountId, asker))) return undefined
    const details = { ...(await readBillingDetails(transaction, accountId)), ...change }
    await transaction`
      insert into billing_details (account_id, company, tax_code, address, email)
      values (${accountId}, ${details.company}, ${details.taxCode}, ${details.address}, ${details.email})
      on conflict (account_id) do update set company = excluded.company, tax_code = excluded.tax_code,
        address = excluded.address, email = excluded.email, updated_at = now()`
    await recordAction(transaction, {
      actor: asker.actor,
      action: "account.bill",
      subject: accountId,
      detail: { ...details }
    })
    return details
  })

/** A top-up as the ledger has it, with the transfer that paid it. */
export interface Receipt {
  /** Of the ledger's entry. */
  readonly id: string
  readonly atMs: number
  readonly amount: MicroVnd
  /** Of the order it paid; `undefined` where an operator assigned the transfer. */
  readonly code: string | undefined
  /** The bank's own name of the transfer, and when it says that it was made. */
  readonly transferId: string
  readonly transferredAtMs: number | undefined
  /** When an operator took it back, since the money was another's. */
  readonly takenBackAtMs: number | undefined
}

/** The transfer is found by the name that the ledger has of its credit (`creditIdOf`). */
export const findReceipt = async (
  sql: Sql,
  accountId: AccountId,
  entryId: string
): Promise<Receipt | undefined> => {
  const [row] = await sql<
    Array<{
      id: string
      at: Date
      amount: MicroVnd
      code: string | null
      transfer_id: string
      transferred_at: Date | null
      taken_back_at: Date | null
    }>
  >`
    select e.id::text, e.at, e.amount_micro_vnd as amount, o.code,
      coalesce(nullif(t.bank_reference, ''), nullif(t.shown_reference, ''), named.transfer_id) as transfer_id, t.transferred_at,
      ${takenBackAt(sql)} as taken_back_at
    from ledger_entries e
    cross join lateral (
      select split_part(split_part(e.source_id, ':', 1), '#', 1) as provider, substr(e.source_id, strpos(e.source_id, ':') + 1) as transfer_id
    ) named
    left join bank_transfers t on t.provider = named.provider and t.provider_transfer_id = named.transfer_id
    left join top_up_orders o on o.id = t.order_id and o.account_id = e.account_id
    where e.account_id = ${accountId} and e.id = ${entryId}::text::int8 and e.source = 'top_up' and e.amount_micro_vnd > 0`
  if (row === undefined) return undefined
  return {
    id: row.id,
    atMs: row.at.getTime(),
    amount: row.amount,
    code: row.code ?? undefined,
    transferId: row.transfer_id,
    transferredAtMs: row.transferred_at?.getTime(),
    takenBackAtMs: row.taken_back_at?.getTime()
  }
}
