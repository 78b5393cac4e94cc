/** Who acts for an account, and invitations to do so. */
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { invitationUrl, sendInvitationMail } from "../../accounts/invitation-mail.ts"
import {
  acceptInvitation,
  type Acting,
  changeRole,
  findInvitation,
  type Invited,
  invite,
  removeMember,
  withdrawInvitation
} from "../../accounts/team.ts"
import { checkOwnEmail } from "../../accounts/check-text.ts"
import { setMemberBudget } from "../../accounts/member-budgets.ts"
import { listInvitations, type Invitation } from "../../storage/people/InvitationStore.ts"
import { findStanding, listMembers, type Member, membersMax } from "../../storage/people/MemberStore.ts"
import {
  type FormerMember,
  listFormerMembers,
  type MemberBudget,
  readMemberBudgets
} from "../../storage/keys/MemberBudgetStore.ts"
import { findPerson } from "../../storage/people/PersonStore.ts"
import { hourMs } from "../../domain/vietnam-days.ts"
import { describeFault } from "../../telemetry/describe-fault.ts"
import type { DashboardContext } from "../DashboardContext.ts"
import { Caller } from "../definition/access.ts"
import { Api } from "../definition/Api.ts"
import { readBudget, renderSpending } from "./budgets.ts"
import { act, query, refuse, refuseText, refuseWait } from "./refuse.ts"

const invitationsPerHour = 20
/** To one address, from whatever accounts: whose it is may be a stranger who wants none. */
const mailsToOnePerHour = 5
const triesPerHour = 60

export const teamHandlers = (context: DashboardContext) =>
  HttpApiBuilder.group(Api, "team", (handlers) =>
    handlers.handleAll({
      list: Effect.fnUntraced(function* () {
        const { accountId } = yield* Caller
        const [members, former, budgets, invitations] = yield* query("list members", (sql) =>
          Promise.all([
            listMembers(sql, accountId),
            listFormerMembers(sql, accountId),
            readMemberBudgets(sql, accountId),
            listInvitations(sql, accountId)
          ])
        )
        return {
          members: members.map((member) => renderMember(member, budgets)),
          former: former.map((left) => renderFormer(left, budgets)),
          invitations: invitations.map(renderInvitation),
          members_max: membersMax
        }
      }),

      changeRole: Effect.fnUntraced(function* ({ params, payload }) {
        yield* act(changeRole(yield* acting, params.id, payload.role))
        return {}
      }),

      setBudget: Effect.fnUntraced(function* ({ params, payload }) {
        const budget = yield* readBudget(payload.budget_vnd, payload.budget_period)
        yield* act(setMemberBudget(yield* acting, params.id, budget))
        return {}
      }),

      remove: Effect.fnUntraced(function* ({ params, payload }) {
        const own = yield* acting
        // Whoever goes by themself leaves.
        if (params.id === own.by) return yield* refuse("role_forbids")
        yield* act(removeMember(own, params.id, payload.revoke_keys))
        return {}
      }),

      leave: Effect.fnUntraced(function* ({ params }) {
        const { actor, personId } = yield* Caller
        const standing = yield* query("find standing", (sql) => findStanding(sql, personId, params.id))
        if (standing === undefined) return yield* refuse("not_found")
        const { accountId } = standing
        yield* act(removeMember({ accountId, by: personId, actor }, personId, false))
        return {}
      }),

      invite: Effect.fnUntraced(function* ({ payload }) {
        const own = yield* acting
        // With an account elsewhere one may have an address of any form.
        const email = context.settings.oauth.length === 0 ? checkOwnEmail(payload.email) : payload.email
        if (typeof email !== "string") return yield* refuseText(email)
        yield* take(context, "invitation", own.accountId, invitationsPerHour)
        const invited = yield* act(invite(own, payload))
        return { id: invited.id, link: yield* sendOrShow(context, own, invited) }
      }),

      withdraw: Effect.fnUntraced(function* ({ params }) {
        yield* act(withdrawInvitation(yield* acting, params.id))
        return {}
      }),

      look: Effect.fnUntraced(function* ({ payload }) {
        const { email } = yield* invitee(context)
        const found = yield* act(findInvitation(payload.token, email))
        return {
          account: found.accountEmail,
          invited_by: found.invitedBy,
          role: found.role,
          expires_at: found.expiresAt.getTime()
        }
      }),

      accept: Effect.fnUntraced(function* ({ payload }) {
        return { account_id: yield* act(acceptInvitation(payload.token, yield* invitee(context))) }
      })
    })
  )

const acting = Effect.gen(function* () {
  const { accountId, actor, personId, sessionId } = yield* Caller
  return { accountId, actor, by: personId, sessionId } satisfies Acting
})

const take = (context: DashboardContext, action: string, subject: string, limit: number) =>
  refuseWait(context.limits.take(action, subject, limit, hourMs, Date.now()))

/** Whose address an invitation must name. */
const invitee = Effect.fnUntraced(function* (context: DashboardContext) {
  const { personId } = yield* Caller
  yield* take(context, "invitation try", personId, triesPerHour)
  const person = yield* query("find person", (sql) => findPerson(sql, personId))
  return person === undefined ? yield* refuse("not_found") : { personId, email: person.email }
})

/** `null` once it is on its way; the link where no mail server is set, it does not take the mail, or the address has had its share. */
const sendOrShow = Effect.fnUntraced(function* (
  { limits, settings, warn }: DashboardContext,
  { accountId }: Acting,
  { email, token }: Invited
) {
  const link = invitationUrl(settings.publicUrl, token)
  const { mail, proxies } = settings
  if (mail === undefined) return link
  if (limits.take("invitation to", email, mailsToOnePerHour, hourMs, Date.now()) > 0) return link
  const account = yield* query("find account", (sql) => findStanding(sql, accountId, accountId))
  const sending = sendInvitationMail({ ...mail, proxies }, email, { account: account?.email ?? "", link })
  const isSent = yield* Effect.promise(() =>
    sending.then(
      () => true,
      (cause: unknown) => {
        warn(`Could not send an invitation by mail: ${describeFault(cause)}`)
        return false
      }
    )
  )
  return isSent ? null : link
})

export const renderMember = (member: Member, budgets: ReadonlyArray<MemberBudget>) => ({
  id: member.personId,
  name: member.name,
  email: member.email,
  role: member.role,
  is_founder: member.isFounder,
  since: member.since.getTime(),
  active_keys: member.activeKeys,
  budget: renderBudgetOf(member.personId, budgets)
})

const renderFormer = (former: FormerMember, budgets: ReadonlyArray<MemberBudget>) => ({
  id: former.personId,
  name: former.name,
  email: former.email,
  active_keys: former.activeKeys,
  budget: renderBudgetOf(former.personId, budgets)
})

const renderBudgetOf = (personId: string, budgets: ReadonlyArray<MemberBudget>) => {
  const budget = budgets.find((each) => each.personId === personId)
  return budget === undefined ? null : renderSpending(budget)
}

const renderInvitation = (invitation: Invitation) => ({
  id: invitation.id,
  email: invitation.email,
  role: invitation.role,
  invited_by: invitation.invitedBy,
  created_at: invitation.createdAt.getTime(),
  expires_at: invitation.expiresAt.getTime()
})
