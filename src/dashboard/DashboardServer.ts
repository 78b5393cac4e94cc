/** The dashboard's own small server. Gateway threads pass `/dashboard` and `/webhooks` on to it, and nobody else may. */
import { createHash, timingSafeEqual } from "node:crypto"
import * as uWS from "uWebSockets.js"
import { authPath } from "../accounts/people.ts"
import type { Settings } from "../config/settings.ts"
import { LocalExchange } from "../sockets/LocalExchange.ts"
import { describeFault } from "../telemetry/describe-fault.ts"
import { answerAuth } from "./answer-auth.ts"
import { isHttps } from "./authenticate.ts"
import { type DashboardContext, type DashboardOptions, openDashboardContext } from "./DashboardContext.ts"
import { type Incoming, type Reply, requestIdHeader, serveExchange } from "./exchange.ts"
import { ApiProblem } from "./ApiProblem.ts"
import { problemReply } from "./json-reply.ts"
import { openApi, type ServeApi } from "./api/serve-api.ts"
import { answerPublic } from "./public-api/answer-public.ts"
import { securityHeaders } from "./security-headers.ts"
import { loadStaticFiles, type StaticFiles } from "./static-files.ts"
import { startReconciliation } from "./reconciliation.ts"
import { answerWebhook } from "./webhooks.ts"

interface DashboardServerOptions extends DashboardOptions {
  /** What the gateway sends as `x-tollgate-internal`. */
  readonly internalSecret: string
  /** The built front end. */
  readonly folder: string
}

export interface DashboardServer {
  readonly url: string
  /** Goes on with settings that were read again. */
  readonly apply: (settings: Settings) => void
  /** At once, for a thread that ends of itself. */
  readonly closeSockets: () => void
  readonly close: () => Promise<void>
}

/** The pages ask where their cookies belong; programs ask the other. */
const apiPaths = ["/api/", "/dashboard/api/"] as const

export const startDashboard = async (options: DashboardServerOptions): Promise<DashboardServer> => {
  const files = loadStaticFiles(options.folder)
  const context = await openDashboardContext(options)
  const serveApi = await openApi(context)
  const stopReconciliation = startReconciliation(context)
  const isInternal = makeSecretCheck(options.internalSecret)
  const app = uWS.App().any("/*", (response, request) =>
    serveExchange(new LocalExchange(response, request), {
      answer: async (incoming) => {
        const reply = isInternal(incoming.header("x-tollgate-internal"))
          ? await answerSafely(incoming, context, { files, serveApi })
          : problemReply(new ApiProblem(403, "forbidden"))
        return { ...reply, headers: [...reply.headers, ...securityHeaders(isHttps(incoming))] }
      },
      broken: ({ header, method, path }, cause) => {
        // What is a problem has been told where it was found.
        if (!(cause instanceof ApiProblem))
          context.warn(`Could not finish ${method} ${path}: ${describeFault(cause)}`, header(requestIdHeader))
      }
    })
  )
  const socket = await new Promise<uWS.us_listen_socket>((resolve, reject) => {
    app.listen("127.0.0.1", 0, (socket) => (socket ? resolve(socket) : reject(new Error("no free port"))))
  })
  return {
    url: `http://127.0.0.1:${uWS.us_socket_local_port(socket)}`,
    apply: context.apply,
    closeSockets: () => void app.close(),
    close: async () => {
      app.close()
      stopReconciliation()
      await context.close()
    }
  }
}

const makeSecretCheck = (secret: string) => {
  const digest = (text: string) => createHash("sha256").update(text).digest()
  const expected = digest(secret)
  return (given: string) => timingSafeEqual(digest(given), expected)
}

interface Parts {
  readonly files: StaticFiles
  readonly serveApi: ServeApi
}

/** Every failure is caught here, once: expected ones say what they are, others nothing. */
const answerSafely = async (incoming: Incoming, context: DashboardContext, parts: Parts): Promise<Reply> => {
  try {
    return await answer(incoming, context, parts)
  } catch (cause) {
    if (cause instanceof ApiProblem) return problemReply(cause)
    context.tellUnanswered(incoming, cause)
    return problemReply(new ApiProblem(503, "unavailable", [["retry-after", "5"]]))
  }
}

/** Of whoever is no operator: a thousand wrong values take a millisecond, so that a mebibyte of them stood in everybody's way. */
const bodyBytesMax = 64 * 1024

const answer = async (
  incoming: Incoming,
  context: DashboardContext,
  { files, serveApi }: Parts
): Promise<Reply> => {
  const { method, path } = incoming
  const apiPath = apiPaths.find((start) => path.startsWith(start))
  const isOperators = apiPath !== undefined && path.startsWith("operator/", apiPath.length)
  if (!isOperators && incoming.body.length > bodyBytesMax) throw new ApiProblem(413, "too_large")
  if (path.startsWith("/webhooks/")) return answerWebhook(incoming, context)
  if (path.startsWith(`${authPath}/`)) return answerAuth(incoming, context)
  if (apiPath !== undefined) return serveApi(incoming, path.slice(apiPath.length - 1))
  if (path === "/status.json") return serveApi(incoming, "/status")
  if (method !== "GET" && method !== "HEAD") throw new ApiProblem(405, "method", [["allow", "GET, HEAD"]])
  const told = answerPublic(path, context.settings.publicUrl, context.catalogue.models)
  if (told !== undefined) return told
  if (path === "/status") return { status: 302, headers: [["location", "/dashboard/status"]], body: "" }
  const file = files.answer(incoming)
  if (file !== undefined) return file
  if (path.startsWith("/dashboard/assets/")) throw new ApiProblem(404, "not_found")
  return files.answerPage(incoming)
}
