/** What the price commands do. */
import { Clock, Effect } from "effect"
import * as Prices from "../accounts/price-changes.ts"
import { Config } from "../config.ts"
import { Catalogue, type Model } from "../domain/catalogue.ts"
import { isModelMeant } from "../domain/key-settings.ts"
import { type ModelOverrides, overrideOf, priceAt } from "../domain/model-overrides.ts"
import { unitOf } from "../domain/price.ts"
import { Database } from "../storage/Database.ts"
import { listPriceChanges, type NewPrice } from "../storage/PriceStore.ts"
import { readOverrides } from "../storage/SettingsStore.ts"
import { orNotKnown } from "./not-known.ts"
import { warnOfOtherModels } from "./warn-of-other-settings.ts"
import { withDatabase } from "./with-database.ts"

/** Empty: all models. */
type Models = ReadonlyArray<string>

export const listPrices = Effect.fnUntraced(function* (models: Models) {
  const chosen = yield* chooseModels(yield* currentCatalogue, models)
  const database = yield* Database
  const overrides = yield* database.run("read model overrides", readOverrides)
  const nowMs = yield* Clock.currentTimeMillis
  return chosen.map((model) => shownPrice(model, overrides, nowMs))
}, withDatabase)

export type ShownPrice = ReturnType<typeof shownPrice>

const shownPrice = (model: Model, overrides: ModelOverrides, nowMs: number) => {
  const catalogue = priceAt(model, {}, nowMs)
  const override = overrideOf(model, overrides)
  return {
    model: model.id,
    price: priceAt(model, overrides, nowMs),
    catalogue,
    unit: unitOf(model.price),
    isSold: override?.disabled !== true,
    later: (override?.later ?? []).map(({ from_ms: fromMs, price_vnd: price }) => ({
      fromMs,
      price: price ?? catalogue
    }))
  }
}

export interface SetPrices {
  readonly changes: ReadonlyArray<NewPrice>
  readonly fromMs: number | undefined
}

export const setPrice = Effect.fnUntraced(function* (
  { fromMs, model, price }: Pick<NewPrice, "model" | "price"> & Pick<SetPrices, "fromMs">,
  actor: string
) {
  const catalogue = yield* currentCatalogue
  const former = yield* Prices.findPrice(catalogue, model, fromMs)
  const changes = [{ model, former, price }]
  yield* Prices.setPrices(catalogue, changes, fromMs, actor)
  return { changes, fromMs } satisfies SetPrices
}, withDatabase)

/** `isPreview`: only told of. */
export const changePrices = Effect.fnUntraced(function* (
  asked: Prices.Percentage & { readonly isPreview: boolean },
  actor: string
) {
  const catalogue = yield* currentCatalogue
  const chosen = yield* chooseModels(catalogue, asked.models)
  const { fromMs, percent } = asked
  const changes = yield* Prices.proposePrices(catalogue, {
    models: chosen.map(({ id }) => id),
    percent,
    fromMs
  })
  if (!asked.isPreview)
    yield* Prices.setPrices(catalogue, changes, fromMs, actor).pipe(
      orNotKnown("look at `price history` first: repeated, a percentage is taken of the new prices")
    )
  return { changes, fromMs } satisfies SetPrices
}, withDatabase)

export const cancelPrices = (id: string, actor: string) => withDatabase(Prices.cancelPrices(id, actor))

const changesMax = 500

/** The latest entered first. */
export const listChanges = Effect.fnUntraced(function* (model: string | undefined) {
  const database = yield* Database
  return yield* database.run("list price changes", (sql) =>
    listPriceChanges(sql, { model, before: undefined, limit: changesMax })
  )
}, withDatabase)

const currentCatalogue = Effect.gen(function* () {
  yield* warnOfOtherModels
  const { aliases, catalogue } = yield* (yield* Config).get
  return new Catalogue(catalogue, aliases)
})

/** Each of `models` means at least one. */
const chooseModels = (catalogue: Catalogue, models: Models) => {
  const unknown = models.find((model) => !catalogue.models.some(({ id }) => isModelMeant(model, id)))
  return unknown === undefined
    ? Effect.succeed(
        catalogue.models.filter(
          ({ id }) => models.length === 0 || models.some((model) => isModelMeant(model, id))
        )
      )
    : Effect.fail(new Prices.ModelNotFound({ model: unknown }))
}
