/** What the alert commands do; apart from them, since it loads much that `--help` does not need. */
import { Effect } from "effect"
import { AccountNotFound, findAccount } from "../accounts/accounts.ts"
import { type AskedAlerts, setAlerts } from "../alerts/set-alerts.ts"
import type { AccountId } from "../domain/ids.ts"
import { readAlertSettings } from "../storage/alerts/AlertSettingsStore.ts"
import { Database } from "../storage/Database.ts"
import { listDeliveries } from "../storage/alerts/DeliveryStore.ts"
import { listWebhooks } from "../storage/alerts/WebhookStore.ts"
import { withDatabase } from "./with-database.ts"

const readReport = Effect.fnUntraced(function* (accountId: AccountId) {
  const database = yield* Database
  const settings = yield* database.run("read alert settings", (sql) => readAlertSettings(sql, accountId))
  if (settings === undefined) return yield* new AccountNotFound({ account: accountId })
  const webhooks = yield* database.run("list webhooks", (sql) => listWebhooks(sql, accountId))
  return { settings, webhooks }
})

export type AlertReport = Effect.Success<ReturnType<typeof readReport>>

export const showAlerts = Effect.fnUntraced(function* (account: string) {
  const { accountId } = yield* findAccount(account)
  return yield* readReport(accountId)
}, withDatabase)

/** What is not among the changes stays as it is. */
export const changeAlerts = Effect.fnUntraced(function* (
  account: string,
  changes: AskedAlerts,
  actor: string
) {
  const { accountId } = yield* findAccount(account)
  yield* setAlerts(accountId, changes, { actor })
  return yield* readReport(accountId)
}, withDatabase)

export const findDeliveries = Effect.fnUntraced(function* (account: string, limit: number) {
  const { accountId } = yield* findAccount(account)
  const database = yield* Database
  const { rows } = yield* database.run("list deliveries", (sql) =>
    listDeliveries(sql, accountId, { after: undefined, limit: Math.min(Math.max(limit, 1), 1_000) })
  )
  return rows
}, withDatabase)
