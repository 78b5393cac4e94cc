/** Topping up by bank transfer: orders, their QR code, and the news that one was paid. */
import { Effect, Result } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { untilCreditsCount } from "../../accounts/await-nodes.ts"
import { type BankTransfer, unknownSender, whyUnasked } from "../../accounts/banks/bank-transfer.ts"
import { orderTopUp, receiveTransfer } from "../../accounts/top-up.ts"
import { requestPayment } from "../../accounts/banks/request-payment.ts"
import type { PayInstructions } from "../../storage/payments/PaymentRequestStore.ts"
import type { AccountId } from "../../domain/ids.ts"
import { formatVnd } from "../../domain/money.ts"
import { readTopUpAmount, shownStatus, topUpMaximumVnd, topUpMinimumVnd } from "../../domain/top-up.ts"
import { notSet, simulatedPart } from "../../config/settings-parts.ts"
import type { Sql } from "../../storage/Database.ts"
import { isSetOtherwise } from "../../storage/NodeSettingsStore.ts"
import { findOrder, listOrders, type OrderRow } from "../../storage/payments/TopUpStore.ts"
import type { DashboardContext } from "../DashboardContext.ts"
import type { Sink } from "../exchange.ts"
import { tooManyTries } from "../ApiProblem.ts"
import { Caller } from "../definition/access.ts"
import { Api } from "../definition/Api.ts"
import { payInto, waysToPay } from "./ways-to-pay.ts"
import { rawReply } from "./raw-reply.ts"
import { query, refuse, refuseWait } from "./refuse.ts"
import { bankNameOf } from "../bank-names.ts"

const ordersShown = 50
const ordersMax = 20
const orderWindowMs = 10 * 60_000
const watchersMax = 10
const heartbeatMs = 15_000
const watchMsMax = 30 * 60_000

export const topUpHandlers = (context: DashboardContext) =>
  HttpApiBuilder.group(Api, "topUps", (handlers) =>
    handlers.handleAll({
      list: Effect.fnUntraced(function* () {
        const { accountId } = yield* Caller
        const orders = yield* query("list orders", (sql) => listOrders(sql, accountId, ordersShown + 1))
        const shown = orders.slice(0, ordersShown)
        const ways = yield* waysWithCredits(shown, context)
        return {
          is_open: context.bank !== undefined || context.payos !== undefined,
          minimum_vnd: Number(topUpMinimumVnd),
          maximum_vnd: Number(topUpMaximumVnd),
          orders: shown.map((order) => renderOrder(order, ways.get(order.id))),
          has_more_orders: orders.length > ordersShown
        }
      }),

      order: Effect.fnUntraced(function* ({ payload }) {
        const { accountId } = yield* Caller
        if (context.bank === undefined && context.payos === undefined) return yield* refuse("top_up_closed")
        const asked = readTopUpAmount(payload.amount)
        if ("problem" in asked) return yield* refuse(`amount_${asked.problem}`)
        yield* refuseWait(context.limits.take("order", accountId, ordersMax, orderWindowMs, Date.now()))
        const order = yield* query("open order", (sql) => orderTopUp(sql, accountId, asked.amount))
        return renderOrder(order, yield* wayToPay(order, context))
      }),

      read: Effect.fnUntraced(function* ({ params }) {
        const order = yield* ownOrder(params.id)
        const ways = yield* waysWithCredits([order], context)
        return renderOrder(order, ways.get(order.id))
      }),

      watch: Effect.fnUntraced(function* ({ params }) {
        const { id } = yield* ownOrder(params.id)
        const { accountId } = yield* Caller
        const leave = context.limits.enter("watch", accountId, watchersMax)
        if (leave === undefined) return yield* Effect.fail(tooManyTries(30))
        return rawReply({
          status: 200,
          headers: [
            ["content-type", "text/event-stream; charset=utf-8"],
            ["cache-control", "no-cache, no-transform"],
            ["x-accel-buffering", "no"]
          ],
          body: (sink) => watchOrder(id, accountId, context, sink).finally(leave)
        })
      }),

      /** A made-up bank pays the order, through the very path a real transfer takes. Only where nothing real can be bought or paid. */
      simulate: Effect.fnUntraced(function* ({ params }) {
        if (!context.simulatesBank || (yield* query("look for a real bank", isRealElsewhere)))
          return yield* refuse("not_found")
        const bank = yield* bankOf(context)
        const order = yield* ownOrder(params.id)
        const now = Date.now()
        const transfer = simulatedTransfer(order, bank.account, now)
        yield* query("receive transfer", (sql) =>
          receiveTransfer(sql, transfer, "simulator", bank.account, now)
        )
        yield* untilCreditsCount(order.accountId)
        return {}
      })
    })
  )

/** A node that was forgotten as settings were handed out takes nobody's word for money beside those that have a bank. */
const isRealElsewhere = (sql: Sql) =>
  isSetOtherwise(sql, { providers: simulatedPart, bank: notSet, messenger: notSet })

/** As a messenger would tell of it. */
const simulatedTransfer = (
  { amount, code }: Pick<OrderRow, "amount" | "code">,
  account: string,
  now: number
): BankTransfer => ({
  provider: "simulator",
  providerTransferId: crypto.randomUUID(),
  direction: "in",
  bankAccounts: [account],
  amount,
  memo: `Simulated transfer ${code}`,
  transferredAt: new Date(now),
  sender: unknownSender,
  bankReference: "",
  shownReference: "",
  raw: "{}"
})

const bankOf = ({ bank }: DashboardContext) =>
  bank === undefined ? refuse("top_up_closed") : Effect.succeed(bank)

/** A provider that takes payments is asked for this one; it may not answer. */
const wayToPay = Effect.fnUntraced(function* (order: OrderRow, context: DashboardContext) {
  const { payos } = context
  if (payos === undefined) return context.bank && payInto(context.bank, order)
  const told = yield* Effect.result(
    Effect.tryPromise(() => requestPayment((work) => context.query("request payment", work), payos, order))
  )
  if (Result.isSuccess(told)) return told.success
  context.warn(`payOS did not take the payment of an order: ${whyUnasked(told.failure.cause)}`)
  return yield* refuse("top_up_unavailable")
})

const ownOrder = Effect.fnUntraced(function* (id: string) {
  const { accountId } = yield* Caller
  const order = yield* query("find order", (sql) => findOrder(sql, accountId, id))
  return order ?? (yield* refuse("not_found"))
})

/** Ways to pay orders of one account. Whoever is told that one is paid may call at once. */
const waysWithCredits = Effect.fnUntraced(function* (
  orders: ReadonlyArray<OrderRow>,
  context: DashboardContext
) {
  const paid = orders.find(({ status }) => status === "paid")
  if (paid !== undefined) yield* untilCreditsCount(paid.accountId)
  return yield* query("read ways to pay", (sql) => waysToPay(sql, orders, context))
})

const findOrderToPay = async (sql: Sql, accountId: AccountId, id: string, context: DashboardContext) => {
  const order = await findOrder(sql, accountId, id)
  return order && { order, way: (await waysToPay(sql, [order], context)).get(id) }
}

/** The state first, then again at each change; it ends with the payment. */
const watchOrder = async (
  id: string,
  accountId: AccountId,
  context: DashboardContext,
  sink: Sink
): Promise<void> => {
  let news = Promise.withResolvers<void>()
  const look = () => news.resolve()
  const stop = context.payments.watch(id, look)
  sink.left.addEventListener("abort", look)
  const endsAt = Date.now() + watchMsMax
  try {
    while (!sink.left.aborted && Date.now() < endsAt) {
      news = Promise.withResolvers()
      const found = await context.query("find order", (sql) => findOrderToPay(sql, accountId, id, context))
      if (found === undefined) return
      const { order, way } = found
      if (order.status === "paid") await context.execute(untilCreditsCount(accountId))
      await sink.write(`event: order\ndata: ${JSON.stringify(renderOrder(order, way))}\n\n`)
      if (order.status === "paid") return
      const heartbeat = setTimeout(look, heartbeatMs)
      await news.promise
      clearTimeout(heartbeat)
    }
  } finally {
    stop()
    sink.left.removeEventListener("abort", look)
  }
}

const renderOrder = (order: OrderRow, way: PayInstructions | undefined) => ({
  id: order.id,
  code: order.code,
  amount_vnd: formatVnd(order.amount),
  credited_vnd: formatVnd(order.credited),
  status: shownStatus(order, Date.now()),
  created_at: order.createdAtMs,
  expires_at: order.expiresAtMs,
  paid_at: order.paidAtMs ?? null,
  ...(way && {
    bank: {
      name: bankNameOf(way.bankBin),
      account: way.account,
      account_name: way.accountName,
      memo: way.memo,
      qr: way.qr
    }
  })
})
