/** Topping up by bank transfer: orders, their QR code, and the news that one was paid. */
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { awaitNodes } from "../../accounts/await-nodes.ts"
import { unknownSender } from "../../accounts/bank-transfer.ts"
import { orderTopUp, receiveTransfer } from "../../accounts/top-up.ts"
import { buildVietQr } from "../../accounts/vietqr.ts"
import type { BankSettings } from "../../config/settings.ts"
import type { AccountId } from "../../domain/ids.ts"
import { formatVnd, microVndPerVnd } from "../../domain/money.ts"
import { readTopUpAmount, topUpMaximumVnd, topUpMinimumVnd } from "../../domain/top-up.ts"
import { newestEvent } from "../../storage/NodeStore.ts"
import { findOrder, listOrders, type OrderRow } from "../../storage/TopUpStore.ts"
import type { DashboardContext } from "../DashboardContext.ts"
import type { Sink } from "../exchange.ts"
import { tooManyTries } from "../ApiProblem.ts"
import { Caller } from "../definition/access.ts"
import { Api } from "../definition/Api.ts"
import { rawReply } from "./raw-reply.ts"
import { query, refuse } from "./refuse.ts"
import { bankNameOf } from "../bank-names.ts"

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
        const orders = yield* query("list orders", (sql) => listOrders(sql, accountId, 50))
        return {
          is_open: context.bank !== undefined,
          minimum_vnd: Number(topUpMinimumVnd),
          maximum_vnd: Number(topUpMaximumVnd),
          orders: orders.map((order) => renderOrder(order, context.bank))
        }
      }),

      order: Effect.fnUntraced(function* ({ payload }) {
        const { accountId } = yield* Caller
        const bank = yield* bankOf(context)
        const asked = readTopUpAmount(payload.amount)
        if ("problem" in asked) return yield* refuse(`amount_${asked.problem}`)
        const wait = context.limits.take("order", accountId, ordersMax, orderWindowMs, Date.now())
        if (wait > 0) return yield* Effect.fail(tooManyTries(wait))
        const order = yield* query("open order", (sql) => orderTopUp(sql, accountId, asked.amount))
        return renderOrder(order, bank)
      }),

      read: Effect.fnUntraced(function* ({ params }) {
        return renderOrder(yield* ownOrder(params.id), context.bank)
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
        if (!context.simulatesBank) return yield* refuse("not_found")
        const bank = yield* bankOf(context)
        const order = yield* ownOrder(params.id)
        const now = Date.now()
        const transfer = {
          provider: "simulator",
          providerTransferId: crypto.randomUUID(),
          direction: "in" as const,
          bankAccounts: [bank.account],
          amount: order.amount,
          memo: `Simulated transfer ${order.code}`,
          transferredAt: new Date(now),
          sender: unknownSender,
          bankReference: "",
          raw: "{}"
        }
        yield* query("receive transfer", (sql) =>
          receiveTransfer(sql, transfer, "simulator", bank.account, now)
        )
        return {}
      })
    })
  )

const bankOf = ({ bank }: DashboardContext) =>
  bank === undefined ? refuse("top_up_closed") : Effect.succeed(bank)

const ownOrder = Effect.fnUntraced(function* (id: string) {
  const { accountId } = yield* Caller
  const order = yield* query("find order", (sql) => findOrder(sql, accountId, id))
  return order ?? (yield* refuse("not_found"))
})

/** Whoever is told of a payment may call at once: no node refuses it by what it knew before. A node that is ill is not waited for long. */
const untilNodesKnow = async ({ execute, query }: DashboardContext): Promise<void> => {
  const news = await query("find the newest event", newestEvent)
  await execute(Effect.catchTag(awaitNodes(news), "NodesNotConfirmed", () => Effect.void))
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
      const order = await context.query("find order", (sql) => findOrder(sql, accountId, id))
      if (order === undefined) return
      if (order.status === "paid") await untilNodesKnow(context)
      await sink.write(`event: order\ndata: ${JSON.stringify(renderOrder(order, context.bank))}\n\n`)
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

const renderOrder = (order: OrderRow, bank: BankSettings | undefined) => ({
  id: order.id,
  code: order.code,
  amount_vnd: formatVnd(order.amount),
  credited_vnd: formatVnd(order.credited),
  status: order.status === "pending" && order.expiresAtMs < Date.now() ? ("expired" as const) : order.status,
  created_at: order.createdAtMs,
  expires_at: order.expiresAtMs,
  paid_at: order.paidAtMs ?? null,
  ...(bank && {
    bank: {
      name: bankNameOf(bank.bin),
      account: bank.account,
      account_name: bank.accountName,
      qr: buildVietQr({
        bankBin: bank.bin,
        accountNumber: bank.account,
        amountVnd: order.amount / microVndPerVnd,
        memo: order.code
      })
    }
  })
})
