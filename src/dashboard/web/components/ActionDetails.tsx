/** What an action set, in words. */
import type { BudgetPeriod } from "../../../domain/key-settings.ts"
import type { MemberRole } from "../../../domain/member-roles.ts"
import type { StaffRole } from "../../../domain/staff-roles.ts"
import type { TransferStatus } from "../../../domain/transfer-steps.ts"
import type { Activity } from "../answers.ts"
import { exactTime, money, number, text } from "../language.ts"
import { alertsText } from "../text/alerts.ts"
import { keysText } from "../text/keys.ts"
import { auditText } from "../text/audit.ts"
import { operatorText } from "../text/operator.ts"
import { teamText } from "../text/team.ts"

type Detail = Activity["detail"]

interface ActionDetailsProperties {
  readonly action: string
  readonly detail: Detail
  /** The name of the account that is told of, where there is one. */
  readonly account: string | null
}

/** Of something new, what was not set says nothing; of a change, that it was taken back. */
export const ActionDetails = ({ account, action, detail }: ActionDetailsProperties) => {
  const names: Readonly<Record<string, string>> = auditText().names
  const isNew = action.endsWith(".create")
  const details = Object.entries(detail).filter(([, value]) => value !== null || !isNew)
  if (details.length === 0) return <>{text().common.none}</>
  return (
    <dl class="min-w-0 space-y-0.5">
      {details.map(([name, value]) => (
        <div key={name} class="flex flex-wrap justify-end gap-x-2 @min-[52rem]:justify-start">
          <dt class="shrink-0 text-faint">{names[name] ?? name}</dt>
          <dd class="number min-w-0 wrap-anywhere whitespace-normal">
            {name === "account_id" && account !== null ? account : shownOf(name, value, action)}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** `balance.low, budget.spent`, in words. */
const kindsOf = (kinds: string): string => {
  const names: Readonly<Record<string, string>> = alertsText().kinds
  if (kinds === "") return text().common.none
  return kinds
    .split(", ")
    .map((kind) => names[kind] ?? kind)
    .join(", ")
}

const shownOf = (name: string, value: Detail[string], action: string): string => {
  const { common } = text()
  if (value === null || value === "") return common.none
  if (name.endsWith("_vnd")) return money(String(value))
  if (action.startsWith("transfer.") && (name === "from" || name === "to"))
    return operatorText().transfers.filters[value as TransferStatus]
  if (/^(expires_at|from|until)$/.test(name)) return exactTime(Date.parse(String(value)))
  if (name === "budget_period") return keysText().periods[value as BudgetPeriod]
  if (name === "kinds" || name === "mail") return kindsOf(String(value))
  if (/^(former_)?role$/.test(name))
    return action.startsWith("account.")
      ? operatorText().accounts.roles[value as StaffRole]
      : teamText().roles[value as MemberRole]
  if (name === "rate_limit_per_minute" && value === 0) return keysText().unlimited
  if (typeof value === "boolean") return value ? common.yes : common.no
  return typeof value === "number" ? number(value) : value
}
