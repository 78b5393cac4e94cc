/** A line of the audit log. */
import { Schema } from "effect"
import { Moment } from "./fields.ts"

export const AuditEntry = Schema.Struct({
  id: Schema.String,
  at: Moment,
  actor: Schema.String,
  action: Schema.String,
  subject: Schema.String,
  detail: Schema.Record(
    Schema.String,
    Schema.Union([Schema.String, Schema.Finite, Schema.Boolean, Schema.Null])
  )
}).annotate({ identifier: "AuditEntry" })
