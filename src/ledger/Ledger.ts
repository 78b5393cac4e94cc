/**
 * The one place of this node where balances and the state of keys change. It answers what gateway threads ask, from
 * memory where it can; the journal makes it durable.
 */
import { Clock, Context, Effect, Layer } from "effect"
import { Keys } from "../actors/Keys.ts"
import { Wallets } from "../actors/Wallets.ts"
import type { CallRecord } from "../domain/call.ts"
import type { AccountId, CallId, KeyId } from "../domain/ids.ts"
import type { MicroVnd } from "../domain/money.ts"
import { claimWallets, dropShares, findKey, findStoredCall, loadKeys } from "../storage/LedgerStore.ts"
import { admission } from "./frames.ts"
import { Journal } from "./Journal.ts"
import { inBatches } from "./read-batches.ts"

/** How admission is refused or granted: a code of `frames.ts` and its value (µVND granted, or ms to wait). */
export type Admission = readonly [code: number, value?: bigint | number]

export interface Hold {
  readonly accountId: AccountId
  readonly callId: CallId
  readonly minimum: MicroVnd
  readonly wanted: MicroVnd
}

export interface LedgerShape {
  readonly wallets: Wallets
  readonly keys: Keys
  /** Refuses all further admissions: an admission code, or `undefined` to admit again. */
  refuse(code: number | undefined): void
  identify(
    secretHash: Uint8Array,
    answer: (found: { readonly keyId: KeyId; readonly accountId: AccountId } | undefined | null) => void
  ): void
  admit(keyId: KeyId, hold: Hold, answer: (admission: Admission) => void): void
  extend(hold: Hold, answer: (admission: Admission) => void): void
  check(accountId: AccountId, keyId: KeyId, answer: (admission: Admission) => void): void
  /** Charges and logs a call, or only logs it when it cost nothing. `durable` once committed or spooled. */
  settle(record: CallRecord, durable: () => void): void
  release(accountId: AccountId, callId: CallId): void
  storedCall(
    accountId: AccountId,
    storedIdHash: Uint8Array,
    answer: (tokens: number | undefined | null) => void
  ): void
}

export class Ledger extends Context.Service<Ledger, LedgerShape>()("tollgate/ledger/Ledger") {
  static readonly layer = Layer.effect(
    Ledger,
    Effect.gen(function* () {
      const journal = yield* Journal
      const ledger = new LedgerCore(journal)
      journal.onSession(() => ledger.forgetStorage())
      yield* Effect.flatMap(Clock.currentTimeMillis, (nowMs) =>
        Effect.sync(() => ledger.putAwayIdle(nowMs))
      ).pipe(Effect.delay("30 seconds"), Effect.forever, Effect.forkScoped)
      return ledger
    })
  )
}

const mailboxCapacity = 10_000
const idleMs = 5 * 60_000
const revoked: Admission = [admission.revoked]
const unavailable: Admission = [admission.unavailable]
const insufficient: Admission = [admission.insufficient]

class LedgerCore implements LedgerShape {
  readonly wallets: Wallets
  readonly keys: Keys
  readonly #journal: Journal["Service"]
  #refusal: Admission | undefined

  constructor(journal: Journal["Service"]) {
    this.#journal = journal
    const claim = inBatches<AccountId>(
      journal,
      async (sql, nodeId, accountIds) => {
        const claims = await claimWallets(sql, nodeId, accountIds)
        const found = new Map(claims.map((claim) => [claim.accountId, claim]))
        for (const accountId of accountIds) this.wallets.claimed(accountId, found.get(accountId))
      },
      (accountIds) => accountIds.forEach((accountId) => this.wallets.claimed(accountId, undefined))
    )
    const load = inBatches<KeyId>(
      journal,
      async (sql, _nodeId, keyIds) => {
        const found = new Map((await loadKeys(sql, keyIds)).map((key) => [key.keyId, key]))
        for (const keyId of keyIds) this.keys.loaded(keyId, { key: found.get(keyId) })
      },
      (keyIds) => keyIds.forEach((keyId) => this.keys.loaded(keyId, undefined))
    )
    this.wallets = new Wallets({ claim, mailboxCapacity })
    this.keys = new Keys({ load, mailboxCapacity })
  }

  refuse(code: number | undefined): void {
    this.#refusal = code === undefined ? undefined : [code]
  }

  identify(
    secretHash: Uint8Array,
    answer: (found: { readonly keyId: KeyId; readonly accountId: AccountId } | undefined | null) => void
  ): void {
    this.#journal.read({
      run: (sql) => findKey(sql, secretHash).then(answer),
      failed: () => answer(null)
    })
  }

  admit(keyId: KeyId, hold: Hold, answer: (admission: Admission) => void): void {
    const refusal = this.#currentRefusal()
    if (refusal !== undefined) return answer(refusal)
    const nowMs = Date.now()
    this.keys.ask(keyId, { accountId: hold.accountId, nowMs, counted: true }, (key) => {
      if (key._tag === "Admitted") return this.#hold("Hold", hold, nowMs, answer)
      if (key._tag === "Limited") return answer([admission.limited, key.retryAfterMs])
      answer(key._tag === "Revoked" ? revoked : unavailable)
    })
  }

  extend(hold: Hold, answer: (admission: Admission) => void): void {
    // A call under way goes on while the database is away: what it holds is in memory.
    this.#hold("Extend", hold, Date.now(), answer)
  }

  check(accountId: AccountId, keyId: KeyId, answer: (admission: Admission) => void): void {
    const refusal = this.#currentRefusal()
    if (refusal !== undefined && refusal[0] !== admission.maintenance) return answer(refusal)
    this.keys.ask(keyId, { accountId, nowMs: Date.now(), counted: false }, (key) => {
      answer(
        key._tag === "Admitted" ? [admission.admitted, 0n] : key._tag === "Revoked" ? revoked : unavailable
      )
    })
  }

  settle(record: CallRecord, durable: () => void): void {
    const { accountId, callId, cost } = record
    if (cost === 0n) {
      this.wallets.release(accountId, callId)
      return this.#journal.append(record, durable)
    }
    // What holds nothing has been settled before: it is in the journal already.
    if (!this.wallets.settle(accountId, callId, cost)) return durable()
    let answered = false
    this.#journal.append(record, (outcome) => {
      if (outcome === "committed") this.wallets.committed(accountId, cost)
      if (!answered) durable()
      answered = true
    })
  }

  release(accountId: AccountId, callId: CallId): void {
    this.wallets.release(accountId, callId)
  }

  storedCall(
    accountId: AccountId,
    storedIdHash: Uint8Array,
    answer: (tokens: number | undefined | null) => void
  ): void {
    this.#journal.read({
      run: (sql) => findStoredCall(sql, accountId, storedIdHash).then(answer),
      failed: () => answer(null)
    })
  }

  /** The database session is new: claims of the former one are void, and changes may have gone unheard. */
  forgetStorage(): void {
    this.wallets.invalidateAll()
    this.keys.invalidateAll()
  }

  putAwayIdle(nowMs: number): void {
    this.keys.putAwayIdle(nowMs - idleMs)
    const away = this.wallets.putAwayIdle(nowMs - idleMs)
    if (away.length === 0) return
    this.#journal.read({ run: (sql, nodeId) => dropShares(sql, nodeId, away), failed: () => {} })
  }

  #currentRefusal(): Admission | undefined {
    return this.#refusal ?? (this.#journal.state.available ? undefined : unavailable)
  }

  #hold(tag: "Hold" | "Extend", hold: Hold, nowMs: number, answer: (admission: Admission) => void): void {
    const { callId, minimum, wanted } = hold
    this.wallets.ask(hold.accountId, { _tag: tag, callId, minimum, wanted }, nowMs, (decided) => {
      switch (decided._tag) {
        case "Held":
          return answer([admission.admitted, decided.granted])
        case "Insufficient":
          return answer(insufficient)
        case "Disabled":
          return answer(revoked)
        default:
          return answer(unavailable)
      }
    })
  }
}
