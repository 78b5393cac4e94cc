/** The forms that settings may have, shared by the environment and the file; their messages never hold a value. */
import { Schema, SchemaIssue } from "effect"
import { isIP } from "node:net"
import { isTaxCode } from "../domain/tax-code.ts"
import { BadSetting } from "./settings.ts"

const text = (expected: string, holds: (value: string) => boolean) =>
  Schema.String.check(Schema.makeFilter<string>(holds, { expected }))

/** `URL` takes spaces around it; whoever joins a path to the text does not. */
const isUrlOf = (protocols: ReadonlyArray<string>) => (value: string) => {
  const url = URL.parse(value)
  return url !== null && protocols.includes(url.protocol) && value.trim() === value
}

/** Several servers may stand in one address, each perhaps with a port, which makes it no URL. */
const isPostgresUrl = (value: string) => {
  const [, before, servers, after] = /^([^/]*\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/.exec(value) ?? []
  const isUrl = isUrlOf(["postgres:", "postgresql:"])
  return (
    isPercentEncoded(value) &&
    servers?.split(",").every((server) => isUrl(`${before}${server}${after}`)) === true
  )
}

const isPlainBase = (value: string) => {
  const url = URL.parse(value)
  return url !== null && url.search === "" && url.hash === "" && url.username === "" && url.password === ""
}

/** A base address to which paths are appended. */
export const BaseUrl = text(
  "an http or https address without user, query or fragment",
  (value) => isUrlOf(["http:", "https:"])(value) && isPlainBase(value)
)
export const PostgresUrl = text(
  "a postgres:// or postgresql:// address, with %25 for a % in it",
  isPostgresUrl
)
/** `smtp:mail.example.com` is a URL, and names no server. */
export const SmtpUrl = text(
  "an smtp:// or smtps:// address",
  (value) => isUrlOf(["smtp:", "smtps:"])(value) && URL.parse(value)?.hostname !== ""
)

/** Of a proxy; `host:port` alone is one of http. */
export const ProxyUrl = text("an http or https address of a proxy", isProxy)

/** A secret that is sent in a header. */
export const Secret = text("printable ASCII characters without spaces", (value) =>
  /^[\x21-\x7e]+$/.test(value)
)
export const HostName = text("a host name or IP address", (value) => /^[\w.:-]+$/.test(value))
export const AddressRange = text("an IP address, or a range of them as 10.0.0.0/8", (value) => {
  const [address, bits, ...more] = value.split("/") as [string, ...Array<string>]
  const bitsMax = { 0: -1, 4: 32, 6: 128 }[isIP(address)]!
  return bitsMax > 0 && more.length === 0 && (bits === undefined || isWhole(bits, bitsMax))
})
export const BankBin = text("six digits", (value) => /^\d{6}$/.test(value))
export const BankAccount = text("1 to 19 letters and digits", (value) => /^[0-9A-Za-z]{1,19}$/.test(value))
export const Line = text("one line of text", (value) => /^[^\r\n]+$/.test(value))
/** Whom mail comes from. */
export const Sender = text("a mail address, or a name and <a mail address>", (value) =>
  /^([^\s<>@]+@[^\s<>@]+|[^\r\n<>]*<[^\s<>@]+@[^\s<>@]+>)$/.test(value.trim())
)
export const TaxCode = text("a tax code of 10, 10-3 or 12 digits", isTaxCode)
export const Port = whole(0, 65_535)
export const ThreadCount = whole(1, 256)

const isWhole = (value: string, most: number) => /^\d{1,3}$/.test(value) && Number(value) <= most

/** Comma-separated keys; the forms with and without padding are taken. */
export const SealKeys = text("32 bytes in base64, or several of these with commas between", (value) =>
  value.split(",").every((key) => /^[0-9A-Za-z+/]{43}=?$/.test(key.trim()))
)

function isProxy(value: string): boolean {
  const url = URL.parse(withProtocol(value))
  if (url === null || !/^https?:$/.test(url.protocol) || url.hostname === "") return false
  return (
    url.pathname === "/" &&
    url.search === "" &&
    url.hash === "" &&
    isPercentEncoded(url.username + url.password)
  )
}

export const withProtocol = (proxy: string): string => (proxy.includes("://") ? proxy : `http://${proxy}`)

const isPercentEncoded = (value: string): boolean => {
  try {
    decodeURIComponent(value)
    return true
  } catch {
    return false
  }
}

export function whole(minimum: number, maximum: number) {
  return Schema.Int.check(
    Schema.makeFilter<number>((value) => value >= minimum && value <= maximum, {
      expected: `a whole number from ${minimum} to ${maximum}`
    })
  )
}

export const withoutTrailingSlash = (url: string): string => url.replace(/\/+$/, "")

const issuesOf = SchemaIssue.makeFormatterStandardSchemaV1()

/** The first thing that is wrong, in one line. `under` is the name of what was decoded, empty for the file itself. */
export const badSetting = (under: string, issue: SchemaIssue.Issue): BadSetting => {
  const [first] = issuesOf(issue).issues
  const path = (first?.path ?? []).map((part) => (typeof part === "object" ? part.key : part))
  return new BadSetting({
    setting: under === "" || path.length > 0 ? settingName(path) : under,
    reason:
      first?.message === "Expected no excess property"
        ? "there is no such setting"
        : (first?.message ?? "can not be used")
            .replace(/^Missing key$/, "is missing")
            .replace(/^Expected /, "must be ")
            .replace("a string representing a finite number", "a number")
            .replaceAll("\n", " ")
  })
}

/** `providers.openai.routes[0].base_url` */
export const settingName = (path: ReadonlyArray<PropertyKey>): string =>
  path.reduce<string>((name, part) => {
    if (typeof part === "number") return `${name}[${part}]`
    return name === "" ? String(part) : `${name}.${String(part)}`
  }, "") || "the file"
