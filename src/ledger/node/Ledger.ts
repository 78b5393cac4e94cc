/**
 * The one place of this node where balances and the state of keys change. It answers what gateway threads ask, from
 * memory where it can; the journal makes it durable.
 */
import { Clock, Context, Effect, Exit, Layer, Schedule } from "effect"
import type { Adopted } from "../../actors/allowances.ts"
import { makeFork } from "../../actors/ActorMap.ts"
import { Keys } from "../../actors/Keys.ts"
import { monotonicMsOf } from "../../actors/monotonic.ts"
import { Wallets } from "../../actors/Wallets.ts"
import type { CallRecord } from "../../domain/call.ts"
import type { AccountId, CallId, KeyId } from "../../domain/ids.ts"
import type { MicroVnd } from "../../domain/money.ts"
import type { LeaseDeadline } from "../bridge/LeaseDeadline.ts"
import type { Admission, KeyIdentity, RefusedAdmission } from "../bridge/protocol.ts"
import type { ThreadAllowances, WordAllowance } from "../bridge/ThreadAllowances.ts"
import { batched } from "../journal/batched.ts"
import { Journal } from "../journal/Journal.ts"
import type { Outcome } from "../journal/queued-calls.ts"
import { flatMapAtOnce, notNow, withRules } from "./at-once.ts"
import { claimEscrow } from "./escrow.ts"
import { KeyBudgets } from "./KeyBudgets.ts"
import type { HoldAsk, LedgerShape } from "./ledger-shape.ts"
import { NodeLife } from "../NodeLife.ts"
import { StoredAnswers } from "./StoredAnswers.ts"
import { WalletBooks } from "./WalletBooks.ts"
import { withBudgets } from "./with-budgets.ts"

export class Ledger extends Context.Service<Ledger, LedgerShape>()("tollgate/ledger/Ledger") {
  /** `mailboxCapacity`: how many asks one actor lets wait before it refuses more. */
  static readonly layerWith = ({ mailboxCapacity }: { readonly mailboxCapacity: number }) =>
    Layer.effect(
      Ledger,
      Effect.gen(function* () {
        const journal = yield* Journal
        const life = yield* NodeLife
        const clock = yield* Clock.Clock
        const fork = yield* makeFork
        const ledger = new LedgerCore({ journal, life, clock, fork, mailboxCapacity })
        yield* Effect.sync(() => ledger.putAwayIdle(monotonicMsOf(clock))).pipe(
          Effect.schedule(Schedule.spaced("30 seconds")),
          Effect.forkScoped
        )
        return ledger
      })
    )

  static readonly layer = Ledger.layerWith({ mailboxCapacity: 4_096 })
}

interface LedgerParts {
  readonly journal: Journal["Service"]
  readonly life: NodeLife["Service"]
  readonly clock: Clock.Clock
  readonly fork: (serve: Effect.Effect<void>) => void
  readonly mailboxCapacity: number
}

const idleMs = 5 * 60_000
const revoked: Admission = { _tag: "Revoked" }
const insufficient: Admission = { _tag: "Insufficient" }
const nothingHeld = Exit.succeed<Admission>({ _tag: "Admitted", granted: 0n })

class LedgerCore implements LedgerShape {
  readonly wallets: Wallets
  readonly stored: StoredAnswers
  readonly deadline: LeaseDeadline
  readonly #keys: Keys
  readonly #budgets: KeyBudgets
  readonly #journal: Journal["Service"]
  readonly #life: NodeLife["Service"]
  readonly #clock: Clock.Clock
  readonly #books: WalletBooks
  #refusal: RefusedAdmission | undefined

  constructor({ clock, fork, journal, life, mailboxCapacity }: LedgerParts) {
    this.#journal = journal
    this.#clock = clock
    this.#life = life
    this.deadline = life.deadline
    this.wallets = new Wallets({
      claim: claimEscrow(journal, (accountId, amount) => this.wallets.granted(accountId, amount)),
      onIdleFunds: () => journal.giveBack(),
      mailboxCapacity,
      fork
    })
    this.#keys = new Keys({
      load: batched(journal, async (store, keyIds) => {
        const found = new Map((await store.loadKeys(keyIds)).map((key) => [key.keyId, key]))
        return keyIds.map((keyId) => found.get(keyId))
      }),
      take: batched(journal, async (store, asks) => {
        const permits = new Map((await store.takePermits(asks)).map((permit) => [permit.keyId, permit]))
        return asks.map(({ keyId }) => permits.get(keyId)!)
      }),
      dateMs: () => life.deadline.dateMs(),
      mailboxCapacity,
      fork
    })
    this.#budgets = new KeyBudgets({
      journal,
      clock,
      fork,
      liveNodes: life.liveNodes,
      waitingMax: mailboxCapacity
    })
    this.stored = new StoredAnswers(journal)
    this.#books = new WalletBooks(this.wallets)
    journal.serves(withBudgets(this.#books, this.#budgets))
    journal.onLoss(() => this.wallets.takeBackAll())
    life.onEnd(() => {
      this.wallets.confine()
      this.#keys.invalidateAll()
    })
  }

  admitUnsafe({
    keyId,
    secret,
    ...hold
  }: Parameters<LedgerShape["admitUnsafe"]>[0]): Effect.Effect<Admission> {
    const refusal = this.#currentRefusal()
    if (refusal !== undefined) return Exit.succeed(refusal)
    const command = { accountId: hold.accountId, secret, nowMs: this.#nowMs(), purpose: "call" as const }
    return flatMapAtOnce(this.#keys.askUnsafe(keyId, command), (key) => {
      if (key._tag !== "Admitted") return Exit.succeed(key)
      if (key.budgets === undefined) return withRules(key.rules, this.#hold("Hold", hold))
      const ofWallet = (wanted: MicroVnd) => this.#holdLate("Hold", { ...hold, wanted })
      return withRules(key.rules, this.#budgets.hold(keyId, key.budgets, hold, ofWallet))
    })
  }

  /** A call under way goes on while the database is away, by what is in memory; but not where others may have claimed it. */
  extendUnsafe(hold: HoldAsk): Effect.Effect<Admission> {
    if (this.#mayBeOthers) return Exit.succeed(notNow)
    if (!this.#budgets.holds(hold.callId)) return this.#hold("Extend", hold)
    return this.#budgets.extend(hold, (wanted) => this.#holdLate("Extend", { ...hold, wanted }))
  }

  get #mayBeOthers(): boolean {
    return this.deadline.hasPassed && this.#life.liveNodes() > 1
  }

  checkUnsafe(
    { accountId, keyId, secret }: KeyIdentity,
    callId: CallId | undefined
  ): Effect.Effect<Admission> {
    const refusal = this.#currentRefusal()
    // What is free is served during maintenance, too.
    const isServed = refusal?._tag === "Maintenance" && callId === undefined
    if (refusal !== undefined && !isServed) return Exit.succeed(refusal)
    const purpose = callId === undefined ? ("status" as const) : ("start" as const)
    const command = { accountId, secret, nowMs: this.#nowMs(), purpose }
    return flatMapAtOnce(this.#keys.askUnsafe(keyId, command), (key) => {
      if (key._tag !== "Admitted") return Exit.succeed(key)
      if (callId === undefined) return withRules(key.rules, nothingHeld)
      if (key.budgets === undefined) return withRules(key.rules, this.#checkFunds(accountId, callId))
      const checked = flatMapAtOnce(this.#budgets.look(keyId, key.budgets, callId), (answer) =>
        answer._tag === "Admitted" ? this.#checkFunds(accountId, callId) : Exit.succeed(answer)
      )
      return withRules(key.rules, checked)
    })
  }

  adopt(accountId: AccountId, adopted: Adopted): void {
    this.wallets.adopt(accountId, adopted, this.#nowMs())
  }

  settle(record: CallRecord, done: (outcome: Outcome) => void): void {
    const { accountId, callId, cost } = record
    const isCovered = this.#budgets.settle(callId, cost)
    if (cost === 0n || !isCovered) this.wallets.release(accountId, callId)
    const charge = () => (isCovered ? this.wallets.settle(accountId, callId, cost) : "unpaid")
    const settled = cost === 0n ? "charged" : charge()
    // What holds nothing has been settled before: it is in the journal already.
    if (settled === "not held") return done("committed")
    if (settled === "unpaid") {
      this.#budgets.release(callId)
      this.#journal.appendUnpaid(record)
      return done("unpaid")
    }
    let isTold = false
    this.#journal.append(record, (outcome) => {
      if (outcome !== "spooled" && cost > 0n) this.wallets.committed(accountId, cost)
      this.#budgets.written(callId, outcome)
      // What is spooled is told of once more when it is committed.
      if (isTold) return
      isTold = true
      done(outcome)
    })
  }

  release(accountId: AccountId, callId: CallId): void {
    this.wallets.release(accountId, callId)
    this.#budgets.release(callId)
  }

  allow(
    { open, thread }: ThreadAllowances,
    { accountId, keyId, secret, wanted }: Parameters<LedgerShape["allow"]>[1]
  ): WordAllowance | undefined {
    if (this.#currentRefusal() !== undefined || !this.#keys.isUnlimited(keyId, secret)) return undefined
    return this.wallets.allow(accountId, { thread, wanted, open })
  }

  keyChanged(keyId: KeyId): void {
    this.#keys.invalidate(keyId)
    this.#budgets.keyChanged(keyId)
    // Which threads have heard of the key is not known here, and keys change seldom.
    this.wallets.takeBackAll()
  }

  accountChanged(accountId: AccountId): void {
    this.#keys.invalidateOf(accountId)
    this.wallets.invalidate(accountId)
  }

  walletChanged(accountId: AccountId): void {
    this.wallets.invalidate(accountId)
  }

  recall(accountIds: Iterable<AccountId>): void {
    this.#books.recall(accountIds)
    this.#journal.giveBack()
  }

  refuse(refusal: RefusedAdmission | undefined): void {
    this.#refusal = refusal
    this.wallets.takeBackAll()
  }

  putAwayIdle(nowMs: number): void {
    this.#keys.putAwayIdle(nowMs - idleMs)
    this.#budgets.putAway()
    const away = this.wallets.putAwayIdle(nowMs - idleMs)
    if (away.length === 0) return
    this.#journal.between({
      run: async (store) => {
        // Whoever has come back since may have claimed again.
        const gone = away.filter((accountId) => !this.wallets.has(accountId))
        if (gone.length > 0) await store.returnWallets(gone)
      },
      // Nobody here would speak of them again, and what the database still counts as this node's would be lost to others.
      failed: () => away.forEach((accountId) => this.wallets.tellAnew(accountId))
    })
  }

  #currentRefusal(): Admission | undefined {
    if (this.#refusal !== undefined) return this.#refusal
    return this.#journal.state.available && !this.deadline.hasPassed ? undefined : notNow
  }

  /** As if the call wanted the least there is. */
  #checkFunds(accountId: AccountId, callId: CallId): Effect.Effect<Admission> {
    const held = this.#hold("Hold", { accountId, callId, minimum: 1n, wanted: 1n })
    return flatMapAtOnce(held, (admission) => {
      if (admission._tag !== "Admitted") return Exit.succeed(admission)
      this.wallets.release(accountId, callId)
      return nothingHeld
    })
  }

  /** After a wait in which the process may have been stopped. */
  #holdLate(tag: "Hold" | "Extend", hold: HoldAsk): Effect.Effect<Admission> {
    const refusal = tag === "Hold" ? this.#currentRefusal() : this.#mayBeOthers ? notNow : undefined
    return refusal === undefined ? this.#hold(tag, hold) : Exit.succeed(refusal)
  }

  #hold(tag: "Hold" | "Extend", { accountId, callId, minimum, wanted }: HoldAsk): Effect.Effect<Admission> {
    const command = { _tag: tag, callId, minimum, wanted } as const
    const asked = this.wallets.askUnsafe(accountId, command, this.#nowMs())
    return flatMapAtOnce(asked, (decided) => {
      switch (decided._tag) {
        case "Held":
          // The process may have been stopped while it waited: then this was not the node's to give any more.
          if (!Exit.isExit(asked) && (tag === "Hold" ? this.deadline.hasPassed : this.#mayBeOthers)) {
            if (tag === "Hold") this.wallets.release(accountId, callId)
            return Exit.succeed(notNow)
          }
          return Exit.succeed({
            _tag: "Admitted",
            granted: tag === "Hold" ? decided.amount : decided.granted
          })
        case "Insufficient":
          return Exit.succeed(insufficient)
        case "Disabled":
          return Exit.succeed(revoked)
        default:
          return Exit.succeed(notNow)
      }
    })
  }

  #nowMs(): number {
    return monotonicMsOf(this.#clock)
  }
}
