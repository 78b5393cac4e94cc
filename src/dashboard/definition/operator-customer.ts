/** A customer as an operator helps them: what they used, their statement, their keys, their members, what was noted about them. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { noteLengthMax } from "../../domain/field-limits.ts"
import { forOperator } from "./access.ts"
import { Id, Line, Moment, Next, nothing, NumberText } from "./fields.ts"
import { Key } from "./keys.ts"
import { Outlook } from "./overview.ts"
import { problems } from "./problems.ts"
import { StatementPage, statementQuery } from "./statement.ts"
import { Member } from "./team.ts"
import { CallPage, callsQuery, reportQuery, UsageReport } from "./usage.ts"

const params = { id: Id }
const keyParams = { id: Id, key: Id }

const Note = Schema.Struct({
  id: Schema.String,
  at: Moment,
  author: Schema.String,
  text: Schema.String
}).annotate({ identifier: "Note" })

export const operatorCustomer = HttpApiGroup.make("operatorCustomer").add(
  HttpApiEndpoint.get("usage", "/operator/accounts/:id/usage", {
    params,
    query: reportQuery,
    success: UsageReport,
    error: problems("invalid", "period_too_long", "not_found")
  }).pipe(forOperator("operator:read", "A customer's sums by hour or day, by key and by model")),
  HttpApiEndpoint.get("calls", "/operator/accounts/:id/calls", {
    params,
    query: callsQuery,
    success: CallPage,
    error: problems("invalid", "not_found")
  }).pipe(forOperator("operator:read", "A customer's calls, newest first")),
  HttpApiEndpoint.get("outlook", "/operator/accounts/:id/outlook", {
    params,
    success: Outlook,
    error: problems("not_found")
  }).pipe(
    forOperator(
      "operator:read",
      "What a customer's calls hold, how long the balance lasts, and why calls were refused"
    )
  ),
  HttpApiEndpoint.get("statement", "/operator/accounts/:id/statement", {
    params,
    query: statementQuery,
    success: StatementPage,
    error: problems("invalid", "not_found")
  }).pipe(forOperator("operator:read", "Every movement of a customer's wallet")),
  HttpApiEndpoint.get("keys", "/operator/accounts/:id/keys", {
    params,
    success: Schema.Struct({ keys: Schema.Array(Key) }),
    error: problems("not_found")
  }).pipe(forOperator("operator:read", "A customer's keys, newest first")),
  HttpApiEndpoint.post("revokeKey", "/operator/accounts/:id/keys/:key/revoke", {
    params: keyParams,
    success: nothing,
    error: problems("not_found")
  }).pipe(
    forOperator(
      "operator:write",
      "Revokes a customer's key for good; no node admits a call of it once it is answered",
      "help"
    )
  ),
  HttpApiEndpoint.post("pauseKey", "/operator/accounts/:id/keys/:key/pause", {
    params: keyParams,
    payload: Schema.Struct({ paused: Schema.Boolean }),
    success: nothing,
    error: problems("invalid", "not_found", "key_revoked")
  }).pipe(
    forOperator("operator:write", "Pauses a customer's key, or lets it go on; in force once answered", "help")
  ),
  HttpApiEndpoint.get("members", "/operator/accounts/:id/members", {
    params,
    success: Schema.Struct({ members: Schema.Array(Member) }),
    error: problems("not_found")
  }).pipe(forOperator("operator:read", "Who may act for a customer's account, its founder first")),
  HttpApiEndpoint.get("notes", "/operator/accounts/:id/notes", {
    params,
    query: { before: Schema.optionalKey(NumberText) },
    success: Schema.Struct({ notes: Schema.Array(Note), next: Next }),
    error: problems("not_found")
  }).pipe(forOperator("operator:read", "What operators noted about a customer, newest first")),
  HttpApiEndpoint.post("note", "/operator/accounts/:id/notes", {
    params,
    payload: Schema.Struct({
      text: Line(noteLengthMax).annotate({ description: "May have several lines; can not be changed later" })
    }),
    success: nothing,
    error: problems("invalid", "not_found")
  }).pipe(forOperator("operator:write", "Notes something about a customer, who is never shown it", "help"))
)
