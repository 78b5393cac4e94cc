/** The actors of keys beside a storage of one key, which a test changes. */
import { Effect } from "effect"
import { unavailable } from "../../src/actors/Actor.ts"
import { Keys, type KeyAnswer, type KeyCommand } from "../../src/actors/Keys.ts"
import { monotonicMs } from "../../src/actors/monotonic.ts"
import type { AccountId, KeyId } from "../../src/domain/ids.ts"
import type { KeyState } from "../../src/storage/LedgerStore.ts"
import type { PermitAsk } from "../../src/storage/keys/LimitStore.ts"
import { fork } from "./answers.ts"
import { plainKey } from "./plain-key.ts"

export const keyId = "key_1" as KeyId
export const accountId = "acc_1" as AccountId

/** `left`: how many calls a minute the cluster still lets pass. `asking`: what it takes to hear of that. */
export const setUp = (mailboxCapacity = 100, asking: Effect.Effect<void> = Effect.void) => {
  const stored: {
    key: KeyState | undefined
    isThere: boolean
    left: number
    retryAfterMs: number
    dateMs: number
    whileRead: () => void
    whileTaken: () => void
  } = {
    key: plainKey({ keyId, accountId }),
    isThere: true,
    left: 0,
    retryAfterMs: 0,
    dateMs: 1_000,
    whileRead: () => {},
    whileTaken: () => {}
  }
  const loads: Array<KeyId> = []
  const permits: Array<PermitAsk> = []
  const keys = new Keys({
    load: (id) =>
      Effect.suspend(() => {
        loads.push(id)
        const { isThere, key, whileRead } = stored
        stored.whileRead = () => {}
        whileRead()
        return isThere ? Effect.succeed(key) : unavailable
      }),
    take: (ask) =>
      Effect.map(asking, () => {
        permits.push(ask)
        stored.whileTaken()
        const granted = Math.min(ask.calls, stored.left)
        stored.left -= granted
        return { keyId, granted, retryAfterMs: granted < ask.calls ? 5_000 : stored.retryAfterMs }
      }),
    dateMs: () => stored.dateMs,
    mailboxCapacity,
    fork
  })
  const ask = (change: Partial<Pick<KeyCommand, "purpose" | "accountId" | "secret">> = {}) =>
    Effect.flatMap(monotonicMs, (nowMs) =>
      keys.askUnsafe(keyId, { accountId, secret: 0, nowMs, purpose: "call", ...change })
    ).pipe(
      Effect.map((answer: KeyAnswer) => answer._tag),
      Effect.orElseSucceed(() => "Unavailable" as const)
    )
  const change = (to: Partial<KeyState>) => {
    stored.key = { ...stored.key!, ...to }
    keys.invalidate(keyId)
  }
  return { ask, change, keys, loads, permits, stored }
}
