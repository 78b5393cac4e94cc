/** What people did, by whom and to what, as operators look through it. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { auditActions } from "../../domain/audit-actions.ts"
import { forOperator } from "./access.ts"
import { AuditEntry } from "./audit-entry.ts"
import { Day, Next, NumberText, QueryText, separator } from "./fields.ts"
import { problems } from "./problems.ts"

const filters = {
  actor: Schema.optionalKey(
    QueryText.annotate({
      description: "An id, or the mail address of an account, for what its tokens did too"
    })
  ),
  action: Schema.optionalKey(Schema.Literals(auditActions)),
  subject: Schema.optionalKey(
    QueryText.annotate({
      description: "An id, or the mail address of an account, for what was done to its keys and tokens too"
    })
  ),
  from: Schema.optionalKey(Day),
  to: Schema.optionalKey(Day)
}

export type AuditQuery = Schema.Struct.Type<typeof filters>

export const operatorAudit = HttpApiGroup.make("operatorAudit").add(
  HttpApiEndpoint.get("list", "/operator/audit", {
    query: { ...filters, before: Schema.optionalKey(NumberText) },
    success: Schema.Struct({ entries: Schema.Array(AuditEntry), next: Next }),
    error: problems("invalid")
  }).pipe(forOperator("operator:read", "What people did, newest first")),
  HttpApiEndpoint.get("csv", "/operator/audit.csv", {
    query: { ...filters, sep: separator },
    success: HttpApiSchema.StreamUint8Array({ contentType: "text/csv" }),
    error: problems("invalid", "too_many_exports")
  }).pipe(forOperator("operator:read", "What people did, as CSV"))
)
