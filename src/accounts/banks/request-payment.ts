/** An order whose payment a provider takes: asked for once, and again when the last time is long ago. */
import { randomInt } from "node:crypto"
import { microVndPerVnd } from "../../domain/money.ts"
import type { TopUpOrder } from "../../domain/top-up.ts"
import type { Sql } from "../../storage/Database.ts"
import {
  answerRequest,
  insertRequest,
  type Payee,
  type PayInstructions,
  readInstructions
} from "../../storage/payments/PaymentRequestStore.ts"
import type { PayosAccess, PayosRequests } from "./PayosRequests.ts"

export const payosProvider = "payos"

export const payosPayee = ({ clientId }: Pick<PayosAccess, "clientId">): Payee => ({
  provider: payosProvider,
  account: clientId
})

/** Shorter than open requests are asked after, so that what is shown is also reconciled. */
const freshDays = 3

export const instructionsOf = (
  sql: Sql,
  { access }: PayosRequests,
  orders: ReadonlyArray<Pick<TopUpOrder, "id">>
): Promise<ReadonlyMap<string, PayInstructions>> =>
  readInstructions(
    sql,
    payosPayee(access),
    orders.map(({ id }) => id),
    freshDays
  )

/** Lends a connection for some work, so that none is kept while the provider is asked. */
type Lend = <A>(work: (sql: Sql) => Promise<A>) => Promise<A>

/** Throws where the provider does not take it. Its number is written first: a payment finds its order though the answer was lost. */
export const requestPayment = async (
  lend: Lend,
  requests: PayosRequests,
  order: TopUpOrder
): Promise<PayInstructions> => {
  const known = (await lend((sql) => instructionsOf(sql, requests, [order]))).get(order.id)
  if (known !== undefined) return known
  const request = { ...payosPayee(requests.access), number: BigInt(randomInt(numberMin, numberMax)) }
  await lend((sql) => insertRequest(sql, request, order.id))
  const told = await requests.open(request.number, order.amount / microVndPerVnd, memoOf(order.code))
  await lend((sql) => answerRequest(sql, request, told))
  return told
}

/** Far from the number of the provider's own trial, and whole in any language's numbers. */
const numberMin = 10 ** 12
const numberMax = 2 ** 48 - 1

/** Nine characters: more does not reach every bank. */
const memoOf = (code: string) => code.slice(2)
