/**
 * On what terms a request goes up: which tier, how fast, in which region. What has no factor is not bought: the members say
 * the provider's standard then. A region is a promise to the caller, so it is bought or refused.
 */
import type { Model } from "../domain/catalogue.ts"
import { standardNames, type Terms } from "../domain/surcharges.ts"
import { refuse } from "./json/fields.ts"
import { isAbsent, type Json, type JsonObject } from "./json/json.ts"
import type { Member } from "./json/scan.ts"
import { type Edit, removeMembers, replaceValue } from "./json/splice.ts"
import type { HostedTool } from "./particulars/hosted-tools.ts"
import type { UpstreamSide } from "./Pair.ts"

export interface TermsSent {
  readonly terms: Terms
  /** What the body must say instead of what it says. */
  readonly edits: ReadonlyArray<Edit>
}

/** What goes up, as far as it is known. */
interface Sent {
  readonly body: JsonObject
  readonly members: ReadonlyArray<Member>
}

/** `asked` is what the client said. */
export const settleTerms = (
  model: Model,
  standardTier: UpstreamSide["standardTier"],
  asked: JsonObject,
  sent: Sent
): TermsSent => {
  const { body, members } = sent
  const { tiers } = model.surcharges
  const region = regionOf(asked.inference_geo, body.inference_geo, tiers)
  const { edits, terms } = settleTier(model, standardTier, sent)
  const speed = textOf(body.speed)
  const isBought = speed === undefined || standardNames.has(speed) || tiers.has(speed)
  return {
    terms: { ...terms, speed: isBought ? speed : undefined, region },
    edits: [...edits, ...(isBought ? [] : removeMembers(members, ({ name }) => name === "speed"))]
  }
}

/** The tier alone: of images and speech nothing else is sold at several prices, and a speed is that of a voice. */
export const settleTier = (
  model: Model,
  standardTier: UpstreamSide["standardTier"],
  { body, members }: Sent
): TermsSent => {
  const asked = textOf(body.service_tier)
  const tier = boughtTier(model, standardTier, asked)
  const edits = tier === asked ? [] : replaceValue(members, "service_tier", JSON.stringify(tier))
  return { terms: { tier }, edits }
}

/** The tier that goes up in place of the one that is asked for; `undefined` where none is. */
export const boughtTier = (
  { surcharges }: Model,
  standardTier: UpstreamSide["standardTier"],
  asked: string | undefined
): string | undefined =>
  asked === undefined || isAffordable(asked, standardTier, surcharges.tiers) ? asked : standardTier

/** Cheaper tiers are nobody's loss. */
const cheaper: ReadonlySet<string> = new Set(["flex"])

/** `auto` buys what Anthropic sells by the year, and says with OpenAI what saying nothing says. */
const isAffordable = (
  tier: string,
  standardTier: UpstreamSide["standardTier"],
  tiers: ReadonlyMap<string, unknown>
): boolean => {
  if (tier === "auto") return standardTier !== "standard_only" || tiers.has("priority")
  return standardNames.has(tier) || cheaper.has(tier) || tiers.has(tier)
}

const regionOf = (
  asked: Json | undefined,
  sent: Json | undefined,
  tiers: ReadonlyMap<string, unknown>
): string | undefined => {
  if (isAbsent(asked) || asked === "global") return undefined
  const region = textOf(asked)
  if (region === undefined) return refuse("inference_geo", "must be a string")
  if (sent !== asked || !tiers.has(region)) refuse("inference_geo", "can not be chosen for this model")
  return region
}

const textOf = (value: Json | undefined): string | undefined =>
  typeof value === "string" ? value : undefined

/** Tools that the provider runs, where the operator does not have them sold. */
export const refuseHostedTools = (model: Model, hosted: ReadonlyArray<HostedTool>): void => {
  const [first] = hosted
  if (model.surcharges.refusesHostedTools && first !== undefined)
    refuse(first.field, "tools that the provider of this model runs are not served here")
}
