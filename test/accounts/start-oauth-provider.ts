/** A provider that people sign in with, over HTTP: it checks what it is asked as Google and GitHub do. */
import { createHash, randomUUID } from "node:crypto"
import { createServer, type IncomingMessage } from "node:http"
import { text as textOf } from "node:stream/consumers"
import type { OAuthSettings } from "../../src/config/settings.ts"
import { listen } from "../listen.ts"

/** As the provider tells it of whoever is signed in there. */
export interface OwnerThere {
  readonly id: number
  readonly name: string
  readonly email: string
  readonly isVerified: boolean
}

export const clientSecret = "client-secret-of-the-tests"
/** Every access token begins so. */
export const tokenMark = "token-of-the-provider-"

export const startOAuthProvider = async (owner: () => OwnerThere | undefined) => {
  const codes = new Map<string, { readonly challenge: string; readonly redirectUri: string }>()
  const tokens = new Set<string>()

  const authorize = (query: URLSearchParams) => {
    const redirectUri = query.get("redirect_uri")!
    const back = new URL(redirectUri)
    back.searchParams.set("state", query.get("state")!)
    if (owner() === undefined) back.searchParams.set("error", "access_denied")
    else {
      const code = randomUUID()
      codes.set(code, { challenge: query.get("code_challenge")!, redirectUri })
      back.searchParams.set("code", code)
    }
    return back.href
  }

  const exchange = async (request: IncomingMessage) => {
    const form = new URLSearchParams(await textOf(request))
    const code = form.get("code") ?? ""
    const given = codes.get(code)
    codes.delete(code)
    const verifier = form.get("code_verifier") ?? ""
    const challenge = createHash("sha256").update(verifier).digest("base64url")
    const isRight =
      given?.challenge === challenge &&
      given.redirectUri === form.get("redirect_uri") &&
      form.get("client_id") === "client" &&
      form.get("client_secret") === clientSecret
    if (!isRight) return { status: 400, body: { error: "invalid_grant" } }
    const token = `${tokenMark}${randomUUID()}`
    tokens.add(token)
    const body = {
      access_token: token,
      refresh_token: `${token}-r`,
      id_token: `${token}-i`,
      token_type: "bearer"
    }
    return { status: 200, body }
  }

  const tell = (request: IncomingMessage, path: string) => {
    const token = request.headers.authorization?.replace("Bearer ", "") ?? ""
    const person = owner()
    if (!tokens.has(token) || person === undefined) return { status: 401, body: {} }
    const { email, id, isVerified, name } = person
    if (path.endsWith("/emails")) {
      const other = { email: `other-${email}`, primary: false, verified: true }
      return { status: 200, body: [other, { email, primary: true, verified: isVerified }] }
    }
    if (path === "/google")
      return { status: 200, body: { sub: String(id), name, email, email_verified: isVerified } }
    return { status: 200, body: { id, login: "login", name, email: null } }
  }

  const server = createServer((request, response) => {
    const url = new URL(request.url!, "http://provider")
    if (url.pathname === "/authorize") {
      response.writeHead(302, { location: authorize(url.searchParams) }).end()
      return
    }
    const answer =
      url.pathname === "/token" ? exchange(request) : Promise.resolve(tell(request, url.pathname))
    void answer.then(({ body, status }) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
    )
  })
  const url = `http://127.0.0.1:${await listen(server)}`
  const settingsOf = (provider: OAuthSettings["provider"]): OAuthSettings => ({
    provider,
    clientId: "client",
    clientSecret,
    authorizeUrl: `${url}/authorize`,
    tokenUrl: `${url}/token`,
    userUrl: `${url}/${provider}`
  })
  return {
    oauth: [settingsOf("google"), settingsOf("github")],
    stop: () => {
      server.close()
      server.closeAllConnections()
    }
  }
}
