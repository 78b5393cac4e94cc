/** What the journal has to do for a node's wallets, and for the budgets of which its calls hold. */
import { Effect } from "effect"
import type { WalletOwner } from "../journal/queued-calls.ts"
import type { KeyBudgets } from "./KeyBudgets.ts"
import type { WalletBooks } from "./WalletBooks.ts"

/** A new node claims what calls hold of wallets, then what they hold of budgets. */
export const withBudgets = (books: WalletBooks, budgets: KeyBudgets): WalletOwner => ({
  escrows: (costs) => books.escrows(costs),
  notTold: (escrows) => books.notTold(escrows),
  takeRecalled: () => books.takeRecalled(),
  reclaim: (session, queue) => {
    const ofWallets = books.reclaim(session, queue)
    return budgets.size === 0
      ? ofWallets
      : Effect.andThen(
          ofWallets,
          Effect.suspend(() => budgets.reclaim(session, queue))
        )
  },
  // Parts of wallets that were not told of are told anew with the next commit.
  begin: (session) => budgets.begin(session)
})
