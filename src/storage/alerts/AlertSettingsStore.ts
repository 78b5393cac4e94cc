/** What an account wants to be told of, by mail and by webhook. */
import type { Language } from "../../domain/language.ts"
import type { AlertKind } from "../../domain/alert-kinds.ts"
import type { AccountId } from "../../domain/ids.ts"
import type { MicroVnd } from "../../domain/money.ts"
import type { Sql, Transaction } from "../Database.ts"
import { recordAction } from "../record-action.ts"
import { type Asker, mayStillSet } from "../still-asks.ts"

export interface AlertSettings {
  /** `undefined`: never. */
  readonly balanceBelow: MicroVnd | undefined
  readonly daysLeft: number | undefined
  readonly mailKinds: ReadonlyArray<AlertKind>
  /** Where mail goes; empty: to the account's own address. */
  readonly email: string
  readonly language: Language
}

export interface AccountAlerts extends AlertSettings {
  /** The account's own address. */
  readonly accountEmail: string
}

/** `undefined`: there is no such account. */
export const readAlertSettings = async (
  sql: Sql | Transaction,
  accountId: AccountId
): Promise<AccountAlerts | undefined> => {
  const [row] = await sql<Array<RawSettings>>`
    select balance_below_micro_vnd::text as below, days_left as days, mail_kinds as kinds, email, language, account_email
    from account_alerts where account_id = ${accountId}`
  return (
    row && {
      balanceBelow: row.below === null ? undefined : BigInt(row.below),
      daysLeft: row.days ?? undefined,
      mailKinds: row.kinds,
      email: row.email,
      language: row.language,
      accountEmail: row.account_email
    }
  )
}

interface RawSettings {
  readonly below: string | null
  readonly days: number | null
  readonly kinds: Array<AlertKind>
  readonly email: string
  readonly language: Language
  readonly account_email: string
}

/** What is set anew. */
export type AlertChange = Partial<AlertSettings>

/** Answers what is set then; `undefined`: there is no such account, or whoever asked has been shut out since. */
export const writeAlertSettings = (
  sql: Sql,
  accountId: AccountId,
  change: AlertChange,
  asker: Asker
): Promise<AlertSettings | undefined> =>
  sql.begin(async (transaction) => {
    if (!(await mayStillSet(transaction, accountId, asker))) return undefined
    const former = await readAlertSettings(transaction, accountId)
    if (former === undefined) return undefined
    const settings: AlertSettings = { ...former, ...change }
    const { balanceBelow, daysLeft, email, language, mailKinds } = settings
    await transaction`
      insert into alert_settings (account_id, balance_below_micro_vnd, days_left, mail_kinds, email, language)
      values (${accountId}, ${balanceBelow?.toString() ?? null}::text::int8, ${daysLeft ?? null},
        ${[...mailKinds]}::text[], ${email}, ${language})
      on conflict (account_id) do update set balance_below_micro_vnd = excluded.balance_below_micro_vnd,
        days_left = excluded.days_left, mail_kinds = excluded.mail_kinds, email = excluded.email,
        language = excluded.language, updated_at = now()`
    await recordAction(transaction, {
      actor: asker.actor,
      action: "account.alerts",
      subject: accountId,
      detail: { mail: mailKinds.join(", "), email }
    })
    return settings
  })
