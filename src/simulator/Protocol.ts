/** What every simulated provider interface offers to the server. */
import { isJsonObject, type JsonObject } from "../formats/json/json.ts"
import type { Answer, PlainAnswer } from "./http/Answer.ts"
import { jsonIn } from "./read-json.ts"
import type { Settings } from "./settings.ts"

/** What a provider says about a request it does not take. */
export interface Complaint {
  readonly message: string
  /** The parameter that is at fault, for protocols that name it. */
  readonly param?: string | null
  readonly code?: string | null
  /** Else 400, and 401 for strangers. */
  readonly status?: number
}

export interface Call {
  /** In small letters. */
  readonly method: string
  readonly path: string
  /** Without its `?`. */
  readonly query: string
  readonly headers: Readonly<Record<string, string>>
  /** The body as it came. */
  readonly raw: Buffer
}

/** A call whose caller is known and whose body could be read. */
export interface Request {
  readonly call: Call
  readonly body: JsonObject
  /** Without the settings behind its `@`. */
  readonly model: string
  readonly settings: Settings
}

export interface Protocol {
  /** The error body with the provider's own status, headers and words; a known status without a complaint has usual words. */
  readonly refuse: (status: number, complaint?: Complaint) => PlainAnswer
  /** The status of a provider that has too much to do. */
  readonly overloaded: number
  /** `undefined` where the caller may call. */
  readonly authenticate: (call: Call) => Complaint | undefined
  /** The body, or what is wrong with it. */
  readonly parse: (call: Call) => { readonly body: JsonObject } | Complaint
  readonly model: (call: Call, body: JsonObject) => string
  /** The text that may hold settings. */
  readonly prompt: (body: JsonObject) => string
  readonly answer: (request: Request) => Answer | Complaint
}

/** The `parse` of interfaces that take a JSON object. */
export const parseJson = (call: Call, malformed: Complaint): { readonly body: JsonObject } | Complaint => {
  const body = jsonIn(call.raw.toString())
  return isJsonObject(body) ? { body } : malformed
}

/** What is wrong by one rule, if anything. */
export type Rule<A> = (request: A) => Complaint | undefined

export const firstComplaint = <A>(rules: ReadonlyArray<Rule<A>>, request: A): Complaint | undefined => {
  for (const rule of rules) {
    const complaint = rule(request)
    if (complaint !== undefined) return complaint
  }
  return undefined
}
