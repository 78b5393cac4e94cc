/** An account's own API keys. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { endpointNames } from "../../domain/call.ts"
import {
  latestMs,
  listedMax,
  nameLengthMax,
  overlapDaysMax,
  rateLimitMax
} from "../../domain/field-limits.ts"
import { budgetPeriods, listedModelForm } from "../../domain/key-settings.ts"
import { rolesOfScope } from "../../domain/member-roles.ts"
import { forAccount } from "./access.ts"
import { Count, Id, Line, Moment, nothing, PositiveAmount, Spending, told, Vnd, Whole } from "./fields.ts"
import { problems } from "./problems.ts"

const listed = Schema.NullOr(Schema.Array(Schema.String))

export const Key = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  hint: Schema.String.annotate({ description: "Enough of the secret to recognise it" }),
  status: Schema.Literals(["active", "revoked"]),
  made_by: Schema.NullOr(Schema.Struct({ id: Schema.String, email: Schema.String })).annotate({
    description: "The person who made it; `null` where that is not known"
  }),
  rate_limit_per_minute: Count.annotate({ description: "Calls; 0: without limit" }),
  created_at: Moment,
  last_used_at: Schema.NullOr(Moment),
  spent_vnd: Vnd,
  budget_vnd: Schema.NullOr(Vnd),
  budget_period: Schema.NullOr(Schema.Literals(budgetPeriods)),
  budget_spent_vnd: Schema.NullOr(Vnd),
  resets_at: Schema.NullOr(Moment),
  models: listed,
  endpoints: listed,
  allowed_ips: listed,
  expires_at: Schema.NullOr(Moment),
  paused: Schema.Boolean,
  former_secret_until: Schema.NullOr(Moment)
}).annotate({ identifier: "Key" })

const list = <Item extends Schema.Schema<string>>(item: Item) =>
  Schema.optionalKey(Schema.NullOr(Schema.Array(item).check(told({ minItems: 1, maxItems: listedMax }))))

/** What may be set on a key: what is not there stays as it is, `null` takes back what was set. */
const settable = {
  rate_limit_per_minute: Schema.optionalKey(
    Schema.NullOr(Whole(0, rateLimitMax)).annotate({ description: "Calls; 0: without limit" })
  ),
  budget_vnd: Schema.optionalKey(Schema.NullOr(PositiveAmount)),
  budget_period: Schema.optionalKey(
    Schema.Literals(budgetPeriods).annotate({ description: "Of a budget that there is, or comes along" })
  ),
  models: list(
    Schema.String.check(told({ minLength: 1, pattern: listedModelForm.source })).annotate({
      description: "An id, or how ids begin and a star"
    })
  ),
  endpoints: list(Schema.Literals(endpointNames)),
  allowed_ips: list(
    Schema.String.annotate({
      description: "An address or a range",
      examples: ["203.0.113.0/24", "2001:db8::/32"]
    })
  ),
  expires_at: Schema.optionalKey(
    Schema.NullOr(Whole(1, latestMs)).annotate({ description: "Milliseconds since 1970" })
  ),
  paused: Schema.optionalKey(Schema.Boolean)
}

const KeyChange = Schema.Struct({
  name: Schema.optionalKey(Line(nameLengthMax)),
  ...settable
}).annotate({ identifier: "KeyChange" })
export type KeyChange = typeof KeyChange.Type

const WithSecret = Schema.Struct({ id: Schema.String, name: Schema.String, key: Schema.String }).annotate({
  identifier: "KeyWithSecret"
})

export const keys = HttpApiGroup.make("keys").add(
  HttpApiEndpoint.get("list", "/keys", {
    success: Schema.Struct({
      keys: Schema.Array(Key),
      own_budget: Schema.NullOr(Spending).annotate({
        description: "What all keys that one made oneself may spend together; `null`: nothing is set"
      }),
      active: Count.annotate({ description: "Of all members" }),
      active_max: Count
    })
  }).pipe(
    forAccount("keys:read", "The active keys and those revoked last, newest first; to members their own")
  ),
  HttpApiEndpoint.post("create", "/keys", {
    payload: Schema.Struct({ name: Line(nameLengthMax), ...settable }),
    success: WithSecret.pipe(HttpApiSchema.status(201)),
    error: problems("invalid", "account_disabled", "too_many_keys", "not_found")
  }).pipe(forAccount("keys:write", "Creates a key and answers with its secret")),
  HttpApiEndpoint.post("reveal", "/keys/:id/reveal", {
    params: { id: Id },
    payload: Schema.Struct({ password: Schema.optionalKey(Schema.String) }),
    success: Schema.Struct({ key: Schema.String }),
    error: problems("invalid", "not_found", "wrong_password", "key_not_showable", "too_many_tries")
  }).pipe(forAccount(undefined, "Shows a key's secret again", rolesOfScope("keys:write"))),
  HttpApiEndpoint.post("update", "/keys/:id", {
    params: { id: Id },
    payload: KeyChange,
    success: nothing,
    error: problems("invalid", "not_found", "key_revoked")
  }).pipe(forAccount("keys:write", "Changes what is set on a key; in force everywhere once it is answered")),
  HttpApiEndpoint.post("rotate", "/keys/:id/rotate", {
    params: { id: Id },
    payload: Schema.Struct({
      password: Schema.optionalKey(
        Schema.String.annotate({ description: "Asked of people afresh; tokens have none to give" })
      ),
      overlap_days: Whole(0, overlapDaysMax).annotate({
        description: "How long the present secret lives on; one that was replaced before ends at once"
      }),
      former_hint: Schema.optionalKey(
        Schema.String.annotate({
          description: "The `hint` of the secret to replace: refused where it is not the present one any more"
        })
      )
    }),
    success: WithSecret,
    error: problems(
      "invalid",
      "not_found",
      "wrong_password",
      "key_revoked",
      "secret_replaced",
      "too_many_tries"
    )
  }).pipe(forAccount("keys:write", "Gives a key a new secret; the old one lives on for the days asked for")),
  HttpApiEndpoint.post("revoke", "/keys/:id/revoke", {
    params: { id: Id },
    success: nothing,
    error: problems("not_found")
  }).pipe(forAccount("keys:write", "Revokes a key for good; no node admits a call of it once it is answered"))
)
