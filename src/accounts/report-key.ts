/** Balance and usage as a key's owner asks for them, in our words and in those that chat clients know. */
import { Clock, Effect } from "effect"
import { type Budget, periodEndMs } from "../domain/key-settings.ts"
import { atLeastZero, formatVnd, type MicroVnd } from "../domain/money.ts"
import { dayMs, dayText, startOfMonth, vietnamTime } from "../domain/vietnam-days.ts"
import type { KeyReport, KeyReportAsk } from "../ledger/bridge/protocol.ts"
import { readBudgetUse } from "../storage/keys/BudgetStore.ts"
import { type MemberBudget, readMemberBudgets } from "../storage/keys/MemberBudgetStore.ts"
import { Database } from "../storage/Database.ts"
import { findMakerSeen } from "../storage/calls/with-keys-of.ts"
import {
  reportUsage,
  sumUsageSince,
  type UsageReport,
  type UsageSum,
  wholeHours
} from "../storage/calls/UsageStore.ts"
import { BadText } from "./check-text.ts"
import { findKey, type Key } from "./keys.ts"
import { emptyPeriod, parsePeriod } from "./parse-period.ts"
import type { WalletState } from "./wallet-credit.ts"

const reportBalance = Effect.fn("reportBalance")(function* (key: Key, { balance, held }: WalletState) {
  const nowMs = yield* Clock.currentTimeMillis
  const ofMember = yield* findMemberBudget(key)
  return {
    balance_vnd: formatVnd(balance),
    held_vnd: formatVnd(held),
    available_vnd: formatVnd(balance - held),
    key: {
      id: key.keyId,
      name: key.name,
      budget_vnd: key.budget && formatVnd(key.budget.amount),
      budget_period: key.budget && key.budget.period,
      spent_vnd: formatVnd(key.budget === null ? key.spent : key.budgetSpent),
      resets_at: key.budget && resetsAt(key.budget, nowMs),
      expires_at: key.expiresAt === null ? null : vietnamTime(key.expiresAt.getTime()),
      models: key.models,
      endpoints: key.endpoints,
      allowed_ips: key.allowedIps,
      rate_limit_per_minute: key.rateLimitPerMinute
    },
    member: ofMember === undefined ? null : renderMember(ofMember, nowMs)
  }
})

/** What all keys of whoever made this one may spend together. */
const renderMember = (budget: MemberBudget, nowMs: number) => ({
  budget_vnd: formatVnd(budget.amount),
  budget_period: budget.period,
  spent_vnd: formatVnd(budget.spent),
  resets_at: resetsAt(budget, nowMs)
})

const resetsAt = ({ period }: Budget, nowMs: number): string | null => {
  const atMs = periodEndMs(period, nowMs)
  return atMs === undefined ? null : vietnamTime(atMs)
}

const findMemberBudget = Effect.fnUntraced(function* ({ accountId, madeBy }: Key) {
  if (madeBy === undefined) return undefined
  const database = yield* Database
  const [budget] = yield* database.run("read member budget", (sql) =>
    readMemberBudgets(sql, accountId, madeBy)
  )
  return budget
})

/**
 * What chat clients show as left is the limit less what was used: so the limit is what was used in this month (or the
 * budget's period) and what is left, whatever dates they ask for.
 */
const reportBilling = Effect.fn("reportBilling")(function* (
  key: Key,
  wallet: WalletState,
  report: "subscription" | "billing_usage"
) {
  const { left, used } = yield* findBilled(key, wallet)
  if (report === "billing_usage") return { object: "list", total_usage: vndNumber(used * 100n) }
  const limit = vndNumber(used + left)
  return {
    object: "billing_subscription",
    has_payment_method: true,
    soft_limit_usd: limit,
    hard_limit_usd: limit,
    system_hard_limit_usd: limit,
    currency: "VND",
    access_until: key.expiresAt === null ? 0 : Math.floor(key.expiresAt.getTime() / 1000)
  }
})

const findBilled = Effect.fnUntraced(function* (key: Key, { balance, held }: WalletState) {
  const { accountId, budget, keyId } = key
  const database = yield* Database
  const ofMember = yield* findMemberBudget(key)
  const ofWallet = atLeastZero(balance - held)
  const available =
    ofMember === undefined
      ? ofWallet
      : lessOf(ofWallet, atLeastZero(ofMember.amount - ofMember.spent - ofMember.held))
  if (budget === null) {
    const since = new Date(startOfMonth(yield* Clock.currentTimeMillis))
    const { cost } = yield* database.run("sum usage", async (sql) =>
      sumUsageSince(sql, accountId, since, await findMakerSeen(sql, keyId))
    )
    return { used: cost, left: available }
  }
  const use = yield* database.run("read budget use", (sql) => readBudgetUse(sql, keyId, budget.period))
  const ofBudget = atLeastZero(budget.amount - use.spent - use.held)
  return { used: use.spent, left: lessOf(ofBudget, available) }
})

const daysMax = 400
const usualDays = 30
const groups = ["model", "key", "day"] as const

/** Of the whole account, or of all keys of the member whose key it is, in whole hours, by days of Viet Nam. */
const reportAccountUsage = Effect.fn("reportAccountUsage")(function* (ask: KeyReportAsk) {
  const period = parsePeriod(ask.from || undefined, ask.to || undefined, "")
  if (period instanceof BadText) return yield* period
  const askedTo = period.to ?? new Date((yield* Clock.currentTimeMillis) + 1)
  const askedFrom = period.from ?? new Date(askedTo.getTime() - usualDays * dayMs)
  if (askedFrom >= askedTo) return yield* emptyPeriod()
  if (askedTo.getTime() - askedFrom.getTime() > daysMax * dayMs) {
    return yield* new BadText({ what: "period", reason: `must not be longer than ${daysMax} days` })
  }
  const groupBy = groups.find((group) => group === (ask.groupBy || "model"))
  if (groupBy === undefined) {
    return yield* new BadText({ what: "group_by", reason: `must be one of ${groups.join(", ")}` })
  }
  // Of what the sums are: the answer says so.
  const { from, to } = wholeHours(askedFrom.getTime(), askedTo.getTime())
  const database = yield* Database
  const usage = yield* database.run("report usage", async (sql) => {
    const madeBy = await findMakerSeen(sql, ask.keyId)
    return reportUsage(sql, { accountId: ask.accountId, madeBy, from, to }, "day")
  })
  return {
    object: "usage",
    from: vietnamTime(from.getTime()),
    to: vietnamTime(to.getTime()),
    group_by: groupBy,
    total: renderSum(usage.total),
    data: rowsOf(usage, groupBy)
  }
})

const rowsOf = ({ byKey, byModel, series }: UsageReport, groupBy: (typeof groups)[number]) => {
  switch (groupBy) {
    case "model":
      return byModel.map((sum) => ({ model: sum.model, ...renderSum(sum) }))
    case "key":
      return byKey.map((sum) => ({ key_id: sum.keyId, key_name: sum.keyName, ...renderSum(sum) }))
    case "day":
      return series.map((sum) => ({ day: dayText(sum.startMs), ...renderSum(sum) }))
  }
}

const renderSum = (sum: UsageSum) => ({
  calls: sum.calls,
  failed_calls: sum.failedCalls,
  input_tokens: sum.inputTokens,
  output_tokens: sum.outputTokens,
  cost_vnd: formatVnd(sum.cost)
})

export const answerReport = Effect.fnUntraced(function* <Failure>(
  ask: KeyReportAsk,
  readWallet: Effect.Effect<WalletState, Failure, Database>
) {
  const report = yield* makeReport(ask, readWallet)
  return { isGood: true, text: JSON.stringify(report) } satisfies KeyReport
})

const makeReport = Effect.fnUntraced(function* <Failure>(
  ask: KeyReportAsk,
  readWallet: Effect.Effect<WalletState, Failure, Database>
) {
  if (ask.report === "usage") return yield* reportAccountUsage(ask)
  const key = yield* findKey(ask.keyId, ask.accountId)
  const wallet = yield* readWallet
  return ask.report === "balance"
    ? yield* reportBalance(key, wallet)
    : yield* reportBilling(key, wallet, ask.report)
})

const lessOf = (one: MicroVnd, other: MicroVnd): MicroVnd => (one < other ? one : other)
const vndNumber = (amount: MicroVnd): number => Number(formatVnd(amount))
