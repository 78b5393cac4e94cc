/**
 * The API of everything around the meter, as one definition: from it requests are read, answers are written, rules are
 * kept, the document is made and the pages have their types.
 */
import { HttpApi, OpenApi } from "effect/http-api"
import { changesPerMinute, tokenChangesPerMinute, tokenRequestsPerMinute } from "../../domain/per-minute.ts"
import { Edge } from "./access.ts"
import { activity } from "./activity.ts"
import { alerts } from "./alerts.ts"
import { keys } from "./keys.ts"
import { operatorMargin } from "./margin.ts"
import { models } from "./models.ts"
import { operatorAccounts } from "./operator-accounts.ts"
import { operatorAudit } from "./operator-audit.ts"
import { operatorContact } from "./operator-contact.ts"
import { operatorCustomer } from "./operator-customer.ts"
import { operatorInvoices } from "./operator-invoices.ts"
import { operatorRoutes } from "./operator-routes.ts"
import { operatorSearch } from "./operator-search.ts"
import { operatorService } from "./operator-service.ts"
import { operatorTransfers } from "./operator-transfers.ts"
import { overview } from "./overview.ts"
import { person } from "./person.ts"
import { priceChanges } from "./price-changes.ts"
import { operatorPurchases } from "./purchases.ts"
import { session } from "./session.ts"
import { status } from "./status.ts"
import { statement } from "./statement.ts"
import { team } from "./team.ts"
import { tokens } from "./tokens.ts"
import { topUps } from "./top-ups.ts"
import { usage } from "./usage.ts"

export const Api = HttpApi.make("tollgate")
  .add(
    session,
    person,
    overview,
    keys,
    usage,
    statement,
    topUps,
    alerts,
    models,
    tokens,
    team,
    operatorSearch,
    activity,
    operatorAccounts,
    operatorContact,
    operatorCustomer,
    operatorAudit,
    operatorInvoices,
    operatorTransfers,
    operatorRoutes,
    priceChanges,
    operatorMargin,
    operatorPurchases,
    status,
    operatorService
  )
  .middleware(Edge)
  // Whoever misspells `budget_vnd` must not be given a key without a budget.
  .annotate(HttpApi.PayloadParseOptions, { onExcessProperty: "error" })
  .annotateMerge(
    OpenApi.annotations({
      title: "Tollgate management API",
      version: "1",
      description: [
        "Everything the dashboard does. Money is decimal VND as text, moments are milliseconds since 1970.",
        'A refusal is `{"error": {"code": "…"}}` under the status that is described, with a `message` that says which field is wrong.',
        "Fields of a body that are not described are refused, and answers have further ones in later versions; a field of a query that is empty counts as not given.",
        "Programs send a management token as `Authorization: Bearer tg-mgmt-…`; it is made in the dashboard or by `tollgate token create`,",
        "can do what its scopes say, as long as its maker may, and is no key for calls of models.",
        `In a minute a token may ask ${tokenRequestsPerMinute} times and all tokens that a person has made change something ${tokenChangesPerMinute} times, the person at the pages ${changesPerMinute} times; beyond, 429 \`too_many_tries\` says in \`retry-after\` for how long to wait.`,
        "People who are members of several accounts name the one they act for as `x-tollgate-account`, in a header or the query."
      ].join(" "),
      servers: [{ url: "/api" }]
    })
  )
