/** Lines of the audit log, in words. */
import type { BudgetPeriod } from "../../../domain/key-settings.ts"
import type { StaffRole } from "../../../domain/staff-roles.ts"
import { Link } from "../components/Button.tsx"
import { dateTime, exactTime, money, number, text } from "../language.ts"
import { settingsText } from "../text/key-settings.ts"
import { operatorText } from "../text/operator.ts"
import type { AuditEntry } from "./answers.ts"

export const AuditTable = ({ entries }: { readonly entries: ReadonlyArray<AuditEntry> }) => {
  const { audit: words } = operatorText()
  const actions: Readonly<Record<string, string>> = words.actions
  if (entries.length === 0) return <p class="px-5 pb-5 text-sm text-soft">{words.none}</p>
  return (
    <table class="table">
      <thead>
        <tr>
          <th scope="col">{words.time}</th>
          <th scope="col">{words.actor}</th>
          <th scope="col">{words.action}</th>
          <th scope="col">{words.subject}</th>
          <th scope="col">{words.detail}</th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <tr key={entry.id}>
            <td
              data-label={words.time}
              class="number whitespace-nowrap text-soft"
              title={exactTime(entry.at)}
            >
              {dateTime(entry.at)}
            </td>
            <td
              data-label={words.actor}
              class="break-all @min-[52rem]:max-w-52 @min-[52rem]:truncate"
              title={entry.actor}
            >
              {entry.actor}
            </td>
            <td data-label={words.action} class="whitespace-normal" title={entry.action}>
              {actions[entry.action] ?? entry.action}
            </td>
            <td
              data-label={words.subject}
              class="break-all @min-[52rem]:max-w-56 @min-[52rem]:truncate"
              title={entry.subject_id}
            >
              <Subject of={entry} />
            </td>
            <td data-label={words.detail} class="text-xs wrap-anywhere text-soft @min-[52rem]:max-w-xs">
              <Details of={entry} isNew={entry.action.endsWith(".create")} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

type Detail = AuditEntry["detail"]

const Subject = ({ of }: { readonly of: AuditEntry }) =>
  of.subject_account === null ? (
    <>{of.subject}</>
  ) : (
    <Link
      to={`/operator/account?id=${of.subject_account}`}
      class="rounded underline decoration-line-strong underline-offset-4 hover:decoration-ink"
    >
      {of.subject}
    </Link>
  )

/** Of something new, what was not set says nothing; of a change, that it was taken back. */
const Details = ({ isNew, of }: { readonly of: AuditEntry; readonly isNew: boolean }) => {
  const names: Readonly<Record<string, string>> = operatorText().audit.names
  const details = Object.entries(of.detail).filter(([, value]) => value !== null || !isNew)
  if (details.length === 0) return <>{text().common.none}</>
  return (
    <dl class="min-w-0 space-y-0.5">
      {details.map(([name, value]) => (
        <div key={name} class="flex justify-end gap-2 @min-[52rem]:justify-start">
          <dt class="shrink-0 text-faint">{names[name] ?? name}</dt>
          <dd class="number min-w-0 wrap-anywhere whitespace-normal">
            {name === "account_id" && of.account !== null ? of.account : shownOf(name, value)}
          </dd>
        </div>
      ))}
    </dl>
  )
}

const shownOf = (name: string, value: Detail[string]): string => {
  const { common } = text()
  const { accounts } = operatorText()
  if (value === null) return common.none
  if (name.endsWith("_vnd")) return money(String(value))
  if (name === "expires_at") return exactTime(Date.parse(String(value)))
  if (name === "budget_period") return settingsText().periods[value as BudgetPeriod]
  if (/^(former_)?role$/.test(name)) return accounts.roles[value as StaffRole]
  if (typeof value === "boolean") return value ? common.yes : common.no
  return typeof value === "number" ? number(value) : value
}
