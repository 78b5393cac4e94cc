/** The account's own audit log. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { activityKinds } from "../../domain/account-activities.ts"
import { forAccount } from "./access.ts"
import { AuditEntry } from "./audit-entry.ts"
import { Id, Moment, Next, NumberText } from "./fields.ts"

const Activity = Schema.Struct({
  id: Schema.String,
  at: Moment,
  actor: Schema.NullOr(Schema.String).annotate({
    description: "A person, with the name of the token that acted for them; `null`: an operator"
  }),
  action: Schema.String,
  subject: Schema.String,
  detail: AuditEntry.fields.detail
}).annotate({ identifier: "Activity" })

export const activity = HttpApiGroup.make("activity").add(
  HttpApiEndpoint.get("list", "/activity", {
    query: {
      before: Schema.optionalKey(NumberText),
      person: Schema.optionalKey(Id),
      kind: Schema.optionalKey(Schema.Literals(activityKinds))
    },
    success: Schema.Struct({
      entries: Schema.Array(Activity),
      next: Next,
      people: Schema.Array(Schema.Struct({ id: Schema.String, email: Schema.String })).annotate({
        description: "Who acts or acted for the account"
      })
    })
  }).pipe(forAccount("team:read", "What was done in the account, and by whom, newest first"))
)
