/** Talks to the dashboard's own API, in the types of its definition; of that definition nothing else comes to the browser. */
import type { AnswerTo, Body, GetPath, Params, PostPath, Query } from "./endpoints.ts"
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

const root = "/dashboard/api"

/** Set by the application: what happens when the session has ended; true once the same person has one again. */
let onSignedOut = (_isSent: boolean): Promise<boolean> => Promise.resolve(false)
export const whenSignedOut = (listener: typeof onSignedOut): void => {
  onSignedOut = listener
}

/** The account acted for, where it is not one's own: each request names it. */
const actingName = "x-tollgate-account"
let acting = ""
export const actFor = (accountId: string): void => {
  acting = accountId
}

/** The person whom the page is shown to: each request names them, since in another tab somebody else may sign in. */
const personName = "x-tollgate-person"
let shownTo = ""
export const showTo = (personId: string): void => {
  shownTo = personId
}

/** One is no member any more of the account acted for, it was closed, or somebody else has signed in than the page is shown to. */
const outdated = ["not_a_member", "account_disabled", "signed_in_anew"] as const
type Outdated = (typeof outdated)[number]

let onOutdated = (_: Outdated) => {}
/** What happens when the page is not of who and what is now. */
export const whenOutdated = (listener: (why: Outdated) => void): void => {
  onOutdated = listener
}

const named = () => [[actingName, acting] as const, [personName, shownTo] as const]

/** Set by the application: asks for a second factor; false where the person would rather not. */
let onConfirmNeeded = (): Promise<boolean> => Promise.resolve(false)
export const whenConfirmNeeded = (ask: () => Promise<boolean>): void => {
  onConfirmNeeded = ask
}

/** What is undefined or empty of a query is not sent. */
export const get = <Path extends GetPath>(
  path: Path,
  query: Query<Path> = {},
  ...params: Params<"GET", Path>
): Promise<AnswerTo<"GET", Path>> => request(urlOf(path, query, params[0]), { method: "GET" })

/** Of one's own account, whichever is acted for. */
export const getOwn = <Path extends GetPath>(path: Path): Promise<AnswerTo<"GET", Path>> =>
  request(urlOf(path, {}), { method: "GET", headers: { [actingName]: "" } })

/** Who is signed in, whoever that is, as they act for this account; empty: for their own. */
export const getSession = (accountId: string): Promise<AnswerTo<"GET", "/session">> =>
  request(urlOf("/session", {}), { method: "GET", headers: { [actingName]: accountId, [personName]: "" } })

export const post = <Path extends PostPath>(
  path: Path,
  body: Body<Path>,
  ...params: Params<"POST", Path>
): Promise<AnswerTo<"POST", Path>> => send(urlOf(path, {}, params[0]), body)

/** Of signing in and out, which the API's definition leaves to the library for it. */
export const postAuth = <A = unknown>(action: string, body: object = {}): Promise<A> =>
  send<A>(`${root}/auth/${action}`, body)

export const apiUrl = <Path extends GetPath>(
  path: Path,
  query: Query<Path> = {},
  ...params: Params<"GET", Path>
): string => urlOf(path, { ...query, ...Object.fromEntries(named()) }, params[0])

type Words = Readonly<Record<string, string>>
const more: Array<() => Words> = []

/** Words for problems that only some pages meet come with those pages. */
export const explainAlso = (words: () => Words): void => void more.push(words)

/** What to tell a person about a failure. */
export const explain = (error: unknown): string => {
  const { errors } = text()
  if (!(error instanceof ApiError)) return errors.network
  const known: Words = Object.assign({}, errors.codes, ...more.map((words) => words()))
  return known[error.code] ?? errors.unknown
}

const send = <A>(url: string, body: unknown): Promise<A> =>
  request(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body)
  })

const request = async <A>(url: string, init: RequestInit): Promise<A> => (await ask(url, init)).json()

/** What asks for a second factor, or to sign in again, is asked again once that was done: by the same person, for the same account. */
export const ask = async (url: string, init: RequestInit = {}, isAgain = false): Promise<Response> => {
  const headers = new Headers(init.headers)
  if (!isAgain) for (const [name, value] of named()) if (!headers.has(name)) headers.set(name, value)
  const response = await fetch(url, { credentials: "same-origin", ...init, headers })
  if (response.ok) return response
  // What is cut off, or comes from a hotspot's own page, says nothing.
  const body: unknown = await response.json().catch(() => undefined)
  const error = new ApiError(response.status, codeOf(body, response.status))
  for (const why of outdated) if (error.code === why) onOutdated(why)
  const isDone =
    error.code === "signed_out"
      ? await onSignedOut(init.method === "POST" && !isAgain)
      : error.code === "confirm_needed" && !isAgain && (await onConfirmNeeded())
  if (isDone) return ask(url, { ...init, headers }, true)
  throw error
}

/** Our routes say `{error: {code}}`, the sign-in routes `{code}`. */
const codeOf = (body: unknown, status: number): string => {
  const { code, error } = (body ?? {}) as { code?: unknown; error?: { code?: unknown } }
  if (typeof error?.code === "string") return error.code
  if (typeof code === "string") return code
  return status === 429 ? "too_many_tries" : "unknown"
}

const urlOf = (path: string, query: object, params: Readonly<Record<string, string>> = {}): string => {
  const place = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ""))
  const filled = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === "" ? [] : [[name, String(value)] as [string, string]]
  )
  return `${root}${place}${filled.length === 0 ? "" : `?${new URLSearchParams(filled)}`}`
}
