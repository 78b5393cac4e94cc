/** What all keys that a member made may spend together, and have. */
import type { Spending } from "../answers.ts"
import { teamText } from "../text/team.ts"
import { SpentOf } from "./SpentOf.tsx"

export const MemberBudget = ({ of }: { readonly of: Spending | null }) =>
  of === null ? (
    <span class="text-faint">{teamText().noBudget}</span>
  ) : (
    <SpentOf spent={of.spent_vnd} budget={of.budget_vnd} period={of.budget_period} />
  )
