/** What all keys that a member of an account has made may spend together. */
import type { AccountId, KeyId } from "../../domain/ids.ts"
import type { Budget, BudgetPeriod } from "../../domain/key-settings.ts"
import { mayManage } from "../../domain/member-roles.ts"
import { formatVnd, type MicroVnd } from "../../domain/money.ts"
import { announceKeys } from "../announce-event.ts"
import type { Sql, Transaction } from "../Database.ts"
import { lockAccount, type MemberChange, roleOf } from "../people/MemberStore.ts"
import { recordAction } from "../record-action.ts"

export interface MemberBudget extends Budget {
  readonly personId: AccountId
  /** µVND of calls that began in the present period, of all keys that the member has made. */
  readonly spent: MicroVnd
  /** µVND that open calls of these hold. */
  readonly held: MicroVnd
}

/** Of all members of the account that have one, or of one of them. */
export const readMemberBudgets = async (
  sql: Sql,
  accountId: AccountId,
  personId?: AccountId
): Promise<ReadonlyArray<MemberBudget>> => {
  const ofPerson = personId === undefined ? sql`` : sql`and m.person_id = ${personId}`
  const rows = await sql<Array<MemberBudgetRow>>`
    select m.person_id, m.budget_micro_vnd, m.budget_period,
      member_spent(m.account_id, m.person_id, present.starts_at, present.ends_at) as spent,
      member_held(m.account_id, m.person_id, present.starts_at, present.ends_at) as held
    from member_budgets m, lateral (
      select budget_starts_at(m.budget_period, now()) as starts_at, budget_ends_at(m.budget_period, now()) as ends_at
    ) present
    where m.account_id = ${accountId} ${ofPerson}`
  return rows.map((row) => ({
    personId: row.person_id,
    amount: row.budget_micro_vnd,
    period: row.budget_period,
    spent: row.spent,
    held: row.held
  }))
}

interface MemberBudgetRow {
  readonly person_id: AccountId
  readonly budget_micro_vnd: bigint
  readonly budget_period: BudgetPeriod
  readonly spent: bigint
  readonly held: bigint
}

/** Somebody who is no member any more, and whose keys are the account's still. */
export interface FormerMember {
  readonly personId: AccountId
  readonly name: string
  readonly email: string
  readonly activeKeys: number
}

export const listFormerMembers = (sql: Sql, accountId: AccountId): Promise<ReadonlyArray<FormerMember>> =>
  sql<Array<FormerMember>>`
    select a.id as "personId", coalesce(p.name, a.email) as name, a.email, count(*)::int as "activeKeys"
    from keys k join accounts a on a.id = k.made_by left join people p on p.id = k.made_by
    where k.account_id = ${accountId} and k.status = 'active' and role_of(k.made_by, k.account_id) is null
    group by a.id, a.email, p.name order by a.email`

export interface BudgetSet {
  /** Of the last key that it is told of; `undefined`: the member has no active key. */
  readonly eventId: bigint | undefined
}

/** `null` takes it back. Each of the member's keys is told of: a node knows budgets with the keys that they are for. */
export const setMemberBudget = (
  sql: Sql,
  change: MemberChange,
  budget: Budget | null
): Promise<"no member" | "forbidden" | BudgetSet> =>
  sql.begin(async (transaction) => {
    // Nobody makes a key meanwhile: one that is made later is read with what is set here.
    await lockAccount(transaction, change.accountId)
    const refusal = await refusalOf(transaction, change)
    if (refusal !== undefined) return refusal
    const { accountId, actor, personId } = change
    await (budget === null
      ? transaction`delete from member_budgets where account_id = ${accountId} and person_id = ${personId}`
      : transaction`
        insert into member_budgets (account_id, person_id, budget_micro_vnd, budget_period)
        values (${accountId}, ${personId}, ${budget.amount}, ${budget.period})
        on conflict (account_id, person_id) do update
          set budget_micro_vnd = excluded.budget_micro_vnd, budget_period = excluded.budget_period`)
    const detail = {
      account_id: accountId,
      budget_vnd: budget && formatVnd(budget.amount),
      budget_period: budget && budget.period
    }
    await recordAction(transaction, { actor, action: "member.budget", subject: personId, detail })
    return { eventId: await announceKeysOf(transaction, change) }
  })

/** Owners may do it for all, admins for all but owners, and for themselves; also for those who left keys behind. */
const refusalOf = async (
  transaction: Transaction,
  { accountId, by, personId }: MemberChange
): Promise<"no member" | "forbidden" | undefined> => {
  const own = await roleOf(transaction, by, accountId)
  const role = await roleOf(transaction, personId, accountId)
  if (own !== "owner" && own !== "admin") return "forbidden"
  if (role !== undefined) return by === personId || mayManage(own, role) ? undefined : "forbidden"
  const left = await transaction`
    select from keys where account_id = ${accountId} and made_by = ${personId} and status = 'active' limit 1`
  return left.length === 0 ? "no member" : undefined
}

const announceKeysOf = async (
  transaction: Transaction,
  { accountId, personId }: MemberChange
): Promise<bigint | undefined> => {
  const keys = await transaction<Array<{ id: KeyId }>>`
    select id from keys where account_id = ${accountId} and made_by = ${personId} and status = 'active' order by id`
  return announceKeys(
    transaction,
    keys.map(({ id }) => id)
  )
}
