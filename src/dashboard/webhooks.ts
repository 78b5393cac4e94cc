/** What banks' messengers tell us. Answered 200 once it is stored and counts; anything else makes them tell it again. */
import { untilCreditsCount } from "../accounts/await-nodes.ts"
import { receiveTransfer } from "../accounts/top-up.ts"
import type { AccountId } from "../domain/ids.ts"
import type { UnmatchedNote } from "../domain/top-up.ts"
import type { DashboardContext } from "./DashboardContext.ts"
import { type Incoming, type Reply, requestIdHeader } from "./exchange.ts"
import { ApiProblem } from "./ApiProblem.ts"
import { json } from "./json-reply.ts"

export const answerWebhook = async (incoming: Incoming, context: DashboardContext): Promise<Reply> => {
  const adapter = context.banks.find(({ provider }) => incoming.path === `/webhooks/${provider}`)
  const { bank } = context
  if (adapter?.hear === undefined || (adapter.watchesAccount && bank === undefined))
    throw new ApiProblem(404, "not_found")
  if (incoming.method !== "POST") throw new ApiProblem(405, "method", [["allow", "POST"]])
  const now = Date.now()
  const requestId = incoming.header(requestIdHeader)
  const heard = adapter.hear(incoming.body, incoming.header, now)
  if (heard._tag === "Refused") {
    context.warnOfRefusedNews(() => `Webhook of ${adapter.provider} refused: ${heard.reason}`, requestId)
    throw new ApiProblem(heard.status, "refused")
  }
  const credited: Array<AccountId> = []
  for (const transfer of heard.transfers) {
    const reception = await context.query("receive transfer", (sql) =>
      receiveTransfer(sql, transfer, "webhook", bank?.account, now)
    )
    if (reception._tag === "Credited") credited.push(reception.order.accountId)
    const name = `Transfer ${transfer.provider}:${transfer.providerTransferId}`
    if (reception._tag === "Unmatched")
      context.warn(`${name} ${whyUnmatched[reception.note]}: it waits for an operator`)
    if (reception._tag === "Duplicate" && reception.differs)
      context.warn(`${name} was told of again with another amount: what was told first counts`)
  }
  if (credited.length > 0) await context.execute(untilCreditsCount(...credited))
  if (heard.unread > 0) {
    context.warn(`Webhook of ${adapter.provider} told of ${heard.unread} that can not be read`, requestId)
    throw new ApiProblem(400, "refused")
  }
  return json({ success: true })
}

const whyUnmatched: Readonly<Record<UnmatchedNote, string>> = {
  no_order: "matches no order",
  several_orders: "names several orders",
  account_closed: "is for an account that its owner has closed",
  amount_beyond_belief: "tells of more money than can be",
  told_otherwise: "may have been reported before",
  other_account: "names an order, but did not enter the account that is set"
}
