/** What may be set on a key beside its limit a minute: how much it may spend, for what and from where it may be used. */
import type { Endpoint } from "./call.ts"
import type { MicroVnd } from "./money.ts"
import { dayMs, startOfDay, startOfMonth, startOfWeek } from "./vietnam-days.ts"

export const budgetPeriods = ["total", "day", "week", "month"] as const
/** Days, weeks and months of Viet Nam; weeks begin on Mondays. */
export type BudgetPeriod = (typeof budgetPeriods)[number]

export interface Budget {
  readonly amount: MicroVnd
  readonly period: BudgetPeriod
}

/** Of a budget what is set anew; the rest stays as it is. */
export type BudgetChange = Partial<Budget>

/** `undefined`: a period, but nothing to spend in it. */
export const budgetAfter = (former: Budget | null, { amount, period }: BudgetChange): Budget | undefined => {
  const spendable = amount ?? former?.amount
  return spendable === undefined
    ? undefined
    : { amount: spendable, period: period ?? former?.period ?? "total" }
}

/** Whose budget: the key's own, or that of all keys which the member who made it has made. */
export type BudgetHolder = "key" | "member"

/** The budgets that a key's calls hold of, each where there is one; one at least. */
export interface Budgets {
  readonly key: Budget | undefined
  readonly member: Budget | undefined
}

/** Of an id in the list of a key's models; with a star at the end it is the beginning of ids. */
export const listedModelForm = /^[\w./:@-]{0,200}\*?$/u

/** What a call must keep to. `undefined`: anything. */
export interface KeyRules {
  /** Ids of models; with a star at the end all that begin so. */
  readonly models: ReadonlyArray<string> | undefined
  readonly endpoints: ReadonlyArray<Endpoint> | undefined
  /** In CIDR notation. */
  readonly allowedIps: ReadonlyArray<string> | undefined
}

export const isModelAllowed = ({ models }: KeyRules, id: string): boolean =>
  models === undefined || models.some((model) => isModelMeant(model, id))

/** `model` is an id, or with a star at the end what ids begin with. */
export const isModelMeant = (model: string, id: string): boolean =>
  model.endsWith("*") ? id.startsWith(model.slice(0, -1)) : id === model

/** When the period that holds this moment ends, ms since 1970; `undefined`: never. */
export const periodEndMs = (period: BudgetPeriod, atMs: number): number | undefined => {
  switch (period) {
    case "total":
      return undefined
    case "day":
      return startOfDay(atMs) + dayMs
    case "week":
      return startOfWeek(atMs) + 7 * dayMs
    case "month":
      // No month is longer.
      return startOfMonth(startOfMonth(atMs) + 31 * dayMs)
  }
}
