/** What providers are paid: purchase prices and exchange rates. */
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { plainDecimal } from "../../domain/decimal.ts"
import { isDay } from "../../domain/vietnam-days.ts"
import {
  addExchangeRate,
  addPurchasePrice,
  listExchangeRates,
  listPurchasePrices
} from "../../storage/PurchaseStore.ts"
import type { DashboardContext } from "../DashboardContext.ts"
import { Caller } from "../definition/access.ts"
import { Api } from "../definition/Api.ts"
import { readRouteProviders } from "../known-routes.ts"
import { nextAfter } from "./cursors.ts"
import { query, refuse, refuseBad, refuseDay } from "./refuse.ts"

const pricesPerPage = 50
const ratesMax = 200

export const purchaseHandlers = (context: DashboardContext) =>
  HttpApiBuilder.group(Api, "operatorPurchases", (handlers) =>
    handlers.handleAll({
      prices: Effect.fnUntraced(function* ({ query: { before, model } }) {
        const prices = yield* query("list purchase prices", (sql) =>
          listPurchasePrices(sql, { model, before, limit: pricesPerPage })
        )
        return {
          prices: prices.map((price) => ({
            id: price.id,
            made_by: price.madeBy,
            made_at: price.madeAt.getTime(),
            route: price.route,
            model: price.model,
            currency: price.currency,
            input: price.input,
            cache_read: price.cacheRead,
            cache_write: price.cacheWrite,
            output: price.output,
            per_request: price.perRequest,
            tools: price.tools,
            from: price.fromDay,
            in_force: price.isInForce
          })),
          next: nextAfter(prices, pricesPerPage)
        }
      }),

      addPrice: Effect.fnUntraced(function* ({ payload }) {
        const { actor } = yield* Caller
        if (!isDay(payload.from)) return yield* refuseDay("from")
        const routes = yield* query("read routes", (sql) => readRouteProviders(sql, context.settings))
        if (payload.route !== "*" && !routes.has(payload.route)) return yield* refuse("not_found")
        const price = {
          route: payload.route,
          model: payload.model,
          currency: payload.currency,
          input: plainDecimal(payload.input),
          cacheRead: payload.cache_read === null ? null : plainDecimal(payload.cache_read),
          cacheWrite: payload.cache_write === null ? null : plainDecimal(payload.cache_write),
          output: plainDecimal(payload.output),
          perRequest: plainDecimal(payload.per_request),
          tools: payload.tools,
          fromDay: payload.from
        }
        yield* query("add purchase price", (sql) => addPurchasePrice(sql, price, actor))
        return {}
      }),

      rates: Effect.fnUntraced(function* () {
        const rates = yield* query("list exchange rates", (sql) => listExchangeRates(sql, ratesMax))
        return {
          rates: rates.map(({ currency, fromDay, id, madeAt, madeBy, vnd }) => ({
            id,
            made_by: madeBy,
            made_at: madeAt.getTime(),
            currency,
            vnd,
            from: fromDay
          }))
        }
      }),

      addRate: Effect.fnUntraced(function* ({ payload: { currency, from, vnd } }) {
        const { actor } = yield* Caller
        if (currency === "VND") return yield* refuseBad("currency", "must be another than VND")
        if (!isDay(from)) return yield* refuseDay("from")
        const rate = { currency, vnd: plainDecimal(vnd), fromDay: from }
        yield* query("add exchange rate", (sql) => addExchangeRate(sql, rate, actor))
        return {}
      })
    })
  )
