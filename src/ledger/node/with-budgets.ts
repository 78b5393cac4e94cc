/** What the journal has to do for a node's wallets, and for the budgets of which its calls hold. */
import { Effect } from "effect"
import type { WalletOwner } from "../journal/queued-calls.ts"
import type { KeyBudgets } from "./KeyBudgets.ts"

/** A new node claims what calls hold of wallets, then what they hold of budgets. */
export const withBudgets = (owner: WalletOwner, budgets: KeyBudgets): WalletOwner => ({
  escrows: (costs) => owner.escrows(costs),
  notTold: (escrows) => owner.notTold(escrows),
  takeRecalled: () => owner.takeRecalled(),
  reclaim: (session, queue) => {
    const ofWallets = owner.reclaim(session, queue)
    return budgets.size === 0
      ? ofWallets
      : Effect.andThen(
          ofWallets,
          Effect.suspend(() => budgets.reclaim(session, queue))
        )
  },
  begin: (session) => Effect.andThen(owner.begin(session), budgets.begin(session))
})
