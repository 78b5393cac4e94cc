/** Accounts as an operator sees them: search, credit and refund, disable, a link for a new password. */
import { Schema } from "effect"
import { setAccountStatus } from "../../accounts/accounts.ts"
import { creditWallet } from "../../accounts/wallet-credit.ts"
import { formatVnd, parseVnd } from "../../domain/money.ts"
import { listKeys } from "../../storage/KeyStore.ts"
import { listAudit, listCredits } from "../../storage/OperatorStore.ts"
import {
  type AccountSummary,
  findAccountSummary,
  listResetRequests,
  searchAccounts
} from "../../storage/PersonStore.ts"
import { recordAction } from "../../storage/record-action.ts"
import { sumUsageSince } from "../../storage/UsageStore.ts"
import type { DashboardContext } from "../DashboardContext.ts"
import { ApiProblem } from "../ApiProblem.ts"
import { type Ask, bodyOf, forOperator, json, textOf } from "../route.ts"
import { startOfMonth } from "../../domain/vietnam-days.ts"
import { renderAudit } from "./operator-service.ts"

const accountsPerPage = 50

const credit = bodyOf(Schema.Struct({ amount_vnd: Schema.String, reason: Schema.String, id: Schema.String }))
const status = bodyOf(Schema.Struct({ status: Schema.Literals(["active", "disabled"]) }))

export const operatorAccountRoutes = [
  forOperator("GET", "/operator/accounts", async (ask, context) => {
    const search = textOf(ask, "search")?.trim() ?? ""
    const before = textOf(ask, "before")
    const [accounts, waiting] = await context.query("search accounts", (sql) =>
      Promise.all([searchAccounts(sql, search, before, accountsPerPage), listResetRequests(sql)])
    )
    return json({
      accounts: accounts.map(renderAccount),
      reset_requests: waiting.map(renderAccount),
      next: accounts.length < accountsPerPage ? null : accounts.at(-1)!.accountId
    })
  }),

  forOperator("GET", "/operator/accounts/:id", async (ask, context) => {
    const account = await accountOf(ask, context)
    const [keys, credits, month, audit] = await context.query("read account", (sql) =>
      Promise.all([
        listKeys(sql, account.accountId),
        listCredits(sql, account.accountId, 50),
        sumUsageSince(sql, account.accountId, new Date(startOfMonth(Date.now()))),
        listAudit(sql, { before: undefined, subject: account.accountId, limit: 20 })
      ])
    )
    return json({
      account: renderAccount(account),
      month: { spent_vnd: formatVnd(month.cost), calls: month.calls },
      keys: keys.map((key) => ({
        id: key.keyId,
        name: key.name,
        hint: key.hint,
        status: key.status,
        last_used_at: key.lastUsedAt?.getTime() ?? null,
        spent_vnd: formatVnd(key.spent)
      })),
      credits: credits.map(({ amount, atMs, ...row }) =>
        Object.assign(row, { at: atMs, amount_vnd: formatVnd(amount) })
      ),
      audit: audit.map(renderAudit)
    })
  }),

  /** `id` names the credit, so that a form sent twice counts once. */
  forOperator("POST", "/operator/accounts/:id/credit", async (ask, context, operator) => {
    const { amount_vnd: text, id: creditId, reason } = credit(ask)
    const amount = parseVnd(text)
    if (amount === undefined || creditId.length < 16 || creditId.length > 64)
      throw new ApiProblem(400, "invalid")
    const { accountId } = await accountOf(ask, context)
    const wallet = await context.run(
      creditWallet({ accountId, amount, reason, creditId, actor: operator.accountId })
    )
    return json({ balance_vnd: formatVnd(wallet.balance), held_vnd: formatVnd(wallet.held) })
  }),

  forOperator("POST", "/operator/accounts/:id/status", async (ask, context, operator) => {
    const { status: next } = status(ask)
    const { accountId } = await accountOf(ask, context)
    if (accountId === operator.accountId) throw new ApiProblem(409, "own_account")
    await context.run(setAccountStatus(accountId, next, operator.accountId))
    return json({})
  }),

  forOperator("POST", "/operator/accounts/:id/reset-link", async (ask, context, operator) => {
    const account = await accountOf(ask, context)
    if (!account.hasPerson) throw new ApiProblem(409, "no_person")
    await context.query("record reset link", (sql) =>
      sql.begin((transaction) =>
        recordAction(transaction, {
          actor: operator.accountId,
          action: "person.reset_link",
          subject: account.accountId
        })
      )
    )
    return json({ link: await context.people.makeResetLink(account.accountId) })
  })
]

const accountOf = async (ask: Ask, context: DashboardContext): Promise<AccountSummary> => {
  const account = await context.query("find account", (sql) => findAccountSummary(sql, ask.parameters["id"]!))
  if (account === undefined) throw new ApiProblem(404, "not_found")
  return account
}

const renderAccount = (account: AccountSummary) => ({
  id: account.accountId,
  email: account.email,
  status: account.status,
  is_operator: account.isOperator,
  created_at: account.createdAtMs,
  balance_vnd: formatVnd(account.balance),
  active_keys: account.activeKeys,
  has_person: account.hasPerson,
  asked_for_reset: account.askedForReset
})
