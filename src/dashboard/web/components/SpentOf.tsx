/** What of a budget is spent, in which period. */
import type { BudgetPeriod } from "../../../domain/key-settings.ts"
import { money } from "../language.ts"
import { keysText } from "../text/keys.ts"

interface SpentOfProperties {
  readonly spent: string
  readonly budget: string
  readonly period: BudgetPeriod
}

export const SpentOf = ({ budget, period, spent }: SpentOfProperties) => {
  const words = keysText()
  return (
    <span class="number block min-w-0 text-xs wrap-break-word whitespace-normal text-faint">
      {words.ofBudget(money(spent), money(budget))} {words.periods[period].toLowerCase()}
    </span>
  )
}
