/** How the routes of a provider are reached where it takes more than their address: a proxy, authorities and a certificate of their own. */
import { Effect } from "effect"
import { X509Certificate } from "node:crypto"
import { resolve } from "node:path"
import { createSecureContext } from "node:tls"
import { withProtocol } from "./codecs.ts"
import { chooseProxy, placeOf, type Proxies } from "./choose-proxy.ts"
import { allOrNone } from "./environment-settings.ts"
import type { RouteInFile } from "./file-settings.ts"
import { readText } from "./read-text.ts"
import { BadSetting, type Passage } from "./settings.ts"

export interface PassageSettings {
  readonly proxies: Proxies
  /** `proxy` of the provider. */
  readonly proxy: string | null | undefined
  /** Files are named from where the settings file lies. */
  readonly folder: string
}

/** `setting` is how errors call the route. Nothing, where the route is reached as any place is. */
export const readPassage = Effect.fnUntraced(function* (
  setting: string,
  route: Pick<RouteInFile, "base_url" | "proxy" | "ca" | "client_certificate" | "client_key">,
  { folder, proxies, proxy }: PassageSettings
) {
  const chosen = route.proxy ?? proxy ?? chooseProxy(proxies, placeOf(route.base_url))
  const read = (name: string, path: string | null | undefined) =>
    path == null ? Effect.undefined : readText(`${setting}.${name}`, resolve(folder, path))
  const authorities = yield* read("ca", route.ca)
  const certificate = yield* read("client_certificate", route.client_certificate)
  const key = yield* read("client_key", route.client_key)
  yield* allOrNone({ [`${setting}.client_certificate`]: certificate, [`${setting}.client_key`]: key })
  if ((authorities ?? certificate) !== undefined && !placeOf(route.base_url).isSecure) {
    const reason = "must be https where the route has a certificate or an authority of its own"
    return yield* new BadSetting({ setting: `${setting}.base_url`, reason })
  }
  if (authorities !== undefined) yield* checkEach(`${setting}.ca`, authorities)
  if (certificate !== undefined)
    yield* check(`${setting}.client_certificate`, () => createSecureContext({ cert: certificate, key }))
  const passage: Passage = {
    ...(chosen !== undefined && chosen !== direct && { proxy: withProtocol(chosen) }),
    ...(authorities !== undefined && { authorities }),
    ...(certificate !== undefined && { certificate, key })
  }
  return Object.keys(passage).length === 0 ? {} : { passage }
})

/** Stands where a proxy could, for a route that is reached without one. */
const direct = "none"

/** TLS would take those of a bundle up to the first that can not be read, and say nothing. */
const checkEach = (setting: string, bundle: string) => {
  const certificates = bundle.split(/(?=-----BEGIN [A-Z\d ]*CERTIFICATE-----)/)
  // What stands before the first is a comment, or a key.
  if (certificates.length > 1 && !/^-----BEGIN [A-Z\d ]*CERTIFICATE-----/.test(certificates[0]!))
    certificates.shift()
  return Effect.forEach(
    certificates,
    (certificate, index) =>
      check(
        setting,
        () => new X509Certificate(certificate),
        `certificate ${index + 1} of ${certificates.length}: `
      ),
    { discard: true }
  )
}

const check = (setting: string, read: () => unknown, which = "") =>
  Effect.try({
    try: read,
    catch: (cause) =>
      new BadSetting({
        setting,
        reason: `can not be used (${which}${(cause as NodeJS.ErrnoException).code ?? "not PEM"})`
      })
  })
