/**
 * `/healthz`, `/readyz` and `/metrics` on a port of their own: for balancers whose checks speak HTTP/1.0, which the port of
 * the calls does not, and for a network that customers do not reach. Served by the main thread, which knows.
 */
import { Effect, type Scope } from "effect"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { BadSetting } from "../config/settings.ts"
import { metricsType, noAnswer, type Page, type Pages, pageWaitMsMax } from "./Operations.ts"

/** Answers the port it listens on, until the scope closes. */
export const serveOperations = (
  { host, port }: { readonly host: string; readonly port: number },
  page: Pages["page"]
): Effect.Effect<number, BadSetting, Scope.Scope> =>
  Effect.gen(function* () {
    const run = Effect.runPromiseWith(yield* Effect.context<never>())
    const pageOf = (path: string): Effect.Effect<Page> => {
      if (path === "/healthz") return Effect.succeed({ status: 200, body: "ok" })
      if (path !== "/readyz" && path !== "/metrics") return Effect.succeed({ status: 404, body: "" })
      return Effect.timeoutOrElse(page(path === "/readyz" ? "readyz" : "metrics"), {
        duration: pageWaitMsMax,
        orElse: () => Effect.succeed(noAnswer)
      })
    }
    const server = createServer(
      { requestTimeout: pageWaitMsMax, headersTimeout: pageWaitMsMax },
      (request, response) => {
        const path = request.url?.split("?")[0] ?? ""
        if (request.method !== "GET" && request.method !== "HEAD" && request.method !== "OPTIONS") {
          response.writeHead(405, { allow: "GET, HEAD, OPTIONS", connection: "close" }).end()
          return
        }
        // HAProxy asks `OPTIONS /` where it is told nothing else.
        void run(pageOf(request.method === "OPTIONS" || path === "/" ? "/readyz" : path)).then(
          ({ body, status }) => {
            const said = request.method === "OPTIONS" ? "" : body
            const headers = { "content-type": typeOf(path), "content-length": Buffer.byteLength(said) }
            response.writeHead(status, headers).end(said)
          }
        )
      }
    )
    yield* Effect.acquireRelease(listen(server, host, port), () =>
      Effect.callback<void>((resume) => {
        server.closeAllConnections()
        server.close(() => resume(Effect.void))
      })
    )
    return (server.address() as AddressInfo).port
  })

const listen = (server: Server, host: string, port: number): Effect.Effect<void, BadSetting> =>
  Effect.callback((resume) => {
    server.once("error", (error) =>
      resume(Effect.fail(new BadSetting({ setting: "OPERATIONS_PORT", reason: error.message })))
    )
    server.listen(port, host, () => resume(Effect.void))
  })

const typeOf = (path: string): string => (path === "/metrics" ? metricsType : "application/json")
