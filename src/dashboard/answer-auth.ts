/** Hands requests below `/dashboard/api/auth` to better-auth, but only for what our pages use. */
import { authPath } from "../accounts/people.ts"
import { checkOrigin } from "./authenticate.ts"
import type { DashboardContext } from "./DashboardContext.ts"
import type { Incoming, Reply } from "./exchange.ts"
import { ApiProblem } from "./ApiProblem.ts"

const open: ReadonlySet<string> = new Set([
  "POST /sign-up/email",
  "POST /sign-in/email",
  "POST /sign-out",
  "POST /change-password",
  "POST /request-password-reset",
  "POST /reset-password"
])

export const answerAuth = async (incoming: Incoming, context: DashboardContext): Promise<Reply> => {
  if (!open.has(`${incoming.method} ${incoming.path.slice(authPath.length)}`))
    throw new ApiProblem(404, "not_found")
  // better-auth checks this too, but not where NODE_ENV says that it is being tested.
  checkOrigin(incoming, context)
  const response = await context.people.auth.handler(
    new Request(`${context.settings.publicUrl}${incoming.path}`, {
      method: incoming.method,
      headers: headersFor(incoming),
      body: new Uint8Array(incoming.body)
    })
  )
  const headers = [...response.headers].filter(([name]) => name !== "set-cookie")
  return {
    status: response.status,
    headers: [
      ...headers,
      ["cache-control", "no-store"],
      ...response.headers.getSetCookie().map((cookie) => ["set-cookie", cookie] as const)
    ],
    body: new Uint8Array(await response.arrayBuffer())
  }
}

const headersFor = (incoming: Incoming): Headers => {
  const headers = new Headers()
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (name !== "connection" && name !== "content-length" && name !== "host") headers.set(name, value)
  }
  return headers
}
