/** How an order is paid: into the bank account that the settings name, or as a provider said that was asked. */
import { instructionsOf } from "../../accounts/banks/request-payment.ts"
import { buildVietQr } from "../../accounts/banks/vietqr.ts"
import type { BankSettings } from "../../config/settings.ts"
import { microVndPerVnd } from "../../domain/money.ts"
import type { Sql } from "../../storage/Database.ts"
import type { PayInstructions } from "../../storage/payments/PaymentRequestStore.ts"
import type { OrderRow } from "../../storage/payments/TopUpStore.ts"
import type { DashboardContext } from "../DashboardContext.ts"

export const payInto = (bank: BankSettings, order: OrderRow): PayInstructions => ({
  bankBin: bank.bin,
  account: bank.account,
  accountName: bank.accountName,
  memo: order.code,
  qr: buildVietQr({
    bankBin: bank.bin,
    accountNumber: bank.account,
    amountVnd: order.amount / microVndPerVnd,
    memo: order.code
  })
})

/** By the orders' ids. An order that the provider was not asked about lately, or another account with it, has none. */
export const waysToPay = async (
  sql: Sql,
  orders: ReadonlyArray<OrderRow>,
  { bank, payos }: Pick<DashboardContext, "bank" | "payos">
): Promise<ReadonlyMap<string, PayInstructions>> => {
  if (payos !== undefined) return await instructionsOf(sql, payos, orders)
  return new Map(bank && orders.map((order) => [order.id, payInto(bank, order)]))
}
