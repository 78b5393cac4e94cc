/**
 * What a caller may ask of the simulator beyond the provider's protocol: delays, faults, lengths, odd answers.
 *
 * Written `latency=50 tokens=64` for the whole process through `POST /_sim/defaults`, or for one call in the header
 * `x-sim`, in the prompt as `[sim: latency=50]`, or after the model's name as `gpt-5.5@latency=50,tokens=64`. Where
 * several set the same, the later of this list wins.
 */
import { ownEntry } from "./own-entry.ts"

export interface Settings {
  /** Milliseconds before the status line. */
  readonly latency: number
  /** Milliseconds between the start of a stream's answer and its first event. */
  readonly first: number
  /** Milliseconds between events. */
  readonly interval: number
  /** Tokens of text; by default a short greeting. */
  readonly tokens: number | undefined
  /** Fails with this HTTP status before anything else, with the provider's own body. */
  readonly status: number | undefined
  /** Seconds: the `retry-after` header of such a failure. */
  readonly retryAfter: number | undefined
  /** Streams: an error in the provider's in-band form after so many events. Plain: the overload error. */
  readonly failAfter: number | undefined
  /** The connection is destroyed after so many events; plain: in the middle of the body. */
  readonly cutAfter: number | undefined
  /** A clean close after so many events, without the protocol's end; plain: half of the JSON, properly ended. */
  readonly endAfter: number | undefined
  /** An event that can not be parsed after so many events; plain: 200 with text that is no JSON. */
  readonly rubbishAfter: number | undefined
  /** Never goes on: before the headers, before the first event, or after so many events. */
  readonly hang: "headers" | "first" | number | undefined
  /** A slow body: so many bytes every so many milliseconds. */
  readonly drip: { readonly bytes: number; readonly everyMs: number } | undefined
  /** About this many bytes of text, as fast as the reader takes them. */
  readonly big: number | undefined
  /** What is wrong with a plain answer's body. */
  readonly body: "html" | "text" | "empty" | "short" | undefined
  /**
   * What is told of tokens: nothing, zeros or far too much; in chat, with reasoning left out of the completion's tokens
   * (`split`), or beside the finish reason instead of in a chunk of its own (`finish`).
   */
  readonly usage: "none" | "zero" | "absurd" | "split" | "finish" | undefined
  /** Tokens told as read from the cache, beside those of the input. */
  readonly cacheRead: number
  /** Tokens told as written to it. */
  readonly cacheWrite: number
  /** Hidden reasoning tokens, counted as output. */
  readonly reasoning: number
  /** How many tools are called, whatever the prompt says. In chat one is called whole in one chunk (`bundled`), or two side by side (`interleaved`). */
  readonly tools: "none" | "one" | "two" | "bundled" | "interleaved" | undefined
  /** The tool that is called, by the end of its name. */
  readonly tool: string | undefined
  /** What it is called with, in base64url: JSON, or the text that a tool of one text takes. */
  readonly input: string | undefined
  /** Whatever the request asks for; `redacted`: nobody can read the thoughts. */
  readonly thinking: "on" | "off" | "redacted" | undefined
  /** The model answers with a refusal. */
  readonly refuse: boolean
  /** Images in an image answer, whatever `n` asked for. */
  readonly images: number | undefined
  /** A keep-alive after every so many events. */
  readonly ping: number | undefined
  /** A comment line after every event. */
  readonly comments: boolean
  /** Lines end in CR LF. */
  readonly crlf: boolean
  /** Unknown parameters are let through, as a provider of tomorrow would. */
  readonly lenient: boolean
}

export const noSettings: Settings = {
  latency: 0,
  first: 0,
  interval: 0,
  tokens: undefined,
  status: undefined,
  retryAfter: undefined,
  failAfter: undefined,
  cutAfter: undefined,
  endAfter: undefined,
  rubbishAfter: undefined,
  hang: undefined,
  drip: undefined,
  big: undefined,
  body: undefined,
  usage: undefined,
  cacheRead: 0,
  cacheWrite: 0,
  reasoning: 0,
  tools: undefined,
  tool: undefined,
  input: undefined,
  thinking: undefined,
  refuse: false,
  images: undefined,
  ping: undefined,
  comments: false,
  crlf: false,
  lenient: false
}

const undefinedValue = Symbol("not a value of this setting")
/** Gives `undefinedValue` for what the setting can not be. */
type Reader = (text: string) => unknown

const count: Reader = (text) => (/^\d+$/.test(text) ? Number(text) : undefinedValue)
const flag: Reader = (text) => (text === "1" ? true : text === "0" ? false : undefinedValue)
const oneOf =
  (...words: ReadonlyArray<string>): Reader =>
  (text) =>
    words.includes(text) ? text : undefinedValue

const word: Reader = (text) => (/^[\w.:-]+$/.test(text) ? text : undefinedValue)

const hang: Reader = (text) => {
  if (text === "headers" || text === "first") return text
  return text.startsWith("after:") ? count(text.slice("after:".length)) : undefinedValue
}

const drip: Reader = (text) => {
  const [, bytes, everyMs] = /^(\d+)\/(\d+)$/.exec(text) ?? []
  return bytes === undefined || Number(bytes) === 0
    ? undefinedValue
    : { bytes: Number(bytes), everyMs: Number(everyMs) }
}

/** By the names under which callers write them. */
const readers: Readonly<Record<string, readonly [keyof Settings, Reader]>> = {
  latency: ["latency", count],
  first: ["first", count],
  interval: ["interval", count],
  tokens: ["tokens", count],
  status: ["status", count],
  "retry-after": ["retryAfter", count],
  fail_after: ["failAfter", count],
  cut_after: ["cutAfter", count],
  end_after: ["endAfter", count],
  rubbish_after: ["rubbishAfter", count],
  hang: ["hang", hang],
  drip: ["drip", drip],
  big: ["big", count],
  body: ["body", oneOf("html", "text", "empty", "short")],
  usage: ["usage", oneOf("none", "zero", "absurd", "split", "finish")],
  cache_read: ["cacheRead", count],
  cache_write: ["cacheWrite", count],
  reasoning: ["reasoning", count],
  tools: ["tools", oneOf("none", "one", "two", "bundled", "interleaved")],
  tool: ["tool", word],
  input: ["input", word],
  thinking: ["thinking", oneOf("on", "off", "redacted")],
  refuse: ["refuse", flag],
  images: ["images", count],
  ping: ["ping", count],
  comments: ["comments", flag],
  crlf: ["crlf", flag],
  lenient: ["lenient", flag]
}

/**
 * What the text sets, laid over `base`; an answer in words says which setting is unknown, so that a test's typing error
 * is loud.
 */
export const parseSettings = (text: string, base: Settings = noSettings): Settings | string => {
  const settings: Record<string, unknown> = { ...base }
  for (const word of text.split(/[\s,]+/)) {
    if (word === "") continue
    const equals = word.indexOf("=")
    const reader = ownEntry(readers, word.slice(0, equals))
    const value = reader === undefined ? undefinedValue : reader[1](word.slice(equals + 1))
    if (reader === undefined || value === undefinedValue) return `The simulator has no setting '${word}'.`
    settings[reader[0]] = value
  }
  return settings as unknown as Settings
}

/** The text of a `[sim: …]` in a prompt. */
export const directiveIn = (prompt: string): string | undefined => {
  const start = prompt.lastIndexOf("[sim:")
  if (start === -1) return undefined
  const end = prompt.indexOf("]", start)
  return end === -1 ? undefined : prompt.slice(start + "[sim:".length, end)
}

/** A model's name and the settings after its `@`. Bedrock's own ids and others never hold one. */
export const splitModel = (
  name: string
): { readonly model: string; readonly directive: string | undefined } => {
  const at = name.indexOf("@")
  return at === -1 || !name.includes("=", at)
    ? { model: name, directive: undefined }
    : { model: name.slice(0, at), directive: name.slice(at + 1) }
}

/** Settings from every place a call may carry them, the most particular last. */
export const gatherSettings = (
  defaults: Settings,
  ...directives: ReadonlyArray<string | undefined>
): Settings | string => {
  let settings = defaults
  for (const directive of directives) {
    if (directive === undefined || directive === "") continue
    const next = parseSettings(directive, settings)
    if (typeof next === "string") return next
    settings = next
  }
  return settings
}
