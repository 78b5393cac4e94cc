/** Signing in with Google or GitHub: how each is asked whose an account there is. Nothing that they answer with is kept. */
import type { GenericOAuthConfig } from "better-auth/plugins/generic-oauth"
import { fetch, type Dispatcher } from "undici"
import type { OAuthSettings } from "../config/settings.ts"
import { personNameLengthMax } from "../domain/field-limits.ts"
import type { OAuthProvider } from "../domain/oauth-providers.ts"
import { isJsonRecord } from "../domain/json-record.ts"
import { checkEmail, checkText } from "./check-text.ts"

const waitMs = 10_000
const answerLengthMax = 1_048_576

interface Owner {
  readonly subject: string
  readonly name: string
  /** Only where the provider has verified it. */
  readonly email: string | undefined
}

type Ask = (url: string) => Promise<unknown>

interface Traits {
  readonly scopes: ReadonlyArray<string>
  readonly findOwner: (ask: Ask, settings: OAuthSettings) => Promise<Owner | undefined>
}

const traits: Readonly<Record<OAuthProvider, Traits>> = {
  /** https://developers.google.com/identity/openid-connect/openid-connect */
  google: {
    scopes: ["openid", "email", "profile"],
    findOwner: async (ask, { userUrl }) => {
      const user = await ask(userUrl)
      if (!isJsonRecord(user)) return undefined
      const isVerified = user["email_verified"] === true
      return {
        subject: textOf(user["sub"]),
        name: textOf(user["name"]),
        email: isVerified ? textOf(user["email"]) : undefined
      }
    }
  },
  /** https://docs.github.com/en/rest/users/emails */
  github: {
    scopes: ["read:user", "user:email"],
    findOwner: async (ask, { userUrl }) => {
      const [user, emails] = await Promise.all([ask(userUrl), ask(`${userUrl}/emails`)])
      if (!isJsonRecord(user) || !Array.isArray(emails)) return undefined
      const primary = emails.find(
        (entry) => isJsonRecord(entry) && entry["primary"] === true && entry["verified"] === true
      ) as Readonly<Record<string, unknown>> | undefined
      return {
        subject: typeof user["id"] === "number" ? String(user["id"]) : "",
        name: textOf(user["name"]) || textOf(user["login"]),
        email: primary && textOf(primary["email"])
      }
    }
  }
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "")

/** For better-auth's plugin. What goes wrong is told to the person as a code in the address they come back to. */
export const oauthConfigOf = (settings: OAuthSettings, dispatcher: Dispatcher): GenericOAuthConfig => {
  const { authorizeUrl, clientId, clientSecret, provider, tokenUrl } = settings
  return {
    providerId: provider,
    clientId,
    clientSecret,
    authorizationUrl: authorizeUrl,
    tokenUrl,
    scopes: [...traits[provider].scopes],
    pkce: true,
    getToken: async ({ code, codeVerifier, redirectURI }) => {
      const form = new URLSearchParams({
        grant_type: "authorization_code",
        client_id: clientId,
        client_secret: clientSecret,
        code,
        redirect_uri: redirectURI,
        ...(codeVerifier !== undefined && { code_verifier: codeVerifier })
      })
      const answer = await askJson(tokenUrl, dispatcher, { method: "POST", body: form.toString() })
      const accessToken = isJsonRecord(answer) ? textOf(answer["access_token"]) : ""
      if (accessToken === "") throw new Error(`${provider} gave no access token`)
      return { accessToken }
    },
    getUserInfo: async ({ accessToken }) => {
      const ask: Ask = (url) =>
        askJson(url, dispatcher, { headers: { authorization: `Bearer ${accessToken}` } })
      const owner = await traits[provider].findOwner(ask, settings)
      if (owner === undefined || owner.subject === "") return null
      const { email } = owner
      // Told otherwise than it is kept, it may be somebody else's.
      return email !== undefined && checkEmail(email) === email
        ? { id: owner.subject, email, emailVerified: true, name: nameOf(owner.name, email) }
        : { id: owner.subject, emailVerified: false }
    }
  }
}

const nameOf = (name: string, email: string): string => {
  const checked = checkText("name", name, personNameLengthMax)
  return typeof checked === "string" ? checked : email.split("@")[0]!
}

const askJson = async (
  url: string,
  dispatcher: Dispatcher,
  { body, headers = {}, method = "GET" }: { body?: string; headers?: Record<string, string>; method?: string }
): Promise<unknown> => {
  const response = await fetch(url, {
    method,
    dispatcher,
    redirect: "error",
    signal: AbortSignal.timeout(waitMs),
    headers: {
      accept: "application/json",
      "user-agent": "tollgate",
      ...(body !== undefined && { "content-type": "application/x-www-form-urlencoded" }),
      ...headers
    },
    ...(body !== undefined && { body })
  })
  if (!response.ok || Number(response.headers.get("content-length") ?? 0) > answerLengthMax) {
    await response.body?.cancel()
    throw new Error(`${new URL(url).host} answered ${response.status}`)
  }
  return response.json()
}
