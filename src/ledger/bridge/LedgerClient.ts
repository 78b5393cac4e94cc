/** A gateway thread's side of the bridge: asks the ledger, many asks to a frame. */
import type { MessagePort } from "node:worker_threads"
import { Context, Effect, Exit, Schema } from "effect"
import { remember } from "../../collections/remember.ts"
import { Slots } from "../../collections/Slots.ts"
import type { CallRecord } from "../../domain/call.ts"
import type { StoredItems } from "../../domain/stored-answer.ts"
import type { AccountId, CallId, KeyId } from "../../domain/ids.ts"
import type { MicroVnd } from "../../domain/money.ts"
import type { AllowanceWords } from "./AllowanceWords.ts"
import { AskFrames } from "./AskFrames.ts"
import { askId, slotOf } from "./ask-ids.ts"
import { unpackAnswers } from "./frames.ts"
import { KnownKeys } from "./KnownKeys.ts"
import type { LeaseDeadline } from "./LeaseDeadline.ts"
import type {
  Admission,
  AllowancePlace,
  Answer,
  Demand,
  KeyIdentity,
  KeyReport,
  KeyReportAsk,
  Question
} from "./protocol.ts"

/** The ledger can not say now: the database is away. */
export class LedgerUnavailable extends Schema.TaggedError<LedgerUnavailable>()("LedgerUnavailable", {}) {}

/** What the call held had been lost: it is not charged, and its answer must not go out. */
export class HoldLost extends Schema.TaggedError<HoldLost>()("HoldLost", {}) {}

/** A call that holds part of a wallet. */
export interface Holder {
  readonly id: CallId
  /** µVND that it holds out of this thread's allowance, until the ledger has heard of it. */
  fromAllowance: MicroVnd
}

/** How many asks may be unanswered before a thread refuses more calls. */
const openAsksMax = 50_000
/** How many keys may be looked for at once: whoever makes keys up leaves room for calls. */
const identifyingMax = 2_000
/** Keys whose allowances are remembered: calls of any others ask. */
const allowancesMax = 100_000

const unavailable = { _tag: "Unavailable" } as const
const notAnswered = Effect.fail(new LedgerUnavailable())

/** What an allowance shows by itself. */
const funded = Exit.succeed<Admission>({ _tag: "Admitted", granted: 0n })

/** With one secret of a key; another may have ended. */
interface KeyAllowance extends AllowancePlace {
  readonly secret: number
}

interface Ask {
  id: number
  readonly answer: (answer: Answer) => void
}

export class LedgerClient {
  static readonly service = Context.Service<LedgerClient>("tollgate/ledger/LedgerClient")

  /** By which calls are dated; ms since 1970. */
  readonly dateMs: () => number
  readonly #frames: AskFrames
  readonly #waiting = new Slots<Ask>()
  #asked = 0
  readonly #known: KnownKeys
  #identifying = 0
  readonly #words: AllowanceWords
  readonly #deadline: LeaseDeadline
  readonly #allowances = new Map<KeyId, KeyAllowance>()
  #holdsFromAllowances = 0

  constructor(port: MessagePort, words: AllowanceWords, deadline: LeaseDeadline) {
    this.#frames = new AskFrames(port)
    this.#words = words
    this.#deadline = deadline
    this.#known = new KnownKeys(deadline)
    this.dateMs = () => deadline.dateMs()
    port.on("message", (frame: Uint8Array) => this.#receive(frame))
  }

  /** Open calls that hold out of this thread's allowances. */
  get holdsFromAllowances(): number {
    return this.#holdsFromAllowances
  }

  /** Which key and account a secret belongs to, by its SHA-256 in hex; `undefined` for an unknown one. */
  identify(secretHash: string): Effect.Effect<KeyIdentity | undefined, LedgerUnavailable> {
    const known = this.#known.find(secretHash)
    if (known !== undefined) return Exit.succeed(known)
    if (this.#isFull || this.#identifying >= identifyingMax) return notAnswered
    const question = { _tag: "Identify", secretHash: Buffer.from(secretHash, "hex") } as const
    const { keeper: keep } = this.#known
    return Effect.callback((resume) => {
      this.#identifying++
      // Also when nobody waits for it any more.
      this.#send(question, (answer) => {
        this.#identifying--
        if (answer._tag !== "Identified") return resume(notAnswered)
        const { identity } = answer
        if (identity !== undefined) keep(secretHash, identity)
        resume(Effect.succeed(identity))
      })
    })
  }

  /**
   * Holds for a call, once, and now, not when the answer is run: out of this thread's allowance where that suffices, an
   * `Exit` then; else the ledger is asked.
   */
  admitUnsafe(identity: KeyIdentity, call: Holder, { minimum, wanted }: Demand): Effect.Effect<Admission> {
    const taken = this.#take(identity, call, wanted)
    if (taken !== undefined) return Exit.succeed(taken)
    const { accountId, keyId, secret } = identity
    const question = { _tag: "Admit", accountId, keyId, secret, callId: call.id, minimum, wanted } as const
    return Effect.map(this.#ask(question), (answer) => {
      const allowance = answer._tag === "Admitted" ? answer.allowance : undefined
      if (allowance !== undefined) {
        remember(this.#allowances, keyId, { ...allowance, secret }, allowancesMax)
      }
      // The process may have been stopped while the answer was on its way.
      return answer._tag === "Admitted" && this.#deadline.hasPassed ? unavailable : admissionOf(answer)
    })
  }

  /** Whether a key may be used at all. */
  check(key: KeyIdentity): Effect.Effect<Admission> {
    return this.#check(key, undefined)
  }

  /** Whether a key may be used and its wallet has anything left, before anything is done for a call that will cost. */
  checkFunds(key: KeyIdentity, callId: CallId): Effect.Effect<Admission> {
    const allowance = this.#allowanceOf(key)
    const isFunded =
      allowance !== undefined &&
      !this.#deadline.hasPassed &&
      this.#words.isFunded(allowance.index, allowance.generation)
    return isFunded ? funded : this.#check(key, callId)
  }

  /** Asks for more while a stream runs; called from the relay's callbacks. */
  extend(
    accountId: AccountId,
    call: Holder,
    { minimum, wanted }: Demand,
    answer: (admission: Admission) => void
  ): void {
    if (this.#isFull) return answer(unavailable)
    const fromAllowance = this.#handOver(call)
    const question = {
      _tag: "Extend",
      accountId,
      callId: call.id,
      minimum,
      wanted,
      fromAllowance
    } as const
    this.#send(question, (answered) => answer(admissionOf(answered)))
  }

  /** Charges and logs a call; ends when that is committed, or spooled while the database is away. */
  settle(record: CallRecord, call: Holder): Effect.Effect<void, HoldLost> {
    return Effect.callback((resume) => {
      const question = { _tag: "Settle", record, fromAllowance: this.#handOver(call) } as const
      this.#send(question, (answer) =>
        resume(answer._tag === "Unpaid" ? Effect.fail(new HoldLost()) : Effect.void)
      )
    })
  }

  /** Logs a call without waiting: one that cost nothing, or whose client has gone. */
  record(record: CallRecord, call: Holder): void {
    this.#send({ _tag: "Settle", record, fromAllowance: this.#handOver(call) })
  }

  /** Tokens of the call of this account that stored an answer under this id; `undefined` when there is none. */
  storedCall(
    accountId: AccountId,
    storedIdHash: Uint8Array
  ): Effect.Effect<number | undefined, LedgerUnavailable> {
    return Effect.flatMap(this.#ask({ _tag: "FindStoredCall", accountId, storedIdHash }), (answer) =>
      answer._tag === "StoredCall" ? Effect.succeed(answer.tokens) : notAnswered
    )
  }

  /** The items that calls of this account stored under these ids. */
  storedItems(
    accountId: AccountId,
    hashes: ReadonlyArray<Uint8Array>
  ): Effect.Effect<StoredItems, LedgerUnavailable> {
    return Effect.filterOrElse(
      this.#ask({ _tag: "FindStoredItems", accountId, hashes }),
      (answer) => answer._tag === "StoredItems",
      () => notAnswered
    )
  }

  /** What there is to say of a key's money. */
  report(ask: KeyReportAsk): Effect.Effect<KeyReport, LedgerUnavailable> {
    return Effect.filterOrElse(
      this.#ask({ _tag: "Report", ...ask }),
      (answer) => answer._tag === "Report",
      () => notAnswered
    )
  }

  /** Nothing is asked any more; what was asked before reaches the ledger. */
  close(): void {
    this.#frames.close()
  }

  #check({ accountId, keyId, secret }: KeyIdentity, callId: CallId | undefined): Effect.Effect<Admission> {
    return Effect.map(this.#ask({ _tag: "Check", accountId, keyId, secret, callId }), admissionOf)
  }

  get #isFull(): boolean {
    return this.#waiting.size >= openAsksMax
  }

  #allowanceOf({ keyId, secret }: KeyIdentity): KeyAllowance | undefined {
    const allowance = this.#allowances.get(keyId)
    return allowance?.secret === secret ? allowance : undefined
  }

  /** Holds out of the thread's allowance of this key, where it has one that suffices. */
  #take(identity: KeyIdentity, call: Holder, wanted: MicroVnd): Admission | undefined {
    const allowance = this.#allowanceOf(identity)
    // What costs nothing fits into the emptiest allowance, and is refused all the same when the wallet is empty.
    if (allowance === undefined || wanted === 0n || this.#isFull || this.#deadline.hasPassed) return undefined
    const taken = this.#words.take(allowance.index, allowance.generation, wanted)
    if (taken === "ended") this.#allowances.delete(identity.keyId)
    if (taken !== "taken") return undefined
    call.fromAllowance = wanted
    this.#holdsFromAllowances++
    // The process may have been stopped between the look and the take: then this was not the node's to give any more.
    return this.#deadline.hasPassed ? unavailable : { _tag: "Admitted", granted: wanted }
  }

  /** The ledger takes over what the call held here. */
  #handOver(call: Holder): MicroVnd {
    const amount = call.fromAllowance
    if (amount > 0n) this.#holdsFromAllowances--
    call.fromAllowance = 0n
    return amount
  }

  #ask(question: Question): Effect.Effect<Answer> {
    return Effect.callback((resume) => {
      if (this.#isFull) return resume(Effect.succeed(unavailable))
      this.#send(question, (answer) => resume(Effect.succeed(answer)))
    })
  }

  #send(question: Question, answer?: (answer: Answer) => void): void {
    let id = 0
    if (answer !== undefined) {
      const ask: Ask = { id, answer }
      id = ask.id = askId(this.#asked++, this.#waiting.add(ask))
    }
    this.#frames.push({ id, question })
  }

  #receive(frame: Uint8Array): void {
    for (const { answer, id } of unpackAnswers(frame)) {
      const slot = slotOf(id)
      if (this.#waiting.get(slot)?.id === id) this.#waiting.remove(slot)!.answer(answer)
    }
  }
}

const admissionOf = (answer: Answer): Admission => {
  switch (answer._tag) {
    case "Identified":
    case "Settled":
    case "Unpaid":
    case "StoredCall":
    case "StoredItems":
    case "Report":
      return unavailable
    case "Admitted": {
      const { granted, rules } = answer
      return rules === undefined ? { _tag: "Admitted", granted } : { _tag: "Admitted", granted, rules }
    }
    default:
      return answer
  }
}
