/** What of the settings must be the same on all nodes, since calls would cost or be limited otherwise by where they come in. */
import { createHash } from "node:crypto"
import { isJsonRecord } from "../domain/json-record.ts"
import { localUrl } from "./load-settings.ts"
import type {
  EinvoiceSettings,
  ProviderSettings,
  RetentionSettings,
  Settings,
  TopUpSettings
} from "./settings.ts"

/** By the part's name in `tollgate.yaml`, or as README tells of it: SHA-256, in hex. Compared between nodes that both tell a part. */
export type SettingsParts = Readonly<Record<string, string>>

export const settingsParts = (settings: Settings): SettingsParts => {
  const { aliases, catalogue, hedge, limits, providers, retention, webhooks } = settings
  const { callTimeoutSeconds, holdOutputTokens, maxBodyBytes } = limits
  return {
    models: hash([catalogue, aliases, surchargesOf(providers)]),
    // Each node's simulator listens on a port of its own.
    providers: settings.simulated ? simulatedPart : hash(Object.values(providers).map(routesOf)),
    limits: hash({ callTimeoutSeconds, holdOutputTokens, maxBodyBytes }),
    hedge: hash(hedge),
    retention: retentionPart(retention),
    trust_proxy: hash(settings.trustProxy),
    private_ranges: hash(webhooks.privateRanges),
    public_url: hash(toldUrl(settings)),
    ...(settings.hasDashboard && pagesParts(settings))
  }
}

/** Months go by it for good: with an archive or without is not the same, where it lies is each machine's own. */
export const retentionPart = ({ archive, callsDays }: RetentionSettings): string =>
  hash(callsDays === undefined ? undefined : { callsDays, isArchived: archive !== undefined })

/** Of what pages and jobs alone tell and ask; a node without them need not know it. */
const pagesParts = (settings: Settings) => ({
  issuer: hash(settings.issuer),
  bank: hash(settings.topUp.bank),
  messenger: messengerPart(settings.topUp),
  mail: hash(settings.mail?.from),
  einvoice: hash(einvoiceOf(settings.einvoice)),
  oauth: hash(settings.oauth.map(({ clientId, provider }) => ({ provider, clientId }))),
  second_factor: hash(settings.operatorsNeedSecondFactor)
})

/** `PUBLIC_URL`, if that was given: else each node has a port of its own. */
export const toldUrl = ({ host, port, publicUrl }: Settings): string | undefined =>
  publicUrl === localUrl(host, port) ? undefined : publicUrl

/** Which of its secrets are set, and nothing of what they are. */
const messengerPart = ({ casso, payos, sepay }: TopUpSettings): string => {
  const set = Object.entries({ sepay, casso, payos }).flatMap(([name, secrets]) =>
    Object.entries(secrets ?? {}).flatMap(([secret, value]) =>
      value === undefined ? [] : [`${name}.${secret}`]
    )
  )
  return set.length === 0 ? notSet : hash(set)
}

const einvoiceOf = (einvoice: EinvoiceSettings | undefined) =>
  einvoice && Object.fromEntries(Object.entries(einvoice).filter(([name]) => !name.startsWith("client")))

const surchargesOf = (providers: Settings["providers"]) =>
  Object.values(providers).map(({ name, surcharges }) => ({ name, surcharges }))

/** Without keys and credentials, which nothing of may leave the process. */
const routesOf = ({ aws, name, onClientLeave, routes, style }: ProviderSettings) => ({
  name,
  style,
  onClientLeave,
  ...(aws && { region: aws.region, inferenceProfile: aws.inferenceProfile }),
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

/** The part of what is not set. */
export const notSet = hash(undefined)

/** The providers of a node whose answers are made up. */
export const simulatedPart = hash("simulated")
