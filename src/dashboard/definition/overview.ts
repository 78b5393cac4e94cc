/** The first page: what is left and for how long, what was spent, what went wrong lately. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { forAccount } from "./access.ts"
import { Count, Moment, Vnd } from "./fields.ts"
import { Call, usageSum } from "./usage.ts"

const PeriodSum = Schema.Struct({
  spent_vnd: Vnd,
  calls: Count,
  failed_calls: Count,
  tokens: Count
}).annotate({ identifier: "PeriodSum" })

const Refused = Schema.Struct({
  calls: Count,
  first: Moment,
  last: Moment,
  keys: Schema.Array(
    Schema.Struct({
      key_id: Schema.String,
      key_name: Schema.String,
      calls: Count,
      reason: Schema.Literals(["balance", "budget", "member_budget"]).annotate({
        description: "What there is least of now: money in the wallet, of the key's budget, or of its maker's"
      })
    })
  )
})

export const Outlook = Schema.Struct({
  held_vnd: Schema.NullOr(Vnd).annotate({
    description: "Set aside for calls under way; `null` while a node does not answer"
  }),
  days_left: Schema.NullOr(Count).annotate({
    description:
      "How long the balance lasts at the last week's pace; `null` without calls, or for over a year"
  }),
  days: Schema.Array(Schema.Struct({ ...usageSum, start: Moment })),
  refused: Schema.NullOr(Refused).annotate({
    description: "Calls of the last day that nothing was left to pay"
  })
}).annotate({ identifier: "Outlook" })

export const overview = HttpApiGroup.make("overview").add(
  HttpApiEndpoint.get("read", "/overview", {
    success: Schema.Struct({
      balance_vnd: Vnd,
      today: PeriodSum,
      month: PeriodSum,
      errors: Schema.Array(Call),
      active_keys: Count,
      has_calls: Schema.Boolean
    })
  }).pipe(forAccount("usage:read", "What is left, what was spent, what went wrong lately")),
  HttpApiEndpoint.get("outlook", "/overview/outlook", {
    success: Outlook
  }).pipe(
    forAccount("usage:read", "What calls hold, how long the balance lasts, and whether calls were refused")
  )
)
