/** What of the settings must be the same on all nodes, since calls would cost or be limited otherwise by where they come in. */
import { createHash } from "node:crypto"
import { isJsonRecord } from "../domain/json-record.ts"
import type { ProviderSettings, Settings } from "./settings.ts"

/** By the part's name in `tollgate.yaml`, or as README tells of it: SHA-256, in hex. Compared between nodes that both tell a part. */
export type SettingsParts = Readonly<Record<string, string>>

export const settingsParts = (settings: Settings): SettingsParts => {
  const { aliases, catalogue, hedge, limits, providers, retention } = settings
  const { callTimeoutSeconds, holdOutputTokens, maxBodyBytes } = limits
  return {
    models: hash([catalogue, aliases, surchargesOf(providers)]),
    // Each node's simulator listens on a port of its own.
    providers: hash(settings.simulated ? "simulated" : Object.values(providers).map(routesOf)),
    limits: hash({ callTimeoutSeconds, holdOutputTokens, maxBodyBytes }),
    hedge: hash(hedge),
    retention: hash(retention.callsDays),
    ...(settings.hasDashboard && pagesParts(settings))
  }
}

/** Of what pages alone tell and ask; a node without them need not know it. */
const pagesParts = ({ issuer, operatorsNeedSecondFactor, topUp }: Settings) => ({
  issuer: hash(issuer),
  bank: hash(topUp.bank),
  second_factor: hash(operatorsNeedSecondFactor)
})

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
  // A map is no members to JSON: two of other prices would be alike.
  const members: ReadonlyArray<[string, unknown]> = value instanceof Map ? [...value] : Object.entries(value)
  return Object.fromEntries(members.toSorted(([one], [other]) => (one < other ? -1 : 1)))
}
