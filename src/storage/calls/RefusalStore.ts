/** Calls that were refused lately because nothing was left to pay them. */
import type { AccountId, KeyId } from "../../domain/ids.ts"
import type { MicroVnd } from "../../domain/money.ts"
import type { Sql } from "../Database.ts"
import { withKeysOf } from "./with-keys-of.ts"

export interface RefusedKey {
  readonly keyId: KeyId
  readonly keyName: string
  readonly calls: number
  readonly first: Date
  readonly last: Date
  /** µVND that neither calls have cost nor hold of its budget in the period of the last of them; `undefined`: it has none. */
  readonly budgetLeft: MicroVnd | undefined
  /** The same of the budget of the member who made it. */
  readonly memberBudgetLeft: MicroVnd | undefined
  /** What has come into the account since the last of them, and refused none. */
  readonly paidSince: MicroVnd
}

interface RefusedRow extends Omit<RefusedKey, "budgetLeft" | "memberBudgetLeft"> {
  readonly budgetLeft: bigint | null
  readonly memberBudgetLeft: bigint | null
}

/** Of an account's last failed calls so many are looked at. */
const failedMax = 1_000

/** By key, those with the most refused calls first; of keys that are revoked nothing is to be done. */
export const readRefusedKeys = async (
  sql: Sql,
  accountId: AccountId,
  since: Date,
  madeBy?: AccountId
): Promise<ReadonlyArray<RefusedKey>> => {
  const rows = await sql<Array<RefusedRow>>`
    with failed as (
      select key_id, at, status from calls
      where account_id = ${accountId} and at >= ${since} and status >= 400 ${withKeysOf(sql, { accountId, madeBy })}
      order by at desc, id desc limit ${failedMax}
    ), refused as (
      select key_id, count(*)::int as calls, min(at) as first, max(at) as last from failed where status = 402 group by key_id
    )
    select r.key_id as "keyId", k.name as "keyName", r.calls, r.first, r.last,
      k.budget_micro_vnd - key_spent(k.id, period.starts_at, period.ends_at)
        - key_held(k.id, period.starts_at, period.ends_at) as "budgetLeft",
      m.budget_micro_vnd - member_spent(m.account_id, m.person_id, period.member_starts_at, period.member_ends_at)
        - member_held(m.account_id, m.person_id, period.member_starts_at, period.member_ends_at) as "memberBudgetLeft",
      coalesce((select sum(e.amount_micro_vnd) from ledger_entries e
        where e.account_id = ${accountId} and e.amount_micro_vnd > 0 and e.at >= r.last), 0)::int8 as "paidSince"
    from refused r join keys k on k.id = r.key_id and k.status = 'active'
      left join member_budgets m on m.account_id = k.account_id and m.person_id = k.made_by, lateral (
      select budget_starts_at(k.budget_period, r.last) as starts_at, budget_ends_at(k.budget_period, r.last) as ends_at,
        budget_starts_at(m.budget_period, r.last) as member_starts_at,
        budget_ends_at(m.budget_period, r.last) as member_ends_at
    ) period
    order by r.calls desc, r.key_id`
  return rows.map((row) =>
    Object.assign(row, {
      budgetLeft: row.budgetLeft ?? undefined,
      memberBudgetLeft: row.memberBudgetLeft ?? undefined
    })
  )
}
