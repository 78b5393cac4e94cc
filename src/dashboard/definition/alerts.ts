/** What an account is told of, by mail and by webhook, and how that went. */
import { Schema, Struct } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { daysLeftMax, overlapHoursMax, webhookUrlLengthMax } from "../../domain/field-limits.ts"
import { alertKinds } from "../../domain/alert-kinds.ts"
import { forAccount } from "./access.ts"
import {
  Count,
  Id,
  Line,
  Moment,
  Next,
  nothing,
  PositiveAmount,
  QueryMoment,
  QueryText,
  Vnd,
  Whole
} from "./fields.ts"
import { problems } from "./problems.ts"

export const Kinds = Schema.Array(Schema.Literals(alertKinds)).check(Schema.isMaxLength(50))

const AlertSettings = Schema.Struct({
  balance_below_vnd: Schema.NullOr(Vnd).annotate({ description: "null: never" }),
  days_left: Schema.NullOr(Count).annotate({
    description: "At the pace of the last week; null: never"
  }),
  mail: Kinds.annotate({ description: "Of what mail is sent" }),
  email: Schema.String.annotate({ description: "Where mail goes; empty: to the account's own address" }),
  language: Schema.Literals(["vi", "en"])
}).annotate({ identifier: "AlertSettings" })

const AlertChange = AlertSettings.mapFields(
  Struct.assign({
    balance_below_vnd: Schema.NullOr(PositiveAmount).annotate({ description: "null: never" }),
    days_left: Schema.NullOr(Whole(1, daysLeftMax)).annotate({
      description: "At the pace of the last week; null: never"
    })
  })
)
  .mapFields(Struct.map(Schema.optionalKey))
  .annotate({ identifier: "AlertChange" })
export type AlertChange = typeof AlertChange.Type

const Webhook = Schema.Struct({
  id: Schema.String,
  url: Schema.String,
  kinds: Kinds,
  paused: Schema.Boolean,
  created_at: Moment,
  former_secret_until: Schema.NullOr(Moment).annotate({
    description: "Until then the secret before the present one signs too"
  })
}).annotate({ identifier: "Webhook" })

export const Delivery = Schema.Struct({
  id: Schema.String,
  alert: Schema.String.annotate({ description: "The `webhook-id` of its requests" }),
  kind: Schema.String,
  channel: Schema.Literals(["mail", "webhook"]),
  address: Schema.String,
  status: Schema.Literals(["pending", "delivered", "given_up"]),
  attempts: Count,
  outcome: Schema.String.annotate({
    description: "Of the last attempt: an HTTP status, or why there was none"
  }),
  created_at: Moment,
  attempted_at: Schema.NullOr(Moment),
  next_at: Schema.NullOr(Moment).annotate({ description: "When it is tried again" })
}).annotate({ identifier: "Delivery" })

const WebhookUrl = Line(webhookUrlLengthMax).annotate({
  description: "Its address, https and public where the operator says nothing else"
})

const own = { id: Id }

export const alerts = HttpApiGroup.make("alerts").add(
  HttpApiEndpoint.get("read", "/alerts", {
    success: Schema.Struct({
      settings: AlertSettings,
      account_email: Schema.String,
      webhooks: Schema.Array(Webhook)
    }),
    error: problems("not_found")
  }).pipe(forAccount("alerts:read", "What the account is told of, and its webhooks")),
  HttpApiEndpoint.post("set", "/alerts", {
    payload: AlertChange,
    success: Schema.Struct({ settings: AlertSettings }),
    error: problems("invalid", "not_found")
  }).pipe(
    forAccount(
      "alerts:write",
      "Says what the account is told of by mail, and from when on; what is not given stays as it is"
    )
  ),
  HttpApiEndpoint.post("createWebhook", "/alerts/webhooks", {
    payload: Schema.Struct({ url: WebhookUrl, kinds: Kinds }),
    success: Schema.Struct({ id: Schema.String, secret: Schema.String }).pipe(HttpApiSchema.status(201)),
    error: problems("invalid", "webhook_url", "too_many_webhooks")
  }).pipe(forAccount("alerts:write", "Creates a webhook and answers, this once, with the secret that signs")),
  HttpApiEndpoint.post("updateWebhook", "/alerts/webhooks/:id", {
    params: own,
    payload: Schema.Struct({
      url: Schema.optionalKey(WebhookUrl),
      kinds: Schema.optionalKey(Kinds),
      paused: Schema.optionalKey(Schema.Boolean)
    }),
    success: nothing,
    error: problems("invalid", "webhook_url", "not_found")
  }).pipe(forAccount("alerts:write", "Changes a webhook; what is not given stays as it is")),
  HttpApiEndpoint.post("rotateWebhook", "/alerts/webhooks/:id/rotate", {
    params: own,
    payload: Schema.Struct({
      overlap_hours: Whole(0, overlapHoursMax),
      former_secret_until: Schema.optionalKey(
        Schema.NullOr(QueryMoment).annotate({
          description: "As it was listed: refused where the secret was replaced since"
        })
      )
    }),
    success: Schema.Struct({ secret: Schema.String }),
    error: problems("invalid", "not_found", "secret_replaced")
  }).pipe(
    forAccount("alerts:write", "Gives a webhook a new secret; the old one signs beside it for a while")
  ),
  HttpApiEndpoint.post("deleteWebhook", "/alerts/webhooks/:id/delete", {
    params: own,
    success: nothing,
    error: problems("not_found")
  }).pipe(forAccount("alerts:write", "Deletes a webhook; what was still to be sent there is given up")),
  HttpApiEndpoint.post("testWebhook", "/alerts/webhooks/:id/test", {
    params: own,
    success: Schema.Struct({ delivery: Schema.String }),
    error: problems("not_found", "too_many_tries")
  }).pipe(forAccount("alerts:write", "Sends a test to a webhook")),
  HttpApiEndpoint.get("deliveries", "/alerts/deliveries", {
    query: { after: Schema.optionalKey(QueryText) },
    success: Schema.Struct({ deliveries: Schema.Array(Delivery), next: Next }),
    error: problems("invalid")
  }).pipe(forAccount("alerts:read", "What was sent, where to, and how that went, newest first")),
  HttpApiEndpoint.post("resend", "/alerts/deliveries/:id/resend", {
    params: own,
    success: nothing,
    error: problems("not_found", "too_many_tries")
  }).pipe(forAccount("alerts:write", "Sends an alert once more under its own id"))
)
