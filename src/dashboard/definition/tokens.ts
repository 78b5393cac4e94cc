/** Management tokens of one's own: made, seen and revoked by people alone. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { latestMs, nameLengthMax } from "../../domain/field-limits.ts"
import { managementScopes } from "../../domain/management-scopes.ts"
import { memberRoles } from "../../domain/member-roles.ts"
import { forAccount } from "./access.ts"
import { Id, Line, Moment, nothing, told, Whole } from "./fields.ts"
import { problems } from "./problems.ts"

const Scopes = Schema.Array(Schema.Literals(managementScopes))

const Token = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  hint: Schema.String.annotate({ description: "Enough of the secret to recognise it" }),
  scopes: Scopes,
  status: Schema.Literals(["active", "expired", "revoked"]),
  created_at: Moment,
  expires_at: Moment,
  last_used_at: Schema.NullOr(Moment).annotate({ description: "To the minute" })
}).annotate({ identifier: "Token" })

export const tokens = HttpApiGroup.make("tokens").add(
  HttpApiEndpoint.get("list", "/tokens", {
    success: Schema.Struct({ tokens: Schema.Array(Token) })
  }).pipe(
    forAccount(
      undefined,
      "The account's management tokens, newest first; to members and billing their own",
      memberRoles
    )
  ),
  HttpApiEndpoint.post("create", "/tokens", {
    payload: Schema.Struct({
      name: Line(nameLengthMax),
      scopes: Scopes.check(told({ minItems: 1 })),
      expires_at: Whole(1, latestMs).annotate({
        description: "Milliseconds since 1970, at most a year from now"
      }),
      password: Schema.optionalKey(Schema.String)
    }),
    success: Schema.Struct({ id: Schema.String, name: Schema.String, token: Schema.String }).pipe(
      HttpApiSchema.status(201)
    ),
    error: problems(
      "invalid",
      "wrong_password",
      "second_factor_needed",
      "account_disabled",
      "not_found",
      "too_many_tokens",
      "too_many_tries"
    )
  }).pipe(
    forAccount(
      undefined,
      "Makes a token and answers with its secret, which is never shown again",
      memberRoles
    )
  ),
  HttpApiEndpoint.post("revoke", "/tokens/:id/revoke", {
    params: { id: Id },
    success: nothing,
    error: problems("not_found")
  }).pipe(forAccount(undefined, "Revokes a token at once and for good", memberRoles))
)
