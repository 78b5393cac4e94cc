/** The first page: what is left, what was spent, what went wrong lately. */
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { readCallPage } from "../../storage/CallStore.ts"
import { sumUsageSince, type UsageSum } from "../../storage/UsageStore.ts"
import { readProgress } from "../../storage/PersonStore.ts"
import { readBalance } from "../../storage/WalletStore.ts"
import { formatVnd } from "../../domain/money.ts"
import { Caller } from "../definition/access.ts"
import { Api } from "../definition/Api.ts"
import { startOfDay, startOfMonth } from "../../domain/vietnam-days.ts"
import { query } from "./refuse.ts"
import { renderCall } from "./usage.ts"

const dayMs = 86_400_000

export const overviewHandlers = HttpApiBuilder.group(Api, "overview", (handlers) =>
  handlers.handleAll({
    read: Effect.fnUntraced(function* () {
      const now = Date.now()
      const { accountId } = yield* Caller
      const failed = {
        accountId,
        outcome: "failed",
        from: new Date(now - 7 * dayMs),
        to: new Date(now + dayMs)
      } as const
      const latest = { order: "newest first", after: undefined, limit: 5 } as const
      const [balance, today, month, errors, progress] = yield* query("read overview", (sql) =>
        Promise.all([
          readBalance(sql, accountId),
          sumUsageSince(sql, accountId, new Date(startOfDay(now))),
          sumUsageSince(sql, accountId, new Date(startOfMonth(now))),
          readCallPage(sql, failed, latest),
          readProgress(sql, accountId)
        ])
      )
      return {
        balance_vnd: formatVnd(balance ?? 0n),
        today: renderSum(today),
        month: renderSum(month),
        errors: errors.calls.map(renderCall),
        active_keys: progress.activeKeys,
        has_calls: progress.hasCalls
      }
    })
  })
)

const renderSum = (sum: UsageSum) => ({
  spent_vnd: formatVnd(sum.cost),
  calls: sum.calls,
  failed_calls: sum.failedCalls,
  tokens: sum.inputTokens + sum.outputTokens
})
