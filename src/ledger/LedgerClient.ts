/** A gateway thread's side of the bridge: asks the ledger, many asks to a frame. */
import type { MessagePort } from "node:worker_threads"
import { Context, Effect, Schema } from "effect"
import { remember } from "../collections/remember.ts"
import { Slots } from "../collections/Slots.ts"
import type { CallRecord } from "../domain/call.ts"
import type { AccountId, CallId, KeyId } from "../domain/ids.ts"
import type { MicroVnd } from "../domain/money.ts"
import type { AllowanceWords } from "./AllowanceWords.ts"
import { askId, slotOf } from "./ask-ids.ts"
import { admission, type Message, operation, packFrame, packRecord, unpackFrame } from "./frames.ts"

/** The ledger can not say now: the database is away. */
export class LedgerUnavailable extends Schema.TaggedError<LedgerUnavailable>()("LedgerUnavailable", {}) {}

export interface KeyIdentity {
  readonly keyId: KeyId
  readonly accountId: AccountId
}

export type Admission =
  | { readonly _tag: "Admitted"; readonly granted: MicroVnd }
  | { readonly _tag: "Limited"; readonly retryAfterMs: number }
  | { readonly _tag: "Revoked" | "Insufficient" | "Unavailable" | "Maintenance" | "Draining" }

export class LedgerClient extends Context.Service<LedgerClient, LedgerConnection>()(
  "tollgate/ledger/LedgerClient"
) {}

/** A call that holds part of a wallet. */
export interface Holder {
  readonly id: CallId
  /** µVND that it holds out of this thread's allowance, until the ledger has heard of it. */
  fromAllowance: MicroVnd
}

/** Out of which this thread holds for calls of a key. */
interface KeyAllowance {
  readonly index: number
  readonly generation: number
}

/** How many asks may be unanswered before a thread refuses more calls. */
const openAsksMax = 50_000
/** A key's identity never changes, so it is kept; its status is asked, or vouched for by an allowance. */
const identitiesMax = 100_000
/** How many keys may be looked for at once: whoever makes keys up leaves room for calls. */
const identifyingMax = 2_000

/** What an ask is answered that can not even be sent: to admissions, and to questions for what the database knows. */
const notNow: Message = [0, admission.unavailable]
const notSaid: Message = [0, null]

/** What holding out of an allowance shows by itself. */
const funded = Effect.succeed<Admission>({ _tag: "Admitted", granted: 0n })

interface Ask {
  id: number
  readonly answer: (values: Message) => void
}

export class LedgerConnection {
  readonly #port: MessagePort
  readonly #waiting = new Slots<Ask>()
  #asked = 0
  readonly #identities = new Map<string, KeyIdentity>()
  #identifying = 0
  readonly #words: AllowanceWords
  readonly #allowances = new Map<KeyId, KeyAllowance>()
  #holdsFromAllowances = 0
  #frame: Array<Message> = []

  constructor(port: MessagePort, words: AllowanceWords) {
    this.#port = port
    this.#words = words
    port.on("message", (frame: Uint8Array) => this.#receive(frame))
  }

  /** Open calls that hold out of this thread's allowances. */
  get holdsFromAllowances(): number {
    return this.#holdsFromAllowances
  }

  /** Which key and account a secret belongs to, by its SHA-256 in hex; `undefined` for an unknown one. */
  identify(secretHash: string): Effect.Effect<KeyIdentity | undefined, LedgerUnavailable> {
    const known = this.#identities.get(secretHash)
    if (known !== undefined) return Effect.succeed(known)
    if (this.#identifying >= identifyingMax) return Effect.fail(new LedgerUnavailable())
    return Effect.callback((resume) => {
      this.#identifying++
      this.#ask([operation.identify, Buffer.from(secretHash, "hex")], notSaid, (values) => {
        this.#identifying--
        if (values[1] === null) return resume(Effect.fail(new LedgerUnavailable()))
        if (values.length === 1) return resume(Effect.succeed(undefined))
        const identity = { keyId: values[1] as KeyId, accountId: values[2] as AccountId }
        remember(this.#identities, secretHash, identity, identitiesMax)
        resume(Effect.succeed(identity))
      })
    })
  }

  /** Holds for a call, once: out of this thread's allowance where that suffices, at once; else the ledger is asked. */
  admit(
    { accountId, keyId }: KeyIdentity,
    call: Holder,
    { minimum, wanted }: { readonly minimum: MicroVnd; readonly wanted: MicroVnd }
  ): Effect.Effect<Admission> {
    if (this.#takes(keyId, wanted)) {
      call.fromAllowance = wanted
      this.#holdsFromAllowances++
      return Effect.succeed({ _tag: "Admitted", granted: wanted })
    }
    return Effect.callback((resume) => {
      this.#ask([operation.admit, accountId, keyId, call.id, minimum, wanted], notNow, (values) => {
        if (values.length === 5) {
          const allowance = { index: values[3] as number, generation: values[4] as number }
          remember(this.#allowances, keyId, allowance, identitiesMax)
        }
        resume(Effect.succeed(toAdmission(values)))
      })
    })
  }

  /** Whether a key may be used at all. */
  check(key: KeyIdentity): Effect.Effect<Admission> {
    return this.#check(key, null)
  }

  /** Whether a key may be used and its wallet has anything left, before anything is done for a call that will cost. */
  checkFunds(key: KeyIdentity, callId: CallId): Effect.Effect<Admission> {
    const allowance = this.#allowances.get(key.keyId)
    const isFunded = allowance !== undefined && this.#words.isFunded(allowance.index, allowance.generation)
    return isFunded ? funded : this.#check(key, callId)
  }

  #check({ accountId, keyId }: KeyIdentity, callId: CallId | null): Effect.Effect<Admission> {
    return Effect.callback((resume) => {
      this.#ask([operation.check, accountId, keyId, callId], notNow, (values) =>
        resume(Effect.succeed(toAdmission(values)))
      )
    })
  }

  /** Asks for more while a stream runs; called from the relay's callbacks. */
  extend(
    accountId: AccountId,
    call: Holder,
    { minimum, wanted }: { readonly minimum: MicroVnd; readonly wanted: MicroVnd },
    answer: (admission: Admission) => void
  ): void {
    if (this.#isFull) return answer(toAdmission(notNow))
    this.#ask(
      [operation.extend, accountId, call.id, minimum, wanted, this.#handOver(call)],
      notNow,
      (values) => answer(toAdmission(values))
    )
  }

  /** Charges and logs a call; ends when that is committed, or spooled while the database is away. */
  settle(record: CallRecord, call: Holder): Effect.Effect<void> {
    return Effect.callback((resume) => {
      this.#ask([operation.settle, packRecord(record), true, this.#handOver(call)], undefined, () =>
        resume(Effect.void)
      )
    })
  }

  /** Logs a call without waiting: one that cost nothing, or whose client has gone. */
  record(record: CallRecord, call: Holder): void {
    this.#send([0, operation.settle, packRecord(record), false, this.#handOver(call)])
  }

  /** Tokens of the call of this account that stored an answer under this id; `undefined` when there is none. */
  storedCall(
    accountId: AccountId,
    storedIdHash: Uint8Array
  ): Effect.Effect<number | undefined, LedgerUnavailable> {
    return Effect.callback((resume) => {
      this.#ask([operation.storedCall, accountId, storedIdHash], notSaid, (values) =>
        resume(
          values[1] === null
            ? Effect.fail(new LedgerUnavailable())
            : Effect.succeed(values[1] as number | undefined)
        )
      )
    })
  }

  get #isFull(): boolean {
    return this.#waiting.size >= openAsksMax
  }

  #takes(keyId: KeyId, wanted: MicroVnd): boolean {
    const allowance = this.#allowances.get(keyId)
    // What costs nothing fits into the emptiest allowance, and is refused all the same when the wallet is empty.
    if (allowance === undefined || wanted === 0n || this.#isFull) return false
    const taken = this.#words.take(allowance.index, allowance.generation, wanted)
    if (taken === "ended") this.#allowances.delete(keyId)
    return taken === "taken"
  }

  /** The ledger takes over what the call held here. */
  #handOver(call: Holder): MicroVnd {
    const amount = call.fromAllowance
    if (amount > 0n) this.#holdsFromAllowances--
    call.fromAllowance = 0n
    return amount
  }

  /** `tooMany` is the answer where so many asks are open already; what must be said in any case has none. */
  #ask(question: Message, tooMany: Message | undefined, answer: (values: Message) => void): void {
    if (tooMany !== undefined && this.#isFull) return answer(tooMany)
    const ask: Ask = { id: 0, answer }
    ask.id = askId(this.#asked++, this.#waiting.add(ask))
    this.#send([ask.id, ...question])
  }

  #send(message: Message): void {
    this.#frame.push(message)
    if (this.#frame.length > 1) return
    // Everything asked in this turn of the event loop shares a frame.
    setImmediate(() => {
      const frame = packFrame(this.#frame)
      this.#frame = []
      this.#port.postMessage(frame, [frame.buffer])
    })
  }

  #receive(frame: Uint8Array): void {
    for (const message of unpackFrame(frame)) {
      const id = message[0] as number
      const slot = slotOf(id)
      if (this.#waiting.get(slot)?.id === id) this.#waiting.remove(slot)!.answer(message)
    }
  }
}

const toAdmission = (values: Message): Admission => {
  switch (values[1]) {
    case admission.admitted:
      return { _tag: "Admitted", granted: BigInt(values[2] as bigint | number) }
    case admission.limited:
      return { _tag: "Limited", retryAfterMs: values[2] as number }
    case admission.revoked:
      return { _tag: "Revoked" }
    case admission.insufficient:
      return { _tag: "Insufficient" }
    case admission.maintenance:
      return { _tag: "Maintenance" }
    case admission.draining:
      return { _tag: "Draining" }
    default:
      return { _tag: "Unavailable" }
  }
}
