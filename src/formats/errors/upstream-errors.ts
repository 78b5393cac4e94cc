/**
 * Errors of upstreams, read in whatever shape they come and put into the contract's words. Messages are still the
 * upstream's own: who answers with one hides first what it tells of us.
 */
import { nestedTooDeeply } from "../json/nesting.ts"
import { isAbsent, isJsonObject, type Json, type JsonObject, listOf, objectOf } from "../json/json.ts"
import { isContentForbidden, isOperatorsOwn, isQuotaUsedUp } from "./our-account.ts"
import type { StreamFailure } from "./stream-failure.ts"

export type ErrorType =
  | "invalid_request_error"
  | "authentication_error"
  | "insufficient_balance"
  | "permission_error"
  | "not_found_error"
  | "request_too_large"
  | "rate_limit_error"
  | "api_error"
  | "service_unavailable"

export interface UpstreamError extends StreamFailure {
  readonly status: 400 | 413 | 429 | 502
}

const unavailable = "The model's provider could not answer the request."
const refused = "The model's provider refused the request."
const outOfCapacity = "The model's provider has no capacity left for this model."

/** An upstream's HTTP error as the gateway answers it. Only what the caller can mend keeps its own status and message. */
export const readUpstreamError = (status: number, body: Uint8Array): UpstreamError => {
  const told = readBody(body)
  switch (status) {
    case 400:
    case 422:
      if (isOperatorsOwn(told)) return { status: 502, type: "api_error", message: unavailable }
      return {
        status: 400,
        ...mendable("invalid_request_error", told, refused)
      }
    case 403:
      if (isContentForbidden(told))
        return { status: 400, ...mendable("invalid_request_error", told, refused) }
      break
    case 404:
      // A thread or an item that the provider has forgotten: on this a client can send everything anew.
      if (told.details?.error_code === "thread_not_found" || told.param === "input")
        return { status: 400, ...mendable("invalid_request_error", told, unavailable) }
      break
    case 413:
      return {
        status: 413,
        ...mendable("request_too_large", told, "The request is too large for the model's provider.")
      }
    case 429:
      return { status: 429, ...limited(told) }
  }
  return { status: 502, type: "api_error", message: unavailable }
}

/** The caller's image, in those of OpenAI's words for it that say no more (`ResponseError` in its API reference). */
const imageRefused =
  /\b(image_(parse_error|too_small|file_not_found)|empty_image_file|unsupported_image_media_type|failed_to_download_image)\b/

/** An error that an upstream reported inside a stream. The argument is what stands under `error`, or the whole event. */
export const mapStreamError = (error: unknown): StreamFailure => {
  const told = readError(error as Json)
  const word = `${told.type ?? zaiTypes.get(told.code) ?? ""} ${told.code ?? ""}`.toLowerCase()
  if (/rate_?limit|throttl|too_?many|quota|exhausted|\b429\b/.test(word)) return limited(told)
  if (imageRefused.test(word) || isContentForbidden(told))
    return mendable("invalid_request_error", told, refused)
  if (
    isOperatorsOwn(told) ||
    /authenticat|permission|not_?found|denied|billing|api_?key|\b40[1-4]\b/.test(word)
  ) {
    return { type: "api_error", message: unavailable }
  }
  if (/too_?large|\b413\b/.test(word)) return mendable("request_too_large", told, "The request is too large.")
  if (/invalid|validation|context_length|filter|inspection|sensitive|polic|\b4(00|22)\b/.test(word)) {
    return mendable("invalid_request_error", told, refused)
  }
  return {
    type: "api_error",
    message: isQuotaUsedUp(told) ? unavailable : (told.message ?? unavailable)
  }
}

/** Z.ai tells of errors in streams of GLM by its codes alone: https://docs.z.ai/api-reference/api-code */
const zaiTypes: ReadonlyMap<string | undefined, string> = new Map([
  ...["1210", "1213", "1214", "1215", "1261", "1301"].map((code) => [code, "invalid_request_error"] as const),
  ...["1302", "1303", "1304", "1305", "1308", "1310"].map((code) => [code, "rate_limit_error"] as const),
  ...["1110", "1111", "1112", "1113", "1120", "1121", "1309", "1311", "1313"].map(
    (code) => [code, "billing_error"] as const
  )
])

/** The code of an error that is told in the upstream's words; what is told in ours has none of its own. */
export const codeTold = (error: unknown): string | undefined => {
  const { code, message } = readError(error as Json)
  const isOurs = message === undefined || mapStreamError(error).message !== message
  return isOurs || code === undefined || !errorCode.test(code) ? undefined : code
}

/**
 * The error that an answer with a success's status, or an event of a stream, reports: under its usual name, in a shape
 * of its own as vLLM does, or where MiniMax, Groq, OpenRouter and Ark have it.
 */
export const errorIn = (answer: JsonObject): Json | undefined =>
  answer.object === "error" || isBareError(answer)
    ? answer
    : (reported(answer) ??
      errorInStatus(answer.base_resp) ??
      errorOfGroq(answer.x_groq) ??
      errorInPart(answer.choices ?? answer.data))

/** Alibaba's and FastAPI's: nothing but what is wrong. No event of any protocol is without all of these. */
const isBareError = ({ choices, code, detail, id, message, object, type }: JsonObject): boolean =>
  (typeof detail === "string" || (typeof message === "string" && code !== undefined)) &&
  [choices, id, object, type].every((member) => member === undefined)

/**
 * Some write that there is none as `null`, `false` or an empty text. xAI has the message there, and its kind beside it:
 * https://github.com/yym68686/uni-api/issues/105
 */
const reported = ({ code, error }: JsonObject): Json | undefined =>
  typeof error === "string" && error !== "" && typeof code === "string"
    ? { code, message: error }
    : error || undefined

const statusTypes: ReadonlyMap<Json | undefined, string> = new Map([
  ...[1002, 1039, 1041, 2045, 2056].map((code) => [code, "rate_limit_error"] as const),
  ...[1004, 1008, 2049, 2061].map((code) => [code, "authentication_error"] as const),
  ...[1026, 1027, 1042, 2013].map((code) => [code, "invalid_request_error"] as const)
])

const errorInStatus = (status: Json | undefined): JsonObject | undefined => {
  if (!isJsonObject(status) || typeof status.status_code !== "number" || status.status_code === 0)
    return undefined
  return { type: statusTypes.get(status.status_code) ?? "api_error", message: status.status_msg ?? "" }
}

const errorOfGroq = (own: Json | undefined): Json | undefined =>
  isJsonObject(own) ? reported(own) : undefined

/**
 * OpenRouter's, of a choice whose provider failed after it had begun (openrouter.ai/docs, "Errors and Debugging"), and Ark's of
 * an image that its filter has kept back.
 */
const errorInPart = (parts: Json | undefined): Json | undefined => {
  for (const part of listOf(parts)) {
    if (!isJsonObject(part) || !isJsonObject(part.error)) continue
    if (isAbsent(part.finish_reason) || part.finish_reason === "error") return part.error
  }
  return undefined
}

/** The error that an upstream gave as plain JSON, with a success's status, in place of a stream, a picture or a sound. */
export const errorInsteadOfAnswer = (bytes: Buffer): StreamFailure | undefined => {
  if (!mayBeError(bytes)) return undefined
  try {
    const error = errorIn(JSON.parse(bytes.toString("utf8")) as JsonObject)
    return error === undefined ? undefined : mapStreamError(error)
  } catch {
    return undefined
  }
}

/** By its first byte and its size; of nothing yet anything may become. */
export const mayBeError = (bytes: Buffer): boolean =>
  bytes.length === 0 || (bytes[0] === openBrace && bytes.length <= errorBytesMax)

const openBrace = 123

interface Told {
  readonly type?: string
  readonly code?: string
  readonly param?: string
  readonly message?: string
  readonly details?: JsonObject
  /** The body as it came, for the few things that are found nowhere else. */
  readonly text: string
}

const mendable = (type: StreamFailure["type"], told: Told, otherwise: string): StreamFailure => ({
  type,
  message: told.message ?? otherwise,
  ...(told.param !== undefined && fieldPath.test(told.param) && { param: told.param }),
  ...(told.code !== undefined && errorCode.test(told.code) && { code: told.code }),
  ...(told.details !== undefined && { details: told.details })
})

/** Of what clients act upon, only what looks like it: anything else may be anything. */
const fieldPath = /^[A-Za-z_][\w.[\]-]{0,127}$/
const errorCode = /^[\w.-]{1,64}$/

/** A quota that is used up is the operator's own affair: the caller is told no more than that it must wait. */
const limited = (told: Told): StreamFailure =>
  isQuotaUsedUp(told)
    ? { type: "rate_limit_error", message: outOfCapacity }
    : mendable("rate_limit_error", told, "The model's provider is receiving too many requests.")

// An error page or a dump is cut; what a person can use stands at its start.
export const errorBytesMax = 64 * 1024

const readBody = (body: Uint8Array): Told => {
  const text = Buffer.from(body.buffer, body.byteOffset, Math.min(body.byteLength, errorBytesMax))
    .toString("utf8")
    .trim()
  if (text === "" || text.startsWith("<")) return { text }
  try {
    return { ...readError(JSON.parse(text) as Json), text }
  } catch {
    return { message: text, text }
  }
}

/** Finds the error in the shapes of OpenAI, Anthropic, Google (in an array), AWS (`message`, `__type`) and FastAPI (`detail`). */
const readError = (value: Json | undefined, depth = 0): Told => {
  const outer = Array.isArray(value) ? value[0] : value
  if (typeof outer === "string") return { message: outer, text: "" }
  if (!isJsonObject(outer)) return { text: "" }
  if (!isAbsent(outer.error) && depth < 3) {
    const inner = readError(outer.error, depth + 1)
    return inner.message === undefined ? { ...inner, ...messageOf(outer) } : inner
  }
  return {
    ...wordOf("type", outer.type ?? outer.__type ?? outer.status),
    ...wordOf("code", outer.code ?? outer.status_code ?? objectOf(outer.details).error_code),
    ...wordOf("param", outer.param),
    ...detailsOf(outer.details),
    ...(messageWithin(outer) ?? messageOf(outer)),
    text: ""
  }
}

/** What OpenRouter passes on from behind a message that says nothing, of a call that was refused: openrouter.ai/docs, "Provider Errors". */
const messageWithin = ({ code, message, metadata }: JsonObject): { message?: string } | undefined => {
  const { raw } = objectOf(metadata)
  if (message !== "Provider returned error" || !/^4\d\d$/.test(String(code)) || typeof raw !== "string")
    return undefined
  const told = readBody(Buffer.from(raw)).message
  return told === undefined ? undefined : { message: told }
}

const wordOf = (name: "type" | "code" | "param", value: Json | undefined) =>
  typeof value === "string" || typeof value === "number" ? { [name]: String(value) } : {}

/** What Anthropic's clients act upon: its SDKs throw another error for each code (`ErrorDetails` in their types). */
const detailsOf = (details: Json | undefined): { readonly details?: JsonObject } => {
  if (!isJsonObject(details) || !mendableCodes.has(details.error_code)) return {}
  const { error_code, max_side_length_pixels: sideMax, paths, unsupported } = details
  return {
    details: {
      error_code,
      ...(isListOf(/^[a-z_]{1,64}$/, unsupported) && { unsupported }),
      ...(typeof sideMax === "number" && { max_side_length_pixels: sideMax }),
      ...(isListOf(fieldPath, paths) && { paths })
    }
  }
}

/** What a caller can mend, or send anew without. Other codes tell of the operator's account. */
const mendableCodes: ReadonlySet<Json | undefined> = new Set(
  (
    "available_tools_limit_exceeded claude_code_version_too_old compaction_block_ambiguous compaction_block_misplaced " +
    "compaction_content_mismatch compaction_incomplete_turn compaction_nothing_to_summarize " +
    "compaction_signature_invalid compaction_too_many_tool_references compaction_tool_changes_mismatch " +
    "image_dimensions_too_large thread_already_continued thread_continue_in_flight thread_fingerprint_mismatch " +
    "thread_not_found thread_unsupported_request tool_name_conflict tool_reference_unresolved user_profile_required"
  ).split(" ")
)

const listedMax = 1_000

const isListOf = (pattern: RegExp, list: Json | undefined): boolean =>
  Array.isArray(list) &&
  list.length <= listedMax &&
  list.every((item: Json) => typeof item === "string" && pattern.test(item))

const messageOf = (error: JsonObject): { message?: string } => {
  const message = [error.message, error.Message, error.detail, error.error_description].find(
    (text) => !isAbsent(text) && text !== ""
  )
  if (message === undefined) return {}
  if (typeof message === "string") return { message }
  return nestedTooDeeply(message) ? {} : { message: JSON.stringify(message) }
}
