/** Accounts as an operator sees them: search, credit and refund, disable, a link for a new password. */
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { eraseAccount, setAccountStatus, setStaffRole } from "../../accounts/accounts.ts"
import { makeResetLink } from "../../accounts/reset-link.ts"
import { creditWallet } from "../../accounts/wallet-credit.ts"
import { isErased } from "../../domain/erased-address.ts"
import { formatVnd } from "../../domain/money.ts"
import { readExactVnd } from "../../domain/typed-money.ts"
import type { StaffRole } from "../../domain/staff-roles.ts"
import { wantedText } from "../../domain/typed-text.ts"
import { listAudit } from "../../storage/AuditStore.ts"
import { readBillingDetails } from "../../storage/payments/BillingStore.ts"
import { listStandings } from "../../storage/people/MemberStore.ts"
import {
  type AccountSummary,
  findAccountSummary,
  type LedgerRow,
  listCredits,
  listResetRequests,
  searchAccounts
} from "../../storage/OperatorStore.ts"
import { findPerson } from "../../storage/people/PersonStore.ts"
import { resetSecondFactors } from "../../storage/people/second-factors.ts"
import { recordAction } from "../../storage/record-action.ts"
import { sumUsageSince } from "../../storage/calls/UsageStore.ts"
import type { DashboardContext } from "../DashboardContext.ts"
import { Caller } from "../definition/access.ts"
import { Api } from "../definition/Api.ts"
import { askSecondFactor } from "./ask-password.ts"
import { act, query, refuse, refuseAmount } from "./refuse.ts"
import { startOfMonth } from "../../domain/vietnam-days.ts"
import { ownPartOfAudit, renderAudit } from "./operator-audit.ts"
import { renderDetails } from "./statement.ts"

const accountsPerPage = 50
const creditsShown = 50
const auditShown = 20

export const operatorAccountHandlers = (context: DashboardContext) =>
  HttpApiBuilder.group(Api, "operatorAccounts", (handlers) =>
    handlers.handleAll({
      search: Effect.fnUntraced(function* ({ query: asked }) {
        const search = wantedText(asked.search ?? "")
        const [accounts, waiting] = yield* query("search accounts", (sql) =>
          Promise.all([searchAccounts(sql, search, asked.before, accountsPerPage), listResetRequests(sql)])
        )
        return {
          accounts: accounts.map(renderAccount),
          reset_requests: waiting.map(renderAccount),
          next: accounts.length < accountsPerPage ? null : accounts.at(-1)!.accountId
        }
      }),

      read: viewAccount,

      /** `id` names the credit, so that a form sent twice counts once. */
      credit: Effect.fnUntraced(function* ({ params, payload }) {
        const { actor } = yield* Caller
        yield* askSecondFactor
        const amount = readExactVnd(payload.amount_vnd)
        if (amount === undefined) return yield* refuseAmount("amount_vnd")
        const { accountId } = yield* accountOf(params.id)
        const { id: creditId, reason } = payload
        const wallet = yield* act(creditWallet({ accountId, amount, reason, creditId, actor }))
        return { balance_vnd: formatVnd(wallet.balance), held_vnd: formatVnd(wallet.held) }
      }),

      setStatus: Effect.fnUntraced(function* ({ params, payload }) {
        const caller = yield* Caller
        const { accountId } = yield* accountOf(params.id)
        if (accountId === caller.personId) return yield* refuse("own_account")
        yield* act(setAccountStatus(accountId, payload.status, caller.actor))
        return {}
      }),

      makeResetLink: Effect.fnUntraced(function* ({ params }) {
        const { actor, role } = yield* Caller
        yield* askSecondFactor
        const { accountId, hasPerson, role: theirs } = yield* accountOf(params.id)
        // With it one could sign in as them, and be what they are.
        if (theirs !== undefined && role !== "owner") return yield* refuse("out_of_role")
        if (!hasPerson) return yield* refuse("no_person")
        const link = yield* query("make reset link", (sql) =>
          sql.begin(async (transaction) => {
            await recordAction(transaction, { actor, action: "person.reset_link", subject: accountId })
            return await makeResetLink(transaction, accountId, context.settings.publicUrl)
          })
        )
        return { link }
      }),

      resetSecondFactors: Effect.fnUntraced(function* ({ params }) {
        const { actor } = yield* Caller
        yield* askSecondFactor
        const { accountId, hasPerson } = yield* accountOf(params.id)
        if (!hasPerson) return yield* refuse("no_person")
        yield* query("reset second factors", (sql) => resetSecondFactors(sql, accountId, actor))
        return {}
      }),

      erase: Effect.fnUntraced(function* ({ params }) {
        const { actor } = yield* Caller
        yield* askSecondFactor
        const { accountId } = yield* accountOf(params.id)
        yield* act(eraseAccount(accountId, actor))
        return {}
      }),

      setRole: setRole(context)
    })
  )

/** All of it that the page shows first. */
const viewAccount = Effect.fnUntraced(function* ({ params }: Pick<RoleChange, "params">) {
  const account = yield* accountOf(params.id)
  // By the address its keys, tokens, webhooks and invitations are meant, too.
  const filter = { subject: account.email, ...(yield* ownPartOfAudit) }
  const [billing, standings, credits, month, audit] = yield* query("read account", (sql) =>
    Promise.all([
      readBillingDetails(sql, account.accountId),
      listStandings(sql, account.accountId),
      listCredits(sql, account.accountId, creditsShown + 1),
      sumUsageSince(sql, account.accountId, new Date(startOfMonth(Date.now()))),
      listAudit(sql, filter, { before: undefined, limit: auditShown + 1 })
    ])
  )
  return {
    account: renderAccount(account),
    billing: renderDetails(billing),
    member_of: standings
      .filter(({ accountId }) => accountId !== account.accountId)
      .map(({ accountId, email, role }) => ({ id: accountId, email, role })),
    month: { spent_vnd: formatVnd(month.cost), calls: month.calls },
    credits: credits.slice(0, creditsShown).map(renderCredit),
    has_more_credits: credits.length > creditsShown,
    audit: audit.slice(0, auditShown).map(renderAudit),
    has_more_audit: audit.length > auditShown
  }
})

/** Whoever is given a role has a second factor of their own, and may move money by it. */
const setRole = ({ settings }: DashboardContext) =>
  Effect.fnUntraced(function* ({ params, payload }: RoleChange) {
    const { actor } = yield* Caller
    yield* askSecondFactor
    const { accountId, role: former } = yield* accountOf(params.id)
    // Anybody may have signed up under the address that somebody new is known by.
    if (payload.role !== null && former === undefined && settings.mail !== undefined) {
      const person = yield* query("find person", (sql) => findPerson(sql, accountId))
      if (person?.isEmailVerified !== true) return yield* refuse("address_unverified")
    }
    yield* act(setStaffRole(accountId, payload.role ?? undefined, actor))
    return {}
  })

interface RoleChange {
  readonly params: { readonly id: string }
  readonly payload: { readonly role: StaffRole | null }
}

export const accountOf = Effect.fnUntraced(function* (id: string) {
  const account = yield* query("find account", (sql) => findAccountSummary(sql, id))
  return account ?? (yield* refuse("not_found"))
})

const renderCredit = ({ actor, amount, atMs, id, reason, source }: LedgerRow) => ({
  id,
  at: atMs,
  source,
  amount_vnd: formatVnd(amount),
  reason,
  actor
})

const renderAccount = (account: AccountSummary) => ({
  id: account.accountId,
  email: account.email,
  status: account.status,
  is_closed: account.isClosed,
  is_erased: isErased(account),
  role: account.role ?? null,
  created_at: account.createdAtMs,
  balance_vnd: formatVnd(account.balance),
  active_keys: account.activeKeys,
  has_person: account.hasPerson,
  asked_for_reset: account.askedForReset
})
