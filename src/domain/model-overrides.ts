/** Prices and availability that operators change while the service runs, laid over the catalogue. */
import type { Model } from "./catalogue.ts"
import { microVndPerVnd, parseVnd } from "./money.ts"
import { priceVndMax, type Unit, unitOf, vndOf } from "./price.ts"

/** `price_vnd` is per million tokens or per request, as the model is priced; `null` leaves the catalogue's price. */
export type SetOverride = {
  readonly price_vnd: number | null
  /** No longer served nor listed. */
  readonly disabled: boolean
}

export type ModelOverride = SetOverride & {
  /** What the price was set for, where that is known: for a model that is sold by another it is none. */
  readonly unit?: Unit | null
  /** Prices that hold from a moment on, the earliest first. */
  readonly later?: ReadonlyArray<LaterPrice>
}

export interface LaterPrice {
  readonly from_ms: number
  readonly price_vnd: number | null
  readonly unit?: Unit | null
}

export type ModelOverrides = Readonly<Record<string, ModelOverride>>

export const isPriceVnd = (value: unknown): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0 && value <= priceVndMax

/** What stands in the settings, without anything that is not an override. */
export const readModelOverrides = (value: unknown): Readonly<Record<string, SetOverride>> => {
  if (typeof value !== "object" || value === null) return {}
  return Object.fromEntries(
    Object.entries(value).flatMap(([id, entry]: [string, unknown]) => {
      if (typeof entry !== "object" || entry === null) return []
      const { disabled, price_vnd: price } = entry as Readonly<Record<string, unknown>>
      if (price !== null && price !== undefined && !isPriceVnd(price)) return []
      return [[id, { price_vnd: isPriceVnd(price) ? price : null, disabled: disabled === true }]]
    })
  )
}

/** From when to when all prices are as they are at a moment: up to, but without, `untilMs`. */
export const spanOf = (
  overrides: ModelOverrides,
  atMs: number
): { readonly fromMs: number; readonly untilMs: number } => {
  const changes = Object.values(overrides).flatMap(({ later = [] }) => later.map((price) => price.from_ms))
  return {
    fromMs: Math.max(...changes.filter((fromMs) => fromMs <= atMs), -Infinity),
    untilMs: Math.min(...changes.filter((fromMs) => fromMs > atMs), Infinity)
  }
}

/** A price raised, or lowered, by a percentage of two decimals at most, to the nearest whole dong, halves up. */
export const changeByPercent = (priceVnd: number, percent: string): number | undefined => {
  const share = parseVnd(percent)
  if (share === undefined) return undefined
  const hundred = 100n * microVndPerVnd
  const doubled = 2n * BigInt(priceVnd) * (hundred + share)
  const changed = Number((doubled + hundred) / (2n * hundred))
  return share > -hundred && isPriceVnd(changed) ? changed : undefined
}

/** `null`, the catalogue's, also where it was set for another unit than the model is sold by. */
const priceIn = ({ price }: Model, said: Pick<ModelOverride, "price_vnd" | "unit">): number | null =>
  (said.unit ?? unitOf(price)) === unitOf(price) ? said.price_vnd : null

/** What is laid over the model, in its own unit. */
export const overrideOf = (model: Model, overrides: ModelOverrides): ModelOverride | undefined => {
  const override = overrides[model.id]
  if (override === undefined) return undefined
  const later = override.later?.map((each) => ({ from_ms: each.from_ms, price_vnd: priceIn(model, each) }))
  return {
    price_vnd: priceIn(model, override),
    disabled: override.disabled,
    ...(later && { later })
  }
}

/** The model as it is sold at a moment; `undefined` when it is disabled. */
export const applyOverride = (
  model: Model,
  override: ModelOverride | undefined,
  nowMs: number
): Model | undefined => {
  if (override === undefined) return model
  if (override.disabled) return undefined
  const price = priceIn(model, override.later?.findLast(({ from_ms: fromMs }) => fromMs <= nowMs) ?? override)
  if (price === null) return model
  return {
    ...model,
    // By its own tag, so that a unit that is new does not compile here.
    price:
      model.price._tag === "PerToken"
        ? { _tag: "PerToken", perMtokVnd: price }
        : { _tag: model.price._tag, perRequestVnd: price }
  }
}

/** What a model is sold at then, also one that is not sold now. */
export const priceAt = (model: Model, overrides: ModelOverrides, atMs: number): number => {
  const override = overrides[model.id]
  const { price } = applyOverride(model, override && { ...override, disabled: false }, atMs) ?? model
  return vndOf(price)
}
