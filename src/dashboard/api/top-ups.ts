/** Topping up by bank transfer: orders, their QR code, and the news that one was paid. */
import { Schema } from "effect"
import { orderTopUp, receiveTransfer } from "../../accounts/top-up.ts"
import { buildVietQr } from "../../accounts/vietqr.ts"
import type { BankSettings } from "../../config/settings.ts"
import { formatVnd, microVndPerVnd } from "../../domain/money.ts"
import { readTopUpAmount, topUpMaximumVnd, topUpMinimumVnd } from "../../domain/top-up.ts"
import type { Person } from "../../storage/PersonStore.ts"
import { findOrder, listOrders, type OrderRow } from "../../storage/TopUpStore.ts"
import type { DashboardContext } from "../DashboardContext.ts"
import type { Sink } from "../exchange.ts"
import { ApiProblem, tooManyTries } from "../ApiProblem.ts"
import { type Ask, bodyOf, forAccount, json } from "../route.ts"
import { bankNameOf } from "../bank-names.ts"

const newOrder = bodyOf(Schema.Struct({ amount: Schema.Finite }))

const ordersMax = 20
const orderWindowMs = 10 * 60_000
const watchersMax = 10
const heartbeatMs = 15_000
const watchMsMax = 30 * 60_000

export const topUpRoutes = [
  forAccount("GET", "/top-ups", async (_ask, context, person) => {
    const orders = await context.query("list orders", (sql) => listOrders(sql, person.accountId, 50))
    return json({
      is_open: context.bank !== undefined,
      minimum_vnd: Number(topUpMinimumVnd),
      maximum_vnd: Number(topUpMaximumVnd),
      orders: orders.map((order) => renderOrder(order, context.bank))
    })
  }),

  forAccount("POST", "/top-ups", async (ask, context, person) => {
    const bank = bankOf(context)
    const amount = readTopUpAmount(newOrder(ask).amount)
    if ("problem" in amount) throw new ApiProblem(400, `amount_${amount.problem}`)
    const wait = context.limits.take("order", person.accountId, ordersMax, orderWindowMs, Date.now())
    if (wait > 0) throw tooManyTries(wait)
    const order = await context.query("open order", (sql) => orderTopUp(sql, person.accountId, amount.amount))
    return json(renderOrder(order, bank), 201)
  }),

  forAccount("GET", "/top-ups/:id", async (ask, context, person) =>
    json(renderOrder(await ownOrder(ask, context, person), context.bank))
  ),

  forAccount("GET", "/top-ups/:id/events", async (ask, context, person) => {
    const { id } = await ownOrder(ask, context, person)
    const leave = context.limits.enter("watch", person.accountId, watchersMax)
    if (leave === undefined) throw tooManyTries(30)
    return {
      status: 200,
      headers: [
        ["content-type", "text/event-stream; charset=utf-8"],
        ["cache-control", "no-cache, no-transform"],
        ["x-accel-buffering", "no"]
      ],
      body: (sink) => watchOrder(id, person, context, sink).finally(leave)
    }
  }),

  /** A made-up bank pays the order, through the very path a real transfer takes. Only where nothing real can be bought or paid. */
  forAccount("POST", "/top-ups/:id/simulate", async (ask, context, person) => {
    if (!context.simulatesBank) throw new ApiProblem(404, "not_found")
    const bank = bankOf(context)
    const order = await ownOrder(ask, context, person)
    const now = Date.now()
    const transfer = {
      provider: "simulator",
      providerTransferId: crypto.randomUUID(),
      direction: "in" as const,
      bankAccounts: [bank.account],
      amount: order.amount,
      memo: `Simulated transfer ${order.code}`,
      transferredAt: new Date(now),
      raw: "{}"
    }
    await context.query("receive transfer", (sql) =>
      receiveTransfer(sql, transfer, "simulator", bank.account, now)
    )
    return json({})
  })
]

const bankOf = (context: DashboardContext): BankSettings => {
  if (context.bank === undefined) throw new ApiProblem(409, "top_up_closed")
  return context.bank
}

const ownOrder = async (ask: Ask, context: DashboardContext, person: Person): Promise<OrderRow> => {
  const order = await context.query("find order", (sql) =>
    findOrder(sql, person.accountId, ask.parameters["id"]!)
  )
  if (order === undefined) throw new ApiProblem(404, "not_found")
  return order
}

/** The state first, then again at each change; it ends with the payment. */
const watchOrder = async (
  id: string,
  person: Person,
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
      const order = await context.query("find order", (sql) => findOrder(sql, person.accountId, id))
      if (order === undefined) return
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
  status: order.status === "pending" && order.expiresAtMs < Date.now() ? "expired" : order.status,
  created_at: order.createdAtMs,
  expires_at: order.expiresAtMs,
  paid_at: order.paidAtMs ?? null,
  bank: bank && {
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
