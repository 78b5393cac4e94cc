/** Who acts for an account, and invitations to do so. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { budgetPeriods } from "../../domain/key-settings.ts"
import { type MemberRole, memberRoles } from "../../domain/member-roles.ts"
import { forAccount } from "./access.ts"
import { Count, Email, Id, Moment, nothing, PositiveAmount, Spending } from "./fields.ts"
import { problems } from "./problems.ts"

const AnyRole = Schema.Literals(memberRoles)

export const Member = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  email: Schema.String,
  role: AnyRole,
  is_founder: Schema.Boolean.annotate({ description: "The account is theirs, and they stay its owner" }),
  since: Moment,
  active_keys: Count,
  budget: Schema.NullOr(Spending).annotate({
    description: "What all keys that they made may spend together; `null`: no more is set than each key's own"
  })
}).annotate({ identifier: "Member" })

const FormerMember = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  email: Schema.String,
  active_keys: Count,
  budget: Schema.NullOr(Spending)
}).annotate({ identifier: "FormerMember" })

const Invitation = Schema.Struct({
  id: Schema.String,
  email: Schema.String,
  role: AnyRole,
  invited_by: Schema.String,
  created_at: Moment,
  expires_at: Moment
}).annotate({ identifier: "Invitation" })

/** Of whom owners have their say. */
const managers: ReadonlyArray<MemberRole> = ["owner", "admin"]

/** What stands in the link of an invitation. */
const Link = Schema.Struct({ token: Schema.String.check(Schema.isPattern(/^[0-9A-Za-z]{40}$/u)) })

export const team = HttpApiGroup.make("team").add(
  HttpApiEndpoint.get("list", "/members", {
    success: Schema.Struct({
      members: Schema.Array(Member),
      former: Schema.Array(FormerMember).annotate({
        description: "Who are no members any more and made keys that are active"
      }),
      invitations: Schema.Array(Invitation),
      members_max: Count
    })
  }).pipe(forAccount("team:read", "Who may act for the account, and who is invited to")),
  HttpApiEndpoint.post("changeRole", "/members/:id", {
    params: { id: Id },
    payload: Schema.Struct({ role: AnyRole }),
    success: nothing,
    error: problems("not_found", "role_forbids", "founder_stays")
  }).pipe(forAccount(undefined, "Gives a member another role, at once", managers)),
  HttpApiEndpoint.post("setBudget", "/members/:id/budget", {
    params: { id: Id },
    payload: Schema.Struct({
      budget_vnd: Schema.NullOr(PositiveAmount).annotate({ description: "`null`: no budget any more" }),
      budget_period: Schema.optionalKey(Schema.Literals(budgetPeriods))
    }),
    success: nothing,
    error: problems("invalid", "not_found", "role_forbids")
  }).pipe(
    forAccount(
      undefined,
      "Sets what all keys that a member made may spend together; in force everywhere once it is answered",
      managers
    )
  ),
  HttpApiEndpoint.post("remove", "/members/:id/remove", {
    params: { id: Id },
    payload: Schema.Struct({
      revoke_keys: Schema.Boolean.annotate({ description: "Also the keys that the member made" })
    }),
    success: nothing,
    error: problems("not_found", "role_forbids", "founder_stays")
  }).pipe(forAccount(undefined, "Ends a member's access at once, and their tokens with it", managers)),
  HttpApiEndpoint.post("leave", "/memberships/:id/leave", {
    params: { id: Id.annotate({ description: "Of the account" }) },
    success: nothing,
    error: problems("not_found", "role_forbids", "founder_stays")
  }).pipe(forAccount(undefined, "Leaves an account that is another's")),
  HttpApiEndpoint.post("invite", "/invitations", {
    payload: Schema.Struct({ email: Email, role: AnyRole }),
    success: Schema.Struct({
      id: Schema.String,
      link: Schema.NullOr(Schema.String).annotate({
        description:
          "To be handed on where no mail could be sent, or five went to that address within the hour; shown this once"
      })
    }).pipe(HttpApiSchema.status(201)),
    error: problems("invalid", "role_forbids", "already_member", "too_many_members", "too_many_tries")
  }).pipe(forAccount(undefined, "Invites somebody by mail, for seven days", managers)),
  HttpApiEndpoint.post("withdraw", "/invitations/:id/withdraw", {
    params: { id: Id },
    success: nothing,
    error: problems("not_found", "role_forbids")
  }).pipe(forAccount(undefined, "Withdraws an invitation", managers)),
  HttpApiEndpoint.post("look", "/invitations/look", {
    payload: Link,
    success: Schema.Struct({
      account: Schema.String.annotate({ description: "Its mail address" }),
      invited_by: Schema.String,
      role: AnyRole,
      expires_at: Moment
    }),
    error: problems("not_found", "invitation_not_yours", "too_many_tries")
  }).pipe(forAccount(undefined, "What the link of an invitation is for")),
  HttpApiEndpoint.post("accept", "/invitations/accept", {
    payload: Link,
    success: Schema.Struct({ account_id: Schema.String }),
    error: problems("not_found", "invitation_not_yours", "already_member", "too_many_tries")
  }).pipe(forAccount(undefined, "Accepts an invitation that was sent to one's own address"))
)
