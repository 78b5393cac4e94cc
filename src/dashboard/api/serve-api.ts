/** The API of the definition, as what the dashboard's server hands requests to. */
import { isUtf8 } from "node:buffer"
import { Effect, Layer, Scope } from "effect"
import { HttpRouter, HttpServer, HttpServerRequest } from "effect/http"
import { HttpApi, HttpApiBuilder } from "effect/http-api"
import { ApiProblem } from "../ApiProblem.ts"
import { actingHeader, personHeader } from "../authenticate.ts"
import type { DashboardContext } from "../DashboardContext.ts"
import { Api } from "../definition/Api.ts"
import { type Incoming, type Reply, requestIdHeader } from "../exchange.ts"
import { json } from "../json-reply.ts"
import { describeApi } from "./describe-api.ts"
import { guardLayer } from "./guard.ts"
import { activityHandlers } from "./activity.ts"
import { alertHandlers } from "./alerts.ts"
import { keyHandlers } from "./keys.ts"
import { marginHandlers } from "./margin.ts"
import { modelHandlers } from "./models.ts"
import { operatorAccountHandlers } from "./operator-accounts.ts"
import { operatorAuditHandlers } from "./operator-audit.ts"
import { operatorContactHandlers } from "./operator-contact.ts"
import { operatorCustomerHandlers } from "./operator-customer.ts"
import { operatorInvoiceHandlers } from "./operator-invoices.ts"
import { operatorRouteHandlers } from "./operator-routes.ts"
import { operatorSearchHandlers } from "./operator-search.ts"
import { operatorServiceHandlers } from "./operator-service.ts"
import { operatorTransferHandlers } from "./operator-transfers.ts"
import { overviewHandlers } from "./overview.ts"
import { personHandlers } from "./person.ts"
import { priceChangeHandlers } from "./price-changes.ts"
import { purchaseHandlers } from "./purchases.ts"
import { replyOf } from "./raw-reply.ts"
import { sessionHandlers } from "./session.ts"
import { statusHandlers } from "./status.ts"
import { statementHandlers } from "./statement.ts"
import { teamHandlers } from "./team.ts"
import { tokenHandlers } from "./tokens.ts"
import { topUpHandlers } from "./top-ups.ts"
import { usageHandlers } from "./usage.ts"

/** Answers a request for this path of the API. */
export type ServeApi = (incoming: Incoming, path: string) => Promise<Reply>

export const openApi = async (context: DashboardContext): Promise<ServeApi> => {
  const layer = HttpApiBuilder.layer(Api).pipe(
    Layer.provide(handlersOf(context)),
    Layer.provide(guardLayer(context)),
    // It asks for what would serve files and uploads; no endpoint has them.
    Layer.provide(HttpServer.layerServices)
  )
  const scope = Scope.makeUnsafe()
  const serve = await context.execute(Scope.provide(HttpRouter.toHttpEffect(layer), scope))
  return async (incoming, path) => {
    const method = incoming.method === "HEAD" ? "GET" : incoming.method
    if (path === documentPath && method === "GET") return describedApi()
    const allowed = path === documentPath ? readMethods : methodsOf(path)
    if (allowed.length === 0) throw new ApiProblem(404, "not_found")
    if (!allowed.includes(incoming.method))
      throw new ApiProblem(405, "method", [["allow", allowed.join(", ")]])
    // What is not would be read as other characters than those that were meant.
    if (!isUtf8(incoming.body)) throw new ApiProblem(400, "invalid", [], "What was sent is not UTF-8")
    const request = HttpServerRequest.fromWeb(requestOf(withNamed({ ...incoming, method }), path))
    const served = Effect.provideService(serve, HttpServerRequest.HttpServerRequest, request).pipe(
      Effect.annotateLogs("request_id", incoming.header(requestIdHeader))
    )
    return replyOf(await context.execute(Effect.scoped(served)))
  }
}

const documentPath = "/openapi.json"

/** Made when it is first asked for: it takes a quarter of a start of the dashboard, and few ask. */
const describedApi = () => (described ??= json(describeApi()))
let described: Reply | undefined

const handlersOf = (context: DashboardContext) =>
  Layer.mergeAll(
    sessionHandlers(context),
    personHandlers(context),
    overviewHandlers,
    keyHandlers(context),
    usageHandlers(context),
    priceChangeHandlers(context),
    marginHandlers(context),
    purchaseHandlers(context),
    statementHandlers(context),
    topUpHandlers(context),
    alertHandlers(context),
    modelHandlers(context),
    tokenHandlers(context),
    teamHandlers(context),
    operatorSearchHandlers,
    activityHandlers,
    operatorAccountHandlers(context),
    operatorContactHandlers,
    operatorCustomerHandlers,
    operatorAuditHandlers(context),
    operatorInvoiceHandlers(context),
    operatorTransferHandlers,
    operatorRouteHandlers(context),
    statusHandlers(context),
    operatorServiceHandlers(context)
  )

const places = (() => {
  const found: Array<{ readonly method: string; readonly form: RegExp }> = []
  HttpApi.reflect(Api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint }) =>
      void found.push({
        method: endpoint.method,
        // As ids are: for the router a path ends at a semicolon, and what can not be decoded has no answer.
        form: new RegExp(`^${endpoint.path.replaceAll(".", "\\.").replaceAll(/:\w+/g, "[\\w-]+")}$`)
      })
  })
  return found
})()

/** Of what a GET is answered, a HEAD gets the head. */
const readMethods: ReadonlyArray<string> = ["GET", "HEAD"]

const methodsOf = (path: string): ReadonlyArray<string> =>
  places.flatMap(({ form, method }) => (form.test(path) ? (method === "GET" ? readMethods : [method]) : []))

const named: ReadonlySet<string> = new Set([actingHeader, personHeader])

/** A page can send no header with what a link or an event source asks for: there the query says whose page it is, and for which account. */
const withNamed = (incoming: Incoming): Incoming => {
  const given = [...incoming.query].filter(([name, value]) => named.has(name) && value !== "")
  if (given.length === 0) return incoming
  const query = new URLSearchParams([...incoming.query].filter(([name]) => !named.has(name)))
  // An id stays what it is; what else somebody writes there may be no header.
  const headers = given.map(([name, value]) => [name, encodeURIComponent(value)] as const)
  return { ...incoming, query, headers: { ...incoming.headers, ...Object.fromEntries(headers) } }
}

/** A field of a query that is there and empty counts as not there. */
const requestOf = ({ body, headers, method, query }: Incoming, path: string): Request => {
  const filled = new URLSearchParams([...query].filter(([, value]) => value !== ""))
  return new Request(`http://dashboard${path}?${filled}`, {
    method,
    headers,
    ...(method !== "GET" && { body: new Uint8Array(body) })
  })
}
