/** From an added route as it lies in the database to the route that calls go by. */
import { chooseProxy, placeOf } from "../config/choose-proxy.ts"
import type { OpenRoute } from "../config/lay-routes.ts"
import type { Settings } from "../config/settings.ts"
import type { AddedRoute } from "../domain/route-changes.ts"
import { checkPlace, publicOr } from "../outgoing/public-address.ts"
import { openText, sealText } from "./seal-key.ts"
import type { SealKeys } from "./SealKeys.ts"

const routePlace = (routeId: string) => ({ kind: "route", id: routeId })

export const sealRouteKey = ({ current }: SealKeys["Service"], routeId: string, key: string) => ({
  sealed: sealText(current, routePlace(routeId), key),
  sealKeyId: current.id
})

const openRouteKey = (
  sealKeys: SealKeys["Service"],
  { id, sealedKey, sealKeyId }: AddedRoute
): string | undefined => {
  if (sealedKey === undefined) return ""
  const sealKey = sealKeys.find(sealKeyId ?? "")
  return sealKey && openText(sealKey, routePlace(id), sealedKey)
}

/** What is wrong with a base address, if anything. `privateRanges` may be reached though they are not public, and make plain http allowed. */
export const problemOfBase = (baseUrl: string, privateRanges: ReadonlyArray<string>): string | undefined => {
  const url = checkPlace(baseUrl, publicOr(privateRanges))
  if (typeof url === "string") return url
  if (url.search !== "" || url.hash !== "") return "it has a query or a fragment"
  return url.protocol === "http:" && privateRanges.length === 0 ? "it is not an https URL" : undefined
}

/** `undefined` where the address may not be called any more, or no key here opens what was sealed. */
export const openRoute =
  (sealKeys: SealKeys["Service"], { proxies, webhooks }: Settings): OpenRoute =>
  (route) => {
    const { baseUrl, id, models, priority } = route
    const { privateRanges } = webhooks
    const apiKey = openRouteKey(sealKeys, route)
    if (apiKey === undefined || problemOfBase(baseUrl, privateRanges) !== undefined) return undefined
    const proxy = chooseProxy(proxies, placeOf(baseUrl))
    return {
      id,
      baseUrl,
      apiKey,
      priority,
      weight: 1,
      ...(models.length > 0 && { models }),
      passage: { publicOr: privateRanges, ...(proxy !== undefined && { proxy }) }
    }
  }
