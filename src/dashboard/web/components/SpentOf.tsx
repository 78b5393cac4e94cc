/** What of a budget is spent, in which period. */
import type { BudgetPeriod } from "../../../domain/key-settings.ts"
import { money } from "../language.ts"
import { settingsText } from "../text/key-settings.ts"

interface SpentOfProperties {
  readonly spent: string
  readonly budget: string
  readonly period: BudgetPeriod
}

export const SpentOf = ({ budget, period, spent }: SpentOfProperties) => {
  const settings = settingsText()
  return (
    <span class="number block min-w-0 text-xs wrap-break-word whitespace-normal text-faint">
      {settings.ofBudget(money(spent), money(budget))} {settings.periods[period].toLowerCase()}
    </span>
  )
}
