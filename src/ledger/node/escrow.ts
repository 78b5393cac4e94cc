/** Claims on wallets: in batches, and again while it is not known what other nodes could give back. */
import { Effect } from "effect"
import { type Unavailable, unavailable } from "../../actors/Actor.ts"
import { monotonicMs } from "../../actors/monotonic.ts"
import type { ClaimEscrow } from "../../actors/claims.ts"
import type { WaitingAsk } from "../../domain/escrow.ts"
import type { AccountId } from "../../domain/ids.ts"
import type { MicroVnd } from "../../domain/money.ts"
import type { EscrowClaim } from "../../storage/EscrowStore.ts"
import { renewEveryMs } from "../../storage/NodeStore.ts"
import { batched } from "../journal/batched.ts"
import type { Journal } from "../journal/Journal.ts"

/** How long other nodes are waited for. Then it is not known what the wallet could pay for. */
const othersWithinMs = 2_000
/** Those who were asked for what lies idle give it back at once, if they can. */
const idleWaitMs = { first: 4, max: 250 }
/** When those who have enough may have been heard of: a call that has just ended is in the database very soon. */
const soonMs = 50
/** Every node that lives has renewed. */
const heardMs = renewEveryMs + 100

interface WalletAsk extends WaitingAsk {
  readonly accountId: AccountId
}

/** `onGranted` hears of it before the database is told anything else. */
export const claimEscrow = (
  journal: Journal["Service"],
  onGranted: (accountId: AccountId, amount: MicroVnd) => void
): ClaimEscrow => {
  const claimOnce = batched<WalletAsk, EscrowClaim | undefined>(
    journal,
    async (store, asks) => {
      const claims = await store.claim(new Map(asks.map((ask) => [ask.accountId, ask])))
      const found = new Map(claims.map((claim) => [claim.accountId, claim]))
      return asks.map(({ accountId }) => found.get(accountId))
    },
    (claimed) => claimed !== undefined && onGranted(claimed.accountId, claimed.granted)
  )
  const claim = (ask: WalletAsk): Effect.Effect<EscrowClaim, Unavailable> =>
    Effect.filterOrElse(
      claimOnce(ask),
      (claimed) => claimed !== undefined,
      () => unavailable
    )
  return Effect.fnUntraced(function* (accountId, ask, sinceMs) {
    let isPending = false
    for (let idleMs = idleWaitMs.first; ; idleMs = Math.min(2 * idleMs, idleWaitMs.max)) {
      const waitedMs = (yield* monotonicMs) - sinceMs
      const isLast = waitedMs >= othersWithinMs
      // Whatever is there now is better than nothing once the time is over.
      const claimed: EscrowClaim = yield* claim({
        accountId,
        ...ask,
        ...(isLast && isPending && { minimum: -1n }),
        waitedMs
      })
      if (isLast || claimed.granted > 0n || !(claimed.isPending || claimed.isUnheard)) return claimed
      isPending = claimed.isPending
      yield* Effect.sleep(isPending ? idleMs : untilHeard(waitedMs))
    }
  })
}

const untilHeard = (waitedMs: number): number =>
  ([soonMs, heardMs].find((atMs) => waitedMs < atMs) ?? othersWithinMs) - waitedMs
