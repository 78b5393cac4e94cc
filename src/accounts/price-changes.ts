/** Prices of many models at once, from a moment on. Once these return, every node sells as they say. */
import { Clock, Effect, Schema } from "effect"
import type { Catalogue, Model } from "../domain/catalogue.ts"
import { isUuid } from "../domain/ids.ts"
import { changeByPercent, isPriceVnd, priceAt } from "../domain/model-overrides.ts"
import { unitOf } from "../domain/price.ts"
import { isWithinYear } from "../domain/vietnam-days.ts"
import { Database } from "../storage/Database.ts"
import * as PriceStore from "../storage/PriceStore.ts"
import { readOverrides } from "../storage/SettingsStore.ts"
import { awaitNodes } from "./await-nodes.ts"

export class ModelNotFound extends Schema.TaggedError<ModelNotFound>()("ModelNotFound", {
  model: Schema.String
}) {
  override get message() {
    return `There is no model ${this.model}`
  }
}

export class PriceRefused extends Schema.TaggedError<PriceRefused>()("PriceRefused", {
  reason: Schema.String
}) {
  override get message() {
    return `The price is refused: ${this.reason}`
  }
}

export class PriceChanged extends Schema.TaggedError<PriceChanged>()("PriceChanged", {}) {
  override get message() {
    return "Somebody else has just changed one of the prices: look at them again"
  }
}

export class PriceChangeNotFound extends Schema.TaggedError<PriceChangeNotFound>()("PriceChangeNotFound", {
  id: Schema.String
}) {
  override get message() {
    return `There is no price change ${this.id}`
  }
}

export class PriceChangeTooLate extends Schema.TaggedError<PriceChangeTooLate>()("PriceChangeTooLate", {}) {
  override get message() {
    return "The prices hold already, or are about to; what holds is taken back by setting the former prices anew"
  }
}

/** `fromMs`: since when; `undefined`: at once. */
export interface Percentage {
  readonly models: ReadonlyArray<string>
  readonly percent: string
  readonly fromMs: number | undefined
}

/** What the prices would be; changes nothing. */
export const proposePrices = Effect.fn("proposePrices")(function* (
  catalogue: Catalogue,
  { fromMs, models, percent }: Percentage
) {
  const atMs = yield* momentOf(fromMs)
  const known = yield* findModels(catalogue, models)
  const overrides = yield* currentOverrides
  return yield* Effect.forEach(known, (model) => {
    const former = priceAt(model, overrides, atMs)
    const price = changeByPercent(former, percent)
    return price === undefined
      ? Effect.fail(new PriceRefused({ reason: `${percent} % leaves none for ${model.id}` }))
      : Effect.succeed({ model: model.id, former, price })
  })
})

/** What one model's price is then. */
export const findPrice = Effect.fn("findPrice")(function* (
  catalogue: Catalogue,
  id: string,
  fromMs: number | undefined
) {
  const atMs = yield* momentOf(fromMs)
  const [model] = yield* findModels(catalogue, [id])
  return priceAt(model!, yield* currentOverrides, atMs)
})

/** What was looked at is what is set, or nothing. */
export const setPrices = Effect.fn("setPrices")(function* (
  catalogue: Catalogue,
  changes: ReadonlyArray<PriceStore.NewPrice>,
  fromMs: number | undefined,
  actor: string
) {
  const atMs = yield* momentOf(fromMs)
  const models = yield* findModels(
    catalogue,
    changes.map(({ model }) => model)
  )
  const arePrices = changes.every(
    ({ former, price }) => isPriceVnd(former) && (price === null || isPriceVnd(price))
  )
  if (!arePrices) return yield* new PriceRefused({ reason: "it is no whole number from 0 to 1,000,000,000" })
  if (new Set(models).size < models.length)
    return yield* new PriceRefused({ reason: "a model is named twice" })
  const database = yield* Database
  const eventId = yield* database.run("change prices", (sql) =>
    sql.begin(async (transaction) => {
      await PriceStore.lockPrices(transaction)
      const overrides = await readOverrides(transaction)
      const isAsSeen = models.every(
        (model, index) => priceAt(model, overrides, atMs) === changes[index]!.former
      )
      const from = fromMs === undefined ? undefined : new Date(fromMs)
      const noted = changes.map(({ former, model, price }, index) => ({
        model,
        former,
        price,
        unit: unitOf(models[index]!.price)
      }))
      return isAsSeen ? PriceStore.addPriceChanges(transaction, noted, from, actor) : undefined
    })
  )
  if (eventId === undefined) return yield* new PriceChanged()
  yield* awaitNodes(eventId)
})

/** All that was set together. */
export const cancelPrices = Effect.fn("cancelPrices")(function* (id: string, actor: string) {
  if (!isUuid(id)) return yield* new PriceChangeNotFound({ id })
  const database = yield* Database
  const done = yield* database.run("cancel prices", (sql) => PriceStore.cancelPriceChanges(sql, id, actor))
  if (done._tag === "NotFound") return yield* new PriceChangeNotFound({ id })
  if (done._tag === "TooLate") return yield* new PriceChangeTooLate()
  yield* awaitNodes(done.eventId)
})

/** Not in the past, and within a year. */
const momentOf = Effect.fnUntraced(function* (fromMs: number | undefined) {
  const nowMs = yield* Clock.currentTimeMillis
  if (fromMs === undefined) return nowMs
  if (isWithinYear(fromMs, nowMs)) return fromMs
  return yield* new PriceRefused({ reason: "it must begin to hold within the coming year" })
})

const findModels = (catalogue: Catalogue, ids: ReadonlyArray<string>) =>
  Effect.forEach(ids, (id): Effect.Effect<Model, ModelNotFound> => {
    const model = catalogue.get(id)
    return model === undefined ? Effect.fail(new ModelNotFound({ model: id })) : Effect.succeed(model)
  })

const currentOverrides = Effect.flatMap(Database, (database) =>
  database.run("read model overrides", readOverrides)
)
