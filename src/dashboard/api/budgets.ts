/** Budgets as they stand in requests and in answers. */
import { Effect } from "effect"
import { type Budget, type BudgetChange, type BudgetPeriod, periodEndMs } from "../../domain/key-settings.ts"
import { formatVnd, type MicroVnd } from "../../domain/money.ts"
import { readExactVnd } from "../../domain/typed-money.ts"
import { refuseAmount } from "./refuse.ts"

/** Of a key's budget what is set anew; `undefined`: nothing of it. */
export const readBudgetChange = (vnd: string | null | undefined, period: BudgetPeriod | undefined) => {
  if (vnd === null) return Effect.succeed<BudgetChange | null | undefined>(null)
  const amount = vnd === undefined ? undefined : readExactVnd(vnd)
  if (vnd !== undefined && amount === undefined) return refuseAmount("budget_vnd")
  if (amount === undefined && period === undefined) return Effect.succeed(undefined)
  return Effect.succeed<BudgetChange | null | undefined>({
    ...(amount !== undefined && { amount }),
    ...(period !== undefined && { period })
  })
}

/** `null`: no budget. */
export const readBudget = (vnd: string | null, period: BudgetPeriod = "total") => {
  if (vnd === null) return Effect.succeed<Budget | null>(null)
  const amount = readExactVnd(vnd)
  return amount === undefined ? refuseAmount("budget_vnd") : Effect.succeed<Budget | null>({ amount, period })
}

export const renderSpending = ({ amount, period, spent }: Budget & { readonly spent: MicroVnd }) => ({
  budget_vnd: formatVnd(amount),
  budget_period: period,
  spent_vnd: formatVnd(spent),
  resets_at: periodEndMs(period, Date.now()) ?? null
})
