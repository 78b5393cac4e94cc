/** Looks for whose an unmatched transfer may be: by what is like a code in its memo, by its amount, by who sent it. */
import {
  codeDistanceMax,
  codePartsOf,
  distanceIn,
  type Hint,
  mailWordsOf,
  phrasesOf,
  rankSuggestions,
  type Suggestion,
  weights
} from "../domain/suggest-owners.ts"
import type { Sql } from "../storage/Database.ts"
import * as SuggestionStore from "../storage/payments/SuggestionStore.ts"
import type { Transfer } from "../storage/payments/TransferStore.ts"

export interface SuggestedOwner extends Suggestion {
  readonly account: SuggestionStore.SuggestedAccount
}

/** Likeliest first, at most five. */
export const suggestOwners = async (sql: Sql, transfer: Transfer): Promise<ReadonlyArray<SuggestedOwner>> => {
  const { amount, memo, senderAccount, senderName, transferredAtMs } = transfer
  const words = `${senderName} ${memo}`
  const [alike, ofAmount, paidBefore, mails, companies, names, wrong] = await Promise.all([
    SuggestionStore.findOrdersByParts(sql, codePartsOf(memo)),
    SuggestionStore.findOrdersOfAmount(sql, amount, transferredAtMs),
    SuggestionStore.findAccountsOfSender(sql, senderAccount),
    SuggestionStore.findAccountsOfMail(sql, mailWordsOf(words)),
    SuggestionStore.findAccountsOfCompany(sql, phrasesOf(words, 1, 8)),
    SuggestionStore.findAccountsOfName(sql, phrasesOf(words, 2, 6)),
    SuggestionStore.findAccountsTakenBackFrom(sql, transfer)
  ])
  const amountWeight = ofAmount.length === 1 ? weights.amount.only : weights.amount.several
  const hints = [
    ...alike.flatMap(({ accountId, code }) => codeHint(memo, accountId, code)),
    ...ofAmount.map(({ accountId, code }) => hint(accountId, "amount", amountWeight, code)),
    ...paidBefore.map((accountId) => hint(accountId, "paid_before", weights.paid_before)),
    ...mails.map((accountId) => hint(accountId, "mail", weights.mail)),
    ...companies.map((accountId) => hint(accountId, "company", weights.company)),
    ...names.map((accountId) => hint(accountId, "name", weights.name))
  ]
  const suggestions = rankSuggestions(hints.filter(({ accountId }) => !wrong.has(accountId)))
  const accounts = await SuggestionStore.readSuggested(
    sql,
    suggestions.map(({ accountId }) => accountId)
  )
  return suggestions.flatMap((suggestion) => {
    const account = accounts.find(({ id }) => id === suggestion.accountId)
    return account === undefined ? [] : [{ ...suggestion, account }]
  })
}

const hint = (accountId: string, reason: Hint["reason"], weight: number, orderCode?: string): Hint => ({
  accountId,
  reason,
  weight,
  ...(orderCode !== undefined && { orderCode })
})

const codeHint = (memo: string, accountId: string, code: string): ReadonlyArray<Hint> => {
  const distance = distanceIn(memo, code)
  return distance > codeDistanceMax ? [] : [hint(accountId, "code", weights.code[distance]!, code)]
}
