/** What of the settings must be the same on all nodes, since calls would cost or be limited otherwise by where they come in. */
import { createHash } from "node:crypto"
import { isJsonRecord } from "../domain/json-record.ts"
import type { ProviderSettings, Settings } from "./settings.ts"

/** By the part's name in `tollgate.yaml`, or as README tells of it: SHA-256, in hex. */
export type SettingsParts = Readonly<Record<string, string>>

export const settingsParts = (settings: Settings): SettingsParts => {
  const { aliases, catalogue, hedge, issuer, limits, providers, retention, topUp } = settings
  const { callTimeoutSeconds, holdOutputTokens, maxBodyBytes } = limits
  return {
    models: hash([catalogue, aliases, surchargesOf(providers)]),
    // Each node's simulator listens on a port of its own.
    providers: hash(settings.simulated ? "simulated" : Object.values(providers).map(routesOf)),
    limits: hash({ callTimeoutSeconds, holdOutputTokens, maxBodyBytes }),
    hedge: hash(hedge),
    retention: hash(retention.callsDays),
    issuer: hash(issuer),
    bank: hash(topUp.bank),
    second_factor: hash(settings.operatorsNeedSecondFactor)
  }
}

const surchargesOf = (providers: Settings["providers"]) =>
  Object.values(providers).map(({ name, surcharges }) => ({ name, surcharges }))

/** Without keys and credentials, which nothing of may leave the process. */
const routesOf = ({ name, onClientLeave, routes, style }: ProviderSettings) => ({
  name,
  style,
  onClientLeave,
  routes: routes.map(({ baseUrl, id, models, priority, weight }) => ({
    id,
    baseUrl,
    priority,
    weight,
    models
  }))
})

const hash = (part: unknown): string =>
  createHash("sha256")
    .update(JSON.stringify(part ?? null, inOrder))
    .digest("hex")

/** Files may name the same members in another order. */
const inOrder = (_: string, value: unknown): unknown => {
  if (typeof value === "bigint") return String(value)
  if (!isJsonRecord(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
}
