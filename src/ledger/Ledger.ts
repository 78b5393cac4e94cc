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
import { claimWallets, countLiveNodes, dropShares, findStoredCall, loadKeys } from "../storage/LedgerStore.ts"
import { admission } from "./frames.ts"
import { Journal } from "./Journal.ts"
import { once } from "./once.ts"
import { inBatches } from "./read-batches.ts"
import { type RoundOutcome, Shares } from "./Shares.ts"
import type { ThreadAllowances, WordAllowance } from "./ThreadAllowances.ts"

/** How admission is refused or granted: a code of `frames.ts` and its value (µVND granted, or ms to wait). */
export type AdmissionValues = readonly [code: number, value?: bigint | number]

export interface Hold {
  readonly accountId: AccountId
  readonly callId: CallId
  readonly minimum: MicroVnd
  readonly wanted: MicroVnd
}

export interface LedgerShape {
  readonly wallets: Wallets
  readonly keys: Keys
  readonly shares: Shares
  /** What operators have done to the key counts from now on. */
  keyChanged(keyId: KeyId): void
  /** Lets the thread hold for further calls of this key without asking; `undefined` where it has to ask. */
  allow(
    allowances: ThreadAllowances,
    call: Pick<Hold, "accountId" | "wanted"> & { readonly keyId: KeyId }
  ): WordAllowance | undefined
  /** Refuses all further admissions: an admission code, or `undefined` to admit again. */
  refuse(code: number | undefined): void
  admit(keyId: KeyId, hold: Hold, answer: (admission: AdmissionValues) => void): void
  extend(hold: Hold, answer: (admission: AdmissionValues) => void): void
  /** Whether the key may be used; for a call that will cost, also whether its wallet has anything left. */
  check(
    key: { readonly accountId: AccountId; readonly keyId: KeyId },
    callId: CallId | null,
    answer: (admission: AdmissionValues) => void
  ): void
  /** Charges and logs a call, or only logs it when it cost nothing. `durable` once committed or spooled. */
  settle(record: CallRecord, durable: () => void): void
  release(accountId: AccountId, callId: CallId): void
  /** Forgets what nobody has used for some minutes, and gives back its shares. */
  putAwayIdle(nowMs: number): void
  storedCall(
    accountId: AccountId,
    storedIdHash: Uint8Array,
    answer: (tokens: number | undefined | null) => void
  ): void
}

export class Ledger extends Context.Service<Ledger, LedgerShape>()("tollgate/ledger/Ledger") {
  /** `mailboxCapacity`: how many asks one actor lets wait before it refuses more. */
  static readonly layerWith = ({ mailboxCapacity }: { readonly mailboxCapacity: number }) =>
    Layer.effect(
      Ledger,
      Effect.gen(function* () {
        const journal = yield* Journal
        const ledger = new LedgerCore(journal, mailboxCapacity)
        journal.onSession(() => {
          ledger.forgetStorage()
          ledger.countNodes()
        })
        journal.onLoss(() => ledger.wallets.takeBackAll())
        yield* Effect.flatMap(Clock.currentTimeMillis, (nowMs) =>
          Effect.sync(() => ledger.putAwayIdle(nowMs))
        ).pipe(Effect.delay("30 seconds"), Effect.forever, Effect.forkScoped)
        const count = Effect.delay(
          Effect.sync(() => ledger.countNodes()),
          "2 seconds"
        )
        yield* Effect.forkScoped(Effect.forever(count))
        return ledger
      })
    )

  static readonly layer = Ledger.layerWith({ mailboxCapacity: 4_096 })
}

const idleMs = 5 * 60_000
/** How often other nodes are asked for what a call lacks. */
const roundsMax = 3
const revoked: AdmissionValues = [admission.revoked]
const unavailable: AdmissionValues = [admission.unavailable]
const insufficient: AdmissionValues = [admission.insufficient]

class LedgerCore implements LedgerShape {
  readonly wallets: Wallets
  readonly keys: Keys
  readonly shares: Shares
  readonly #journal: Journal["Service"]
  #refusal: AdmissionValues | undefined

  constructor(journal: Journal["Service"], mailboxCapacity: number) {
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
    this.shares = new Shares(journal, this.wallets)
  }

  refuse(code: number | undefined): void {
    this.#refusal = code === undefined ? undefined : [code]
    this.wallets.takeBackAll()
  }

  keyChanged(keyId: KeyId): void {
    this.keys.invalidate(keyId)
    // Which threads have heard of the key is not known here, and keys change seldom.
    this.wallets.takeBackAll()
  }

  allow(
    { open, thread }: ThreadAllowances,
    { accountId, keyId, wanted }: Parameters<LedgerShape["allow"]>[1]
  ): WordAllowance | undefined {
    if (this.#currentRefusal() !== undefined || !this.keys.isUnlimited(keyId)) return undefined
    return this.wallets.allow(accountId, { thread, wanted, open })
  }

  admit(keyId: KeyId, hold: Hold, answer: (admission: AdmissionValues) => void): void {
    const refusal = this.#currentRefusal()
    if (refusal !== undefined) return answer(refusal)
    const nowMs = Date.now()
    this.keys.ask(keyId, { accountId: hold.accountId, nowMs, counted: true }, (key) => {
      if (key._tag === "Admitted") return this.#hold("Hold", hold, answer)
      if (key._tag === "Limited") return answer([admission.limited, key.retryAfterMs])
      answer(key._tag === "Revoked" ? revoked : unavailable)
    })
  }

  extend(hold: Hold, answer: (admission: AdmissionValues) => void): void {
    // A call under way goes on while the database is away: what it holds is in memory.
    this.#hold("Extend", hold, answer)
  }

  check(
    { accountId, keyId }: Parameters<LedgerShape["check"]>[0],
    callId: CallId | null,
    answer: (admission: AdmissionValues) => void
  ): void {
    const refusal = this.#currentRefusal()
    // What is free is served during maintenance, too.
    const isServed = refusal?.[0] === admission.maintenance && callId === null
    if (refusal !== undefined && !isServed) return answer(refusal)
    this.keys.ask(keyId, { accountId, nowMs: Date.now(), counted: false }, (key) => {
      if (key._tag !== "Admitted") return answer(key._tag === "Revoked" ? revoked : unavailable)
      if (callId === null) return answer([admission.admitted, 0n])
      // As if the call wanted the least there is.
      this.#hold("Hold", { accountId, callId, minimum: 1n, wanted: 1n }, ([code]) => {
        if (code === admission.admitted) this.wallets.release(accountId, callId)
        answer([code, 0n])
      })
    })
  }

  settle(record: CallRecord, durable: () => void): void {
    const { accountId, callId, cost } = record
    if (cost === 0n) this.wallets.release(accountId, callId)
    // What holds nothing has been settled before: it is in the journal already.
    else if (!this.wallets.settle(accountId, callId, cost)) return durable()
    const tell = once(durable)
    this.#journal.append(record, (outcome) => {
      if (outcome === "committed" && cost > 0n) this.wallets.committed(accountId, cost)
      tell()
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
    const tell = once(answer)
    this.#journal.read({
      run: (sql) => findStoredCall(sql, accountId, storedIdHash).then(tell),
      failed: () => tell(null)
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
    this.#journal.read({
      run: (sql, nodeId) => {
        // Whoever has come back since may have claimed again.
        const gone = away.filter((accountId) => !this.wallets.has(accountId))
        return dropShares(sql, nodeId, gone)
      },
      failed: () => {}
    })
  }

  /** What is the cluster's is divided by the nodes that live. */
  countNodes(): void {
    this.#journal.read({
      run: async (sql) => {
        const liveNodes = await countLiveNodes(sql)
        this.keys.liveNodes = liveNodes
        this.shares.liveNodes = liveNodes
      },
      failed: () => {}
    })
  }

  #currentRefusal(): AdmissionValues | undefined {
    return this.#refusal ?? (this.#journal.state.available ? undefined : unavailable)
  }

  /**
   * While other nodes hold a part of the wallet, a call that could hold less than it wants here has them asked for it
   * first. In the end it gets what there is.
   */
  #hold(
    tag: "Hold" | "Extend",
    hold: Hold,
    answer: (admission: AdmissionValues) => void,
    rounds = roundsMax
  ): void {
    const { accountId, callId, wanted } = hold
    const mayAsk = rounds > 0 && this.wallets.elsewhere(accountId) > 0n
    const minimum = mayAsk ? wanted : hold.minimum
    this.wallets.ask(accountId, { _tag: tag, callId, minimum, wanted }, Date.now(), (decided) => {
      switch (decided._tag) {
        case "Held":
          return answer([admission.admitted, tag === "Hold" ? decided.amount : decided.granted])
        case "Insufficient":
          if (rounds > 0 && this.wallets.elsewhere(accountId) > 0n) {
            const again = (outcome: RoundOutcome) =>
              this.#hold(tag, hold, answer, outcome === "nothing" ? 0 : rounds - 1)
            return this.shares.want(accountId, { wanted, again })
          }
          return mayAsk ? this.#hold(tag, hold, answer, 0) : answer(insufficient)
        case "Disabled":
          return answer(revoked)
        default:
          return answer(unavailable)
      }
    })
  }
}
