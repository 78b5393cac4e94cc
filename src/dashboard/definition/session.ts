/** Who is signed in, where else they are, and ending those sessions. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { memberRoles } from "../../domain/member-roles.ts"
import { staffRoles } from "../../domain/staff-roles.ts"
import { oauthProviders } from "../../domain/oauth-providers.ts"
import { forAccount, forAnyone } from "./access.ts"
import { Id, Moment, nothing } from "./fields.ts"
import { problems } from "./problems.ts"
import { MaintenanceNotice } from "./status.ts"

const Acting = Schema.Struct({
  account_id: Schema.String,
  role: Schema.Literals(memberRoles),
  name: Schema.String,
  email: Schema.String,
  is_active: Schema.Boolean.annotate({ description: "Of one that is not, nothing is answered" })
}).annotate({ identifier: "ActingFor" })

const SessionState = Schema.Struct({
  person: Schema.optionalKey(
    Schema.Struct({
      name: Schema.String,
      email: Schema.String,
      email_verified: Schema.Boolean,
      account_id: Schema.String,
      role: Schema.NullOr(Schema.Literals(staffRoles)).annotate({ description: "In the staff" }),
      is_active: Schema.Boolean,
      has_password: Schema.Boolean,
      has_totp: Schema.Boolean,
      has_passkey: Schema.Boolean,
      has_second_factor: Schema.Boolean,
      awaits_confirmation: Schema.Boolean.annotate({
        description: "Signed in by one factor of two: nothing is answered until the other was shown"
      }),
      lacks_second_factor: Schema.Boolean.annotate({
        description: "An operator who must set up a second factor first"
      }),
      acting: Acting.annotateKey({ description: "For which account, and as what" }),
      accounts: Schema.Array(Acting).annotate({
        description: "For which they may, their own first, and the one that they act for"
      })
    })
  ),
  maintenance: Schema.optionalKey(MaintenanceNotice).annotateKey({ description: "For whoever is signed in" }),
  base_url: Schema.String,
  development: Schema.Boolean,
  simulates_bank: Schema.Boolean,
  sends_mail: Schema.Boolean,
  passkey_host: Schema.NullOr(Schema.String).annotate({ description: "The one host that has passkeys" }),
  sign_in_with: Schema.Array(Schema.Literals(oauthProviders))
}).annotate({ identifier: "SessionState" })

export type SessionState = typeof SessionState.Type

const SessionEntry = Schema.Struct({
  id: Schema.String,
  created_at: Moment,
  last_seen_at: Moment,
  address: Schema.String,
  user_agent: Schema.String,
  is_current: Schema.Boolean
}).annotate({ identifier: "SessionEntry" })

export const session = HttpApiGroup.make("session").add(
  HttpApiEndpoint.get("read", "/session", { success: SessionState }).pipe(
    forAnyone("Who is signed in, and what a page must know before anyone is")
  ),
  HttpApiEndpoint.get("list", "/sessions", {
    success: Schema.Struct({ sessions: Schema.Array(SessionEntry) })
  }).pipe(forAccount(undefined, "Where one is signed in")),
  HttpApiEndpoint.post("endOthers", "/sessions/end-others", { success: nothing }).pipe(
    forAccount(undefined, "Ends all sessions but the one that asks")
  ),
  HttpApiEndpoint.post("end", "/sessions/:id/end", {
    params: { id: Id },
    success: nothing,
    error: problems("not_found")
  }).pipe(forAccount(undefined, "Ends a session"))
)
