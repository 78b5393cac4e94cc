/** One search for whatever a customer may be known by. */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { searchLengthMin } from "../../domain/field-limits.ts"
import { forOperator } from "./access.ts"
import { Moment, QueryText, told, Vnd } from "./fields.ts"
import { problems } from "./problems.ts"

const Hit = Schema.Struct({
  kind: Schema.Literals(["call", "key", "order", "transfer", "account", "person", "billing"]),
  id: Schema.String.annotate({ description: "Of what was found" }),
  label: Schema.String,
  account: Schema.NullOr(Schema.Struct({ id: Schema.String, email: Schema.String })).annotate({
    description: "Whose it is; `null` for a transfer that is nobody's yet"
  }),
  at: Moment,
  order: Schema.NullOr(
    Schema.Struct({ status: Schema.Literals(["pending", "paid", "expired"]), amount_vnd: Vnd })
  ).annotate({ description: "Of a top-up order" })
}).annotate({ identifier: "Hit" })

export const operatorSearch = HttpApiGroup.make("operatorSearch").add(
  HttpApiEndpoint.get("find", "/operator/search", {
    query: { q: QueryText.check(told({ minLength: searchLengthMin })) },
    success: Schema.Struct({ hits: Schema.Array(Hit) }),
    error: problems("invalid")
  }).pipe(
    forOperator(
      "operator:read",
      "Finds by a part of a mail address, a name, a key's hint (of a former secret, too), a memo or a company, and by a whole id, order code, bank reference or tax code"
    )
  )
)
