/** What a provider's message tells of the way we reach it, our key and its address, is none of the caller's business. */
import type { Route } from "../config/settings.ts"

/** Shorter keys are found in ordinary words. */
const keyLengthMin = 8

export const hideRoute = (message: string, { apiKey, baseUrl }: Route): string => {
  const { host, hostname } = new URL(baseUrl)
  const withoutKey = apiKey.length < keyLengthMin ? message : message.replaceAll(apiKey, "[key]")
  return [host, hostname]
    .filter((name) => /[.:]/.test(name))
    .reduce((text, name) => text.replaceAll(name, "[address]"), withoutKey)
}
