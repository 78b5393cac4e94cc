/** Talks to the dashboard's own API. */
import { text } from "./language.ts"

export class ApiError extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string) {
    super(code)
    this.status = status
    this.code = code
  }
}

/** Set by the application: what happens when the session has ended. */
let onSignedOut = () => {}
export const whenSignedOut = (listener: () => void): void => {
  onSignedOut = listener
}

export const get = <A>(
  path: string,
  query: Readonly<Record<string, string | number | undefined>> = {}
): Promise<A> => request(apiUrl(path, query), { method: "GET" })

export const post = <A>(path: string, body: unknown = {}): Promise<A> =>
  request(apiUrl(path), {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body)
  })

export const apiUrl = (
  path: string,
  query: Readonly<Record<string, string | number | undefined>> = {}
): string => {
  const filled = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === "" ? [] : [[name, String(value)] as [string, string]]
  )
  return `/dashboard/api${path}${filled.length === 0 ? "" : `?${new URLSearchParams(filled)}`}`
}

/** What to tell a person about a failure. */
export const explain = (error: unknown): string => {
  const { errors } = text()
  if (!(error instanceof ApiError)) return errors.network
  const known: Readonly<Record<string, string>> = errors.codes
  return known[error.code] ?? errors.unknown
}

const request = async <A>(url: string, init: RequestInit): Promise<A> => {
  const response = await fetch(url, { credentials: "same-origin", ...init })
  const body: unknown = await response.json().catch(() => ({}))
  if (response.ok) return body as A
  const error = new ApiError(response.status, codeOf(body, response.status))
  if (error.code === "signed_out") onSignedOut()
  throw error
}

/** Our routes say `{error: {code}}`, the sign-in routes `{code}`. */
const codeOf = (body: unknown, status: number): string => {
  const { code, error } = (body ?? {}) as { code?: unknown; error?: { code?: unknown } }
  if (typeof error?.code === "string") return error.code
  if (typeof code === "string") return code
  return status === 429 ? "too_many_tries" : "unknown"
}
