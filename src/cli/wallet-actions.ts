/** What the wallet commands do. */
import { Effect } from "effect"
import { findAccount } from "../accounts/accounts.ts"
import * as Wallets from "../accounts/wallet-credit.ts"
import { orNotKnown } from "./not-known.ts"
import { withDatabase } from "./with-database.ts"

export const showWallet = Effect.fnUntraced(function* (account: string) {
  const { accountId } = yield* findAccount(account)
  return yield* Wallets.showWallet(accountId)
}, withDatabase)

export const creditWallet = Effect.fnUntraced(function* (
  account: string,
  request: Omit<Wallets.CreditRequest, "accountId">
) {
  const { accountId } = yield* findAccount(account)
  return yield* Wallets.creditWallet({ ...request, accountId }).pipe(
    orNotKnown(`repeat it with --id ${request.creditId}, and it counts once`)
  )
}, withDatabase)
