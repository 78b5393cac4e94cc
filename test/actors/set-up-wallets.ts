/** The actors of wallets beside a storage whose answers a test gives. */
import { Effect } from "effect"
import { unavailable } from "../../src/actors/Actor.ts"
import type { ClaimEscrow, WalletAnswer } from "../../src/actors/claims.ts"
import { Wallets } from "../../src/actors/Wallets.ts"
import type { EscrowAsk } from "../../src/domain/escrow.ts"
import type { AccountId, CallId } from "../../src/domain/ids.ts"
import type { EscrowClaim } from "../../src/storage/EscrowStore.ts"
import { escrowClaim } from "./escrow-claim.ts"
import { Answers, fork, Pending, settled } from "./answers.ts"

export const accountId = "acc_1" as AccountId
export const call = (name: string) => name as CallId

type RunFork = (serve: Effect.Effect<void>) => unknown

/** `runFork` where they are to have the test's clock. */
export const setUp = (options: Partial<{ readonly elsewhere: bigint; readonly runFork: RunFork }> = {}) => {
  const claims = new Pending<EscrowAsk, EscrowClaim>()
  const claim: ClaimEscrow = (_, ask) => claims.begin(ask)
  const wallets = new Wallets({
    claim,
    onIdleFunds: () => {},
    mailboxCapacity: 10,
    fork: options.runFork ?? fork
  })
  const answers = new Answers<WalletAnswer>()
  const ask = (tag: "Hold" | "Extend", name: string, minimum: bigint, wanted = minimum) =>
    answers.note(wallets.askUnsafe(accountId, { _tag: tag, callId: call(name), minimum, wanted }, 0))
  const claimed = (granted: bigint, more: Partial<EscrowClaim> = {}) => {
    const answer = escrowClaim({ accountId, granted, elsewhere: options.elsewhere ?? 0n, ...more })
    claims.end(Effect.succeed(answer))
    return settled
  }
  /** A first call, `a`, that holds so much of what is claimed for it. */
  const begin = Effect.fnUntraced(function* (held: bigint, granted: bigint, more: Partial<EscrowClaim> = {}) {
    ask("Hold", "a", held)
    yield* settled
    yield* claimed(granted, more)
  })
  const failed = Effect.suspend(() => {
    claims.end(unavailable)
    return settled
  })
  const tags = () => answers.all.map((answer) => (answer === "unavailable" ? answer : answer._tag))
  return { answers: answers.all, ask, begin, claimed, claims: claims.asked, failed, tags, wallets }
}
