/** Prices and availability that operators change while the service runs, laid over the catalogue. */
import type { Model } from "./catalogue.ts"

/** `price_vnd` is per million tokens or per request, as the model is priced; `null` leaves the catalogue's price. */
export type ModelOverride = {
  readonly price_vnd: number | null
  /** No longer served nor listed. */
  readonly disabled: boolean
}

export type ModelOverrides = Readonly<Record<string, ModelOverride>>

const priceVndMax = 1_000_000_000

export const isPriceVnd = (value: unknown): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0 && value <= priceVndMax

/** What stands in the settings, without anything that is not an override. */
export const readModelOverrides = (value: unknown): ModelOverrides => {
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

/** The model as it is sold now; `undefined` when it is disabled. */
export const applyOverride = (model: Model, override: ModelOverride | undefined): Model | undefined => {
  if (override === undefined) return model
  if (override.disabled) return undefined
  const price = override.price_vnd
  if (price === null) return model
  return {
    ...model,
    price:
      model.price._tag === "PerToken"
        ? { _tag: "PerToken", perMtokVnd: price }
        : { _tag: "PerRequest", perRequestVnd: price }
  }
}
