/** Prices of many models at once, from a moment on, with all that ever were. */
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { cancelPrices, proposePrices, setPrices } from "../../accounts/price-changes.ts"
import { compareMargins } from "../../accounts/report-margin.ts"
import { dayMs, dayText } from "../../domain/vietnam-days.ts"
import { listPriceChanges } from "../../storage/PriceStore.ts"
import type { DashboardContext } from "../DashboardContext.ts"
import { Caller } from "../definition/access.ts"
import { Api } from "../definition/Api.ts"
import { askSecondFactor } from "./ask-password.ts"
import { nextAfter } from "./cursors.ts"
import { act, query } from "./refuse.ts"

const changesPerPage = 100
const monthMs = 30 * dayMs

export const priceChangeHandlers = (context: DashboardContext) =>
  HttpApiBuilder.group(Api, "priceChanges", (handlers) =>
    handlers.handleAll({
      preview: ({ payload }) => preview(context, payload),

      add: Effect.fnUntraced(function* ({ payload: { changes, from } }) {
        const { actor } = yield* Caller
        yield* askSecondFactor
        const prices = changes.map(({ former_vnd, model, price_vnd }) => ({
          model,
          former: former_vnd,
          price: price_vnd
        }))
        yield* act(setPrices(context.catalogue, prices, from ?? undefined, actor))
        return {}
      }),

      cancel: Effect.fnUntraced(function* ({ params }) {
        const { actor } = yield* Caller
        yield* act(cancelPrices(params.id, actor))
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
            unit: change.unit,
            from: change.from.getTime(),
            made_by: change.madeBy,
            made_at: change.madeAt.getTime(),
            state: change.state
          })),
          next: nextAfter(changes, changesPerPage)
        }
      })
    })
  )

interface Asked {
  readonly models: ReadonlyArray<string>
  readonly percent: string
  readonly from: number | null
}

const preview = Effect.fnUntraced(function* (context: DashboardContext, { from, models, percent }: Asked) {
  const asked = { models, percent, fromMs: from ?? undefined }
  const changes = yield* act(proposePrices(context.catalogue, asked))
  const prices = new Map(
    changes.map(({ former, model, price }) => {
      const isPerToken = context.catalogue.get(model)?.price._tag === "PerToken"
      return [model, { isPerToken, former, price }] as const
    })
  )
  const nowMs = Date.now()
  const days = { from: dayText(nowMs - monthMs), to: dayText(nowMs) }
  const { next, was } = yield* query("compare margins", (sql) => compareMargins(sql, days, prices))
  return {
    changes: changes.map(({ former, model, price }) => ({
      model,
      former_vnd: former,
      price_vnd: price,
      margin_percent: was.get(model)?.percent ?? null,
      next_margin_percent: next.get(model)?.percent ?? null
    }))
  }
})
