/** The fields of a budget: how much, and in which period. */
import type { BudgetPeriod } from "../../../domain/key-settings.ts"
import { Field, Select } from "../components/Field.tsx"
import { money } from "../language.ts"
import { keysText } from "../text/keys.ts"
import { explainAmount } from "../typed-amount.ts"
import { budgetOf, type TypedBudget } from "./key-settings.ts"

interface BudgetFieldsProperties {
  readonly typed: TypedBudget
  /** What it is for, while nothing is typed. */
  readonly hint: string
  readonly isTried: boolean
  readonly autoFocus?: boolean
  readonly onTyped: (typed: TypedBudget) => void
}

export const BudgetFields = ({
  autoFocus = false,
  hint,
  isTried,
  onTyped,
  typed
}: BudgetFieldsProperties) => {
  const words = keysText()
  const { budget: value, period } = typed
  const budget = budgetOf(value)
  return (
    <div class="flex flex-wrap items-start gap-3">
      <div class="min-w-0 flex-1">
        <Field
          label={words.budget}
          hint={typeof budget === "string" ? `= ${money(budget)}` : hint}
          value={value}
          inputMode="decimal"
          suffix="₫"
          autoFocus={autoFocus}
          problem={isTried && budget === undefined ? explainAmount(value, words.budgetBad) : undefined}
          onText={(next) => onTyped({ budget: next, period })}
        />
      </div>
      <Select
        class="mt-[1.6rem] !w-auto"
        label={words.budgetPeriod}
        value={period}
        options={Object.entries(words.periods)}
        onText={(next) => onTyped({ budget: value, period: next as BudgetPeriod })}
      />
    </div>
  )
}
