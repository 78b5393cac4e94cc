/** What is typed of a key's settings, and what it says. */
import type { Endpoint } from "../../../domain/call.ts"
import type { BudgetPeriod } from "../../../domain/key-settings.ts"
import type { Key } from "../answers.ts"
import { changedFields } from "../changed-fields.ts"
import { amountOf, wholeAmountOf, writeAmount } from "../typed-amount.ts"
import { dayMs, dayText, startOfNamedDay } from "../../../domain/vietnam-days.ts"
import { rateLimitMax } from "../../../domain/field-limits.ts"

/** As in the fields of a form. */
export interface TypedBudget {
  readonly budget: string
  readonly period: BudgetPeriod
}

export interface TypedSettings extends TypedBudget {
  readonly name: string
  readonly limit: string
  readonly models: string
  readonly endpoints: ReadonlyArray<Endpoint>
  readonly addresses: string
  /** The last day, `2026-12-31`. */
  readonly lastDay: string
}

export const nothingTyped: TypedSettings = {
  name: "",
  limit: "",
  budget: "",
  period: "month",
  models: "",
  endpoints: [],
  addresses: "",
  lastDay: ""
}

interface SetBudget {
  readonly budget_vnd: string | null
  readonly budget_period: BudgetPeriod | null
}

export const typedBudgetOf = ({ budget_period, budget_vnd }: SetBudget): TypedBudget => ({
  budget: budget_vnd === null ? "" : writeAmount(budget_vnd),
  period: budget_period ?? "month"
})

export const typedOf = (key: Key): TypedSettings => ({
  name: key.name,
  limit: key.rate_limit_per_minute === 0 ? "" : String(key.rate_limit_per_minute),
  ...typedBudgetOf(key),
  models: key.models?.join(", ") ?? "",
  // What a later version knows is kept, too.
  endpoints: (key.endpoints ?? []) as ReadonlyArray<Endpoint>,
  addresses: key.allowed_ips?.join(", ") ?? "",
  lastDay: key.expires_at === null ? "" : dayText(key.expires_at - 1)
})

/** Calls a minute, 0 where nothing is typed; `undefined` for what is no limit. */
export const limitOf = (value: string): number | undefined => {
  if (value.trim() === "") return 0
  const limit = wholeAmountOf(value)
  return limit !== undefined && limit >= 1 && limit <= rateLimitMax ? limit : undefined
}

/** Exact decimal VND, `null` where nothing is typed; `undefined` for what is no budget. */
export const budgetOf = (value: string): string | null | undefined => {
  if (value.trim() === "") return null
  const amount = amountOf(value)
  return amount === "0" || amount?.startsWith("-") ? undefined : amount
}

const listOf = (value: string): ReadonlyArray<string> | null => {
  const list = value.split(/[\s,;]+/).filter((each) => each !== "")
  return list.length === 0 ? null : list
}

/** What was changed; a budget is one with its period. `{}`: nothing. */
export const changeOf = (former: TypedSettings, whole: Sent): Partial<Sent> => {
  const before = sentOf(former)
  const changed = before === undefined ? whole : (changedFields(before, whole) ?? {})
  const { budget_period, budget_vnd } = whole
  const hasBudget = "budget_vnd" in changed || "budget_period" in changed
  return hasBudget ? { ...changed, budget_vnd, budget_period } : changed
}

type Sent = NonNullable<ReturnType<typeof sentOf>>

/** `undefined` where something is not as it must be. */
export const sentOf = (typed: TypedSettings) => {
  const limit = limitOf(typed.limit)
  const budget = budgetOf(typed.budget)
  if (typed.name.trim() === "" || limit === undefined || budget === undefined) return undefined
  return {
    name: typed.name.trim(),
    rate_limit_per_minute: limit,
    budget_vnd: budget,
    budget_period: typed.period,
    models: listOf(typed.models),
    endpoints: typed.endpoints.length === 0 ? null : typed.endpoints,
    allowed_ips: listOf(typed.addresses),
    expires_at: typed.lastDay === "" ? null : startOfNamedDay(typed.lastDay) + dayMs
  }
}
