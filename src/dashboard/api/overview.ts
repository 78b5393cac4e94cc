/** The first page: what is left and for how long, what was spent, what went wrong lately. */
import { Effect, Option } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { readProgress } from "../../storage/AccountStore.ts"
import { readCallPage } from "../../storage/calls/CallStore.ts"
import { type RefusedKey, readRefusedKeys } from "../../storage/calls/RefusalStore.ts"
import { reportUsage, sumUsageSince, type UsageSum } from "../../storage/calls/UsageStore.ts"
import { readDaysLeft } from "../../storage/calls/spending-pace.ts"
import { readBalance } from "../../storage/WalletStore.ts"
import { untilCreditsCount } from "../../accounts/await-nodes.ts"
import { showWallet } from "../../accounts/wallet-credit.ts"
import { formatVnd, type MicroVnd } from "../../domain/money.ts"
import { Caller } from "../definition/access.ts"
import { Api } from "../definition/Api.ts"
import { dayMs, startOfDay, startOfMonth } from "../../domain/vietnam-days.ts"
import { query } from "./refuse.ts"
import { renderCall, renderSum, type Whose } from "./usage.ts"

const daysShown = 14

export const overviewHandlers = HttpApiBuilder.group(Api, "overview", (handlers) =>
  handlers.handleAll({
    read: Effect.fnUntraced(function* () {
      const now = Date.now()
      const { accountId, keysOf: madeBy } = yield* Caller
      const failed = {
        accountId,
        madeBy,
        outcome: "failed",
        from: new Date(now - 7 * dayMs),
        to: new Date(now + dayMs)
      } as const
      const latest = { order: "newest first", after: undefined, limit: 5 } as const
      const [balance, today, month, errors, progress] = yield* query("read overview", (sql) =>
        Promise.all([
          readBalance(sql, accountId),
          sumUsageSince(sql, accountId, new Date(startOfDay(now)), madeBy),
          sumUsageSince(sql, accountId, new Date(startOfMonth(now)), madeBy),
          readCallPage(sql, failed, latest),
          readProgress(sql, accountId, madeBy)
        ])
      )
      yield* untilCreditsCount(accountId)
      return {
        balance_vnd: formatVnd(balance ?? 0n),
        today: renderPeriod(today),
        month: renderPeriod(month),
        errors: errors.calls.map(renderCall),
        active_keys: progress.activeKeys,
        has_calls: progress.hasCalls
      }
    }),

    outlook: Effect.fnUntraced(function* () {
      return yield* answerOutlook(yield* Caller)
    })
  })
)

export const answerOutlook = Effect.fnUntraced(function* ({ accountId, keysOf: madeBy }: Whose) {
  const now = Date.now()
  const tomorrow = startOfDay(now) + dayMs
  const shown = {
    accountId,
    madeBy,
    from: new Date(tomorrow - daysShown * dayMs),
    to: new Date(tomorrow)
  }
  const [balance, report, lasts, keys] = yield* query("read outlook", (sql) =>
    Promise.all([
      readBalance(sql, accountId),
      reportUsage(sql, shown, "day"),
      readDaysLeft(sql, accountId),
      readRefusedKeys(sql, accountId, new Date(now - dayMs), madeBy)
    ])
  )
  const wallet = yield* Effect.option(showWallet(accountId))
  return {
    held_vnd: Option.isNone(wallet) ? null : formatVnd(wallet.value.held),
    days_left: lasts === undefined || lasts > 365 ? null : lasts,
    days: report.series.map((day) => Object.assign(renderSum(day), { start: day.startMs })),
    refused: renderRefused(keys, balance ?? 0n)
  }
})

const renderRefused = (keys: ReadonlyArray<RefusedKey>, balance: MicroVnd) =>
  keys.length === 0
    ? null
    : {
        calls: keys.reduce((sum, { calls }) => sum + calls, 0),
        first: Math.min(...keys.map(({ first }) => first.getTime())),
        last: Math.max(...keys.map(({ last }) => last.getTime())),
        keys: keys.map((key) => ({
          key_id: key.keyId,
          key_name: key.keyName,
          calls: key.calls,
          reason: reasonOf(key, balance - key.paidSince)
        }))
      }

/** What there was least of: of a budget in the period in which calls were refused, which may be over. */
const reasonOf = ({ budgetLeft, memberBudgetLeft }: RefusedKey, balance: MicroVnd) => {
  const ofKey = budgetLeft !== undefined && budgetLeft < balance
  if (memberBudgetLeft !== undefined && memberBudgetLeft < (ofKey ? budgetLeft : balance))
    return "member_budget" as const
  return ofKey ? ("budget" as const) : ("balance" as const)
}

const renderPeriod = (sum: UsageSum) => ({
  spent_vnd: formatVnd(sum.cost),
  calls: sum.calls,
  failed_calls: sum.failedCalls,
  tokens: sum.inputTokens + sum.outputTokens
})
