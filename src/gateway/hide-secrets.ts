/**
 * What a provider's words tell of the way we reach it (our keys, its address, our account with it) is none of the
 * caller's business. Every failure that a provider tells in words of its own passes here.
 */
import { isIPv6 } from "node:net"
import type { ProviderSettings } from "../config/settings.ts"
import type { StreamFailure } from "../formats/errors/stream-failure.ts"
import { SecretFinder } from "./SecretFinder.ts"

const messageLengthMax = 2_000
/** Beyond it nothing is read, so that no message takes long. */
const readLengthMax = 2 * messageLengthMax

export const hideSecrets = <Failure extends StreamFailure>(
  failure: Failure,
  provider: ProviderSettings
): Failure => {
  const { code, details, message, param, ...rest } = failure
  const hide = hiderOf(provider)
  const isClean = (text: string | undefined): text is string => text !== undefined && hide(text) === text
  return {
    ...rest,
    message: hide(message.slice(0, readLengthMax)).slice(0, messageLengthMax),
    ...(isClean(param) && { param }),
    ...(isClean(code) && { code }),
    ...(details !== undefined && isClean(JSON.stringify(details)) && { details })
  } as Failure
}

type Hide = (text: string) => string

/** Settings that are read again are other objects, whose secrets are other ones. */
const hiders = new WeakMap<ProviderSettings, Hide>()

const hiderOf = (provider: ProviderSettings): Hide => {
  const known = hiders.get(provider)
  if (known !== undefined) return known
  const secrets = new SecretFinder(secretsOf(provider))
  const addresses = addressesOf(provider)
  const hide: Hide = (text) => {
    const withoutSecrets = secrets.hide(text)
    const withoutAddresses =
      addresses === undefined ? withoutSecrets : withoutSecrets.replace(addresses, "[address]")
    return withoutIpv6(
      patterns.reduce((shown, [pattern, name]) => shown.replace(pattern, name), withoutAddresses)
    )
  }
  hiders.set(provider, hide)
  return hide
}

const secretsOf = ({ aws, routes }: ProviderSettings): ReadonlyArray<string> =>
  [
    ...routes.flatMap(({ apiKey, passage }) => [apiKey, ...credentialsOf(passage?.proxy)]),
    aws?.accessKeyId,
    aws?.secretAccessKey,
    aws?.sessionToken,
    aws?.bearerToken
  ].filter((secret) => secret !== undefined)

/** What a proxy on the way there asks for. */
const credentialsOf = (proxy: string | undefined): ReadonlyArray<string> => {
  if (proxy === undefined) return []
  const { password, username } = new URL(proxy)
  return [username, password].map(decodeURIComponent)
}

/** Names of hosts, and parts of paths that name an account; a single short word is found in ordinary text. */
const addressesOf = ({ routes }: ProviderSettings): RegExp | undefined => {
  const places = routes.flatMap(({ baseUrl, passage }) => [baseUrl, passage?.proxy ?? baseUrl])
  const names = places.flatMap((place) => {
    const { host, hostname, pathname } = new URL(place)
    const accounts = pathname.split("/").filter((part) => part.length >= 16 && /\d/.test(part))
    return [host, hostname].filter((name) => /[.:]/.test(name) || name.length >= 8).concat(accounts)
  })
  if (names.length === 0) return undefined
  // Of two that begin alike the longer one goes first.
  const sorted = [...new Set(names)].toSorted((left, right) => right.length - left.length)
  return new RegExp(sorted.map(escaped).join("|"), "gi")
}

const escaped = (name: string): string => name.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&")

/** Keys, addresses and accounts that we do not know of, such as those of a provider's own provider. */
const patterns: ReadonlyArray<readonly [RegExp, string]> = [
  [/\b(?:sk|pk|rk|ak|xai|gsk|tg-mgmt)-[\w*-]{8,}/gi, "[key]"],
  [/\bAIza[\w-]{10,}|\b(?:AKIA|ASIA)[A-Z0-9]{12,}/g, "[key]"],
  [/\barn:aws[\w-]*:\S+/gi, "[resource]"],
  [/\bprojects\/[\w-]{4,}/gi, "[resource]"],
  // Kimi's: https://github.com/MoonshotAI/kimi-cli/issues/1599
  [/\b(account )[a-z0-9]{16,}(?=\s?<)/gi, "$1[account]"],
  [/\b(?:org|proj|acct)[-_][A-Za-z0-9]{6,}/g, "[account]"],
  [
    /\b(org\w*|account|project|workspace|team|key|tenant|subscription)(\W{1,4}(?:id)?\W{0,4})(?:[0-9a-f]{8}-[0-9a-f-]{20,28}|\d{10,12})\b/gi,
    "$1$2[account]"
  ],
  [/\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s"'<>)]+/gi, "[address]"],
  [/\b\d{1,3}(?:\.\d{1,3}){3}\b(?::\d+)?/g, "[address]"]
]

const withoutIpv6 = (text: string): string =>
  text.replace(/[0-9a-f:.]{3,}/gi, (found) => (isIPv6(found) ? "[address]" : found))
