/** What an account wants to be told of by mail, and from when on. */
import { Effect } from "effect"
import { AccountNotFound } from "../accounts/accounts.ts"
import { BadText, checkEmail } from "../accounts/check-text.ts"
import { amountVndMax, daysLeftMax } from "../domain/field-limits.ts"
import type { AccountId } from "../domain/ids.ts"
import { fromVnd } from "../domain/money.ts"
import {
  type AlertChange,
  type AlertSettings,
  writeAlertSettings
} from "../storage/alerts/AlertSettingsStore.ts"
import { Database } from "../storage/Database.ts"
import type { Asker } from "../storage/still-asks.ts"
import { checkKinds } from "./webhooks.ts"

const balanceMax = fromVnd(BigInt(amountVndMax))

/** What is set anew. */
export interface AskedAlerts extends Partial<Omit<AlertSettings, "mailKinds">> {
  readonly mailKinds?: ReadonlyArray<string>
}

/** What is not given stays as it is. */
export const setAlerts = Effect.fn("setAlerts")(function* (
  accountId: AccountId,
  asked: AskedAlerts,
  asker: Asker
) {
  const checked = checkAlerts(asked)
  if (checked instanceof BadText) return yield* checked
  const database = yield* Database
  const settings = yield* database.run("write alert settings", (sql) =>
    writeAlertSettings(sql, accountId, checked, asker)
  )
  return settings ?? (yield* new AccountNotFound({ account: accountId }))
})

const checkAlerts = ({ email: typed, mailKinds: named, ...others }: AskedAlerts): AlertChange | BadText => {
  const { balanceBelow, daysLeft } = others
  const mailKinds = named && checkKinds(named)
  if (mailKinds instanceof BadText) return mailKinds
  const email = typed?.trim() ? checkEmail(typed) : typed?.trim()
  if (email instanceof BadText) return email
  if (balanceBelow !== undefined && (balanceBelow <= 0n || balanceBelow > balanceMax))
    return new BadText({ what: "balance", reason: `must be above 0 and at most ${amountVndMax} VND` })
  if (daysLeft !== undefined && !(Number.isSafeInteger(daysLeft) && daysLeft >= 1 && daysLeft <= daysLeftMax))
    return new BadText({ what: "number of days", reason: `must be from 1 to ${daysLeftMax}` })
  return { ...others, ...(mailKinds !== undefined && { mailKinds }), ...(email !== undefined && { email }) }
}
