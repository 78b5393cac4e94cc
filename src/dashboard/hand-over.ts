/** Hands a request to better-auth. */
import { authPath } from "../accounts/people.ts"
import type { DashboardContext } from "./DashboardContext.ts"
import type { Incoming, Reply } from "./exchange.ts"

export const handOver = async (incoming: Incoming, context: DashboardContext): Promise<Reply> => {
  const response = await context.people.auth.handler(
    new Request(`${context.settings.publicUrl}${incoming.path}`, {
      method: incoming.method,
      headers: headersFor(incoming),
      ...(incoming.method !== "GET" && { body: new Uint8Array(incoming.body) })
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

/** The same, with nothing of the body but what we have looked at. */
export const passOn = (
  action: string,
  body: Readonly<Record<string, unknown>>,
  incoming: Incoming,
  context: DashboardContext
): Promise<Reply> =>
  handOver({ ...incoming, path: `${authPath}${action}`, body: Buffer.from(JSON.stringify(body)) }, context)

const headersFor = (incoming: Incoming): Headers => {
  const headers = new Headers()
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (name !== "connection" && name !== "content-length" && name !== "host") headers.set(name, value)
  }
  return headers
}

/** The session that this reply begins, where it begins one. */
export const sessionBegunBy = async (
  { headers }: Reply,
  context: DashboardContext
): Promise<string | undefined> => {
  const cookie = headers
    .flatMap(([name, value]) => (name === "set-cookie" ? [value.split(";")[0]!] : []))
    .join("; ")
  if (cookie === "") return undefined
  const found = await context.people.auth.api.getSession({
    headers: new Headers({ cookie }),
    query: { disableRefresh: true, disableCookieCache: true }
  })
  return found?.session.id
}
