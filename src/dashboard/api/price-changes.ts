/** Prices of many models at once, from a moment on, with all that ever were. */
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { awaitNodes } from "../../accounts/await-nodes.ts"
import { reportMargin } from "../../accounts/report-margin.ts"
import type { Model } from "../../domain/catalogue.ts"
import { marginAtPrice } from "../../domain/margin.ts"
import {
  applyOverride,
  changeByPercent,
  isPriceVnd,
  type ModelOverrides
} from "../../domain/model-overrides.ts"
import { dayText } from "../../domain/vietnam-days.ts"
import type { Sql } from "../../storage/Database.ts"
import {
  addPriceChanges,
  cancelPriceChanges,
  listPriceChanges,
  lockPrices,
  type NewPrice
} from "../../storage/PriceStore.ts"
import { readOverrides } from "../../storage/SettingsStore.ts"
import type { DashboardContext } from "../DashboardContext.ts"
import { Caller } from "../definition/access.ts"
import { Api } from "../definition/Api.ts"
import { routesOf } from "./margin.ts"
import { act, query, refuse } from "./refuse.ts"

const changesPerPage = 100
const yearMs = 366 * 86_400_000
const monthMs = 30 * 86_400_000
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export const priceChangeHandlers = (context: DashboardContext) =>
  HttpApiBuilder.group(Api, "priceChanges", (handlers) =>
    handlers.handleAll({
      preview: ({ payload }) => preview(context, payload),

      add: ({ payload }) => add(context, payload),

      cancel: Effect.fnUntraced(function* ({ params }) {
        const { actor } = yield* Caller
        if (!uuid.test(params.id)) return yield* refuse("not_found")
        const done = yield* query("cancel prices", (sql) => cancelPriceChanges(sql, params.id, actor))
        if (done._tag === "NotFound") return yield* refuse("not_found")
        if (done._tag === "TooLate") return yield* refuse("too_late")
        yield* act(awaitNodes(done.eventId))
        return {}
      }),

      list: Effect.fnUntraced(function* ({ query: { before, model } }) {
        const changes = yield* query("list price changes", (sql) =>
          listPriceChanges(sql, { model, before, limit: changesPerPage })
        )
        return {
          changes: changes.map((change) => ({
            id: change.id,
            batch: change.batch,
            model: change.model,
            price_vnd: change.price,
            former_vnd: change.former,
            from: change.from.getTime(),
            made_by: change.madeBy,
            made_at: change.madeAt.getTime(),
            state: change.state
          })),
          next: changes.length < changesPerPage ? null : changes.at(-1)!.id
        }
      })
    })
  )

interface Percentage {
  readonly models: ReadonlyArray<string>
  readonly percent: string
  readonly from: number | null
}

interface SeenChanges {
  readonly changes: ReadonlyArray<{
    readonly model: string
    readonly former_vnd: number
    readonly price_vnd: number
  }>
  readonly from: number | null
}

const preview = Effect.fnUntraced(function* (
  context: DashboardContext,
  { from, models, percent }: Percentage
) {
  const atMs = yield* momentOf(from)
  const known = models.flatMap((id) => context.catalogue.get(id) ?? [])
  if (known.length < models.length) return yield* refuse("not_found")
  const overrides = yield* query("read model overrides", readOverrides)
  const margins = yield* query("report margin", (sql) => lastMargins(sql, context))
  const changes = known.map((model) => {
    const former = priceAt(model, overrides, atMs)
    return { model: model.id, former, price: changeByPercent(former, percent) }
  })
  if (!changes.every(isPriced)) return yield* refuse("invalid")
  return {
    changes: changes.filter(isPriced).map(({ former, model, price }) => {
      const margin = margins.get(model)
      return {
        model,
        former_vnd: former,
        price_vnd: price,
        margin_percent: margin?.percent ?? null,
        next_margin_percent: (margin && marginAtPrice(margin, former, price)) ?? null
      }
    })
  }
})

/** What was looked at is what is set, or nothing. */
const add = Effect.fnUntraced(function* (context: DashboardContext, { changes, from }: SeenChanges) {
  const { actor } = yield* Caller
  const atMs = yield* momentOf(from)
  const models = changes.flatMap(({ model }) => context.catalogue.get(model) ?? [])
  if (models.length < changes.length) return yield* refuse("not_found")
  const isWhole = changes.every(
    ({ former_vnd, price_vnd }) => isPriceVnd(former_vnd) && isPriceVnd(price_vnd)
  )
  if (!isWhole || new Set(models).size < models.length) return yield* refuse("invalid")
  const prices = changes.map(({ former_vnd, model, price_vnd }) => ({
    model,
    former: former_vnd,
    price: price_vnd
  }))
  const eventId = yield* query("change prices", (sql) =>
    sql.begin(async (transaction) => {
      await lockPrices(transaction)
      const overrides = await readOverrides(transaction)
      const isAsSeen = models.every(
        (model, index) => priceAt(model, overrides, atMs) === prices[index]!.former
      )
      return isAsSeen
        ? addPriceChanges(transaction, prices, from === null ? undefined : new Date(from), actor)
        : undefined
    })
  )
  if (eventId === undefined) return yield* refuse("price_changed")
  yield* act(awaitNodes(eventId))
  return {}
})

/** Not in the past, and within a year. */
const momentOf = (from: number | null) => {
  const nowMs = Date.now()
  if (from === null) return Effect.succeed(nowMs)
  return from > nowMs && from < nowMs + yearMs ? Effect.succeed(from) : refuse("invalid")
}

/** Also of what is not sold now. */
const priceAt = (model: Model, overrides: ModelOverrides, atMs: number): number => {
  const override = overrides[model.id]
  const { price } = applyOverride(model, override && { ...override, disabled: false }, atMs) ?? model
  return price._tag === "PerToken" ? price.perMtokVnd : price.perRequestVnd
}

const isPriced = (change: { readonly price: number | undefined }): change is NewPrice =>
  change.price !== undefined

const lastMargins = async (sql: Sql, context: DashboardContext) => {
  const nowMs = Date.now()
  const { rows } = await reportMargin(sql, {
    from: dayText(nowMs - monthMs),
    to: dayText(nowMs),
    by: "model",
    order: "revenue",
    limit: 10_000,
    floor: "0",
    providers: routesOf(context)
  })
  return new Map(rows.map((row) => [row.group, row]))
}
