/** Claims on wallets: in batches, and again while other nodes are giving back what lies idle there. */
import { Effect } from "effect"
import { type Unavailable, unavailable } from "../../actors/Actor.ts"
import { monotonicMs } from "../../actors/monotonic.ts"
import type { ClaimEscrow } from "../../actors/claims.ts"
import type { EscrowAsk } from "../../domain/escrow.ts"
import type { AccountId } from "../../domain/ids.ts"
import type { EscrowClaim } from "../../storage/EscrowStore.ts"
import { batched } from "../journal/batched.ts"
import type { Journal } from "../journal/Journal.ts"

/** How long other nodes are waited for. Then it is not known what the wallet could pay for. */
const giveBackWithinMs = 2_000
const firstWaitMs = 4
const waitMsMax = 250

interface WalletAsk extends EscrowAsk {
  readonly accountId: AccountId
}

export const claimEscrow = (journal: Journal["Service"]): ClaimEscrow => {
  const claimOnce = batched<WalletAsk, EscrowClaim | undefined>(journal, async (store, asks) => {
    const claims = await store.claim(new Map(asks.map((ask) => [ask.accountId, ask])))
    const found = new Map(claims.map((claim) => [claim.accountId, claim]))
    return asks.map(({ accountId }) => found.get(accountId))
  })
  const claim = (ask: WalletAsk): Effect.Effect<EscrowClaim, Unavailable> =>
    Effect.flatMap(claimOnce(ask), (claimed) =>
      claimed === undefined ? unavailable : Effect.succeed(claimed)
    )
  return Effect.fnUntraced(function* (accountId, ask) {
    let claimed = yield* claim({ accountId, ...ask })
    if (!claimed.isPending) return claimed
    const untilMs = (yield* monotonicMs) + giveBackWithinMs
    for (let waitMs = firstWaitMs; claimed.isPending; waitMs = Math.min(2 * waitMs, waitMsMax)) {
      yield* Effect.sleep(waitMs)
      // Whatever is there now is better than nothing once the time is over.
      const isLast = (yield* monotonicMs) >= untilMs
      claimed = yield* claim({ accountId, ...ask, ...(isLast && { minimum: -1n }) })
      if (isLast) return claimed
    }
    return claimed
  })
}
