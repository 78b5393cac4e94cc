/** How a customer is reached and comes in, for whoever says that nothing came: what was sent and how that went, and their ways in. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { oauthProviders } from "../../domain/oauth-providers.ts"
import { forOperator } from "./access.ts"
import { Delivery, Kinds } from "./alerts.ts"
import { Count, Id, Moment, Next, QueryText } from "./fields.ts"
import { problems } from "./problems.ts"

const params = { id: Id }

const Told = Schema.Struct({
  email: Schema.String.annotate({ description: "Where mail of alerts goes" }),
  mail: Kinds.annotate({ description: "Of what mail is sent" }),
  webhooks: Schema.Array(
    Schema.Struct({
      id: Schema.String,
      host: Schema.String.annotate({ description: "The rest of its address may be a secret" }),
      kinds: Kinds,
      paused: Schema.Boolean,
      created_at: Moment
    })
  )
}).annotate({ identifier: "ToldOf" })

const WaysIn = Schema.Struct({
  is_verified: Schema.Boolean.annotate({
    description: "Whether they have shown that the mail address is theirs"
  }),
  has_password: Schema.Boolean,
  has_totp: Schema.Boolean.annotate({ description: "Whether a code of an authenticator app is asked for" }),
  passkeys: Count,
  elsewhere: Schema.Array(Schema.Struct({ provider: Schema.Literals(oauthProviders), since: Moment })),
  sessions: Schema.Array(Schema.Struct({ created_at: Moment, last_seen_at: Moment })).annotate({
    description: "Where they are signed in"
  }),
  links: Schema.Array(
    Schema.Struct({
      kind: Schema.Literals(["password", "address"]),
      email: Schema.String.annotate({ description: "Where it was mailed to be verified; else empty" }),
      created_at: Moment,
      expires_at: Moment,
      mail_outcome: Schema.NullOr(Schema.String).annotate({
        description:
          "What became of its mail: `sent` once the mail server has taken it, or why it was not; null where none was sent"
      })
    })
  ).annotate({
    description:
      "Made for a new password or to verify an address, still good and not followed; never the link itself"
  })
}).annotate({ identifier: "WaysIn" })

export const operatorContact = HttpApiGroup.make("operatorContact").add(
  HttpApiEndpoint.get("deliveries", "/operator/accounts/:id/deliveries", {
    params,
    query: { after: Schema.optionalKey(QueryText) },
    success: Schema.Struct({
      deliveries: Schema.Array(Delivery).annotate({ description: "Of a webhook's address the host alone" }),
      next: Next
    }),
    error: problems("invalid", "not_found")
  }).pipe(
    forOperator(
      "operator:read",
      "What alerts a customer was sent by mail and webhook, and how that went, newest first"
    )
  ),
  HttpApiEndpoint.get("told", "/operator/accounts/:id/alerts", {
    params,
    success: Told,
    error: problems("not_found")
  }).pipe(forOperator("operator:read", "Of what a customer wants to be told, and where")),
  HttpApiEndpoint.get("waysIn", "/operator/accounts/:id/ways-in", {
    params,
    success: Schema.Struct({
      person: Schema.NullOr(WaysIn).annotate({ description: "`null` where nobody can sign in to it" })
    }),
    error: problems("not_found")
  }).pipe(
    forOperator("operator:read", "How a customer signs in, where they are, and which links wait for them")
  )
)
