/** A line of the audit log. */
import { Schema } from "effect"
import { Moment } from "./fields.ts"

export const AuditEntry = Schema.Struct({
  id: Schema.String,
  at: Moment,
  actor: Schema.String,
  action: Schema.String,
  subject: Schema.String.annotate({ description: "Its name, as far as it has one" }),
  subject_id: Schema.String,
  subject_account: Schema.NullOr(Schema.String).annotate({
    description: "The id of the account that it is, or that it is a key of"
  }),
  account: Schema.NullOr(Schema.String).annotate({
    description: "The mail address of the account that `detail` names"
  }),
  detail: Schema.Record(
    Schema.String,
    Schema.Union([Schema.String, Schema.Finite, Schema.Boolean, Schema.Null])
  )
}).annotate({ identifier: "AuditEntry" })
