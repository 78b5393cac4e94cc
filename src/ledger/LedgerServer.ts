/** The ledger's side of the bridge to gateway threads: frames in, decisions, frames out. */
import type { MessagePort } from "node:worker_threads"
import { Context, Effect, Layer } from "effect"
import type { AccountId, CallId, KeyId } from "../domain/ids.ts"
import type { MicroVnd } from "../domain/money.ts"
import type { AllowanceWords } from "./AllowanceWords.ts"
import { admission, type Message, operation, packFrame, unpackFrame, unpackRecord } from "./frames.ts"
import { KeyDirectory } from "./KeyDirectory.ts"
import { Ledger, type LedgerShape } from "./Ledger.ts"
import { ThreadAllowances } from "./ThreadAllowances.ts"

export interface ThreadLink {
  /** What the thread may hold by itself. */
  readonly allowances: AllowanceWords
  /** The thread is gone: all that it held is released. */
  dispose(): void
}

export class LedgerServer extends Context.Service<
  LedgerServer,
  {
    /** Serves a gateway thread over its end of a channel. */
    connect(port: MessagePort): ThreadLink
  }
>()("tollgate/ledger/LedgerServer") {
  static readonly layer = Layer.effect(
    LedgerServer,
    Effect.gen(function* () {
      const ledger = yield* Ledger
      const keys = yield* KeyDirectory
      return LedgerServer.of({ connect: (port) => new Link(ledger, keys, port) })
    })
  )
}

class Link implements ThreadLink {
  readonly #ledger: LedgerShape
  readonly #keys: KeyDirectory["Service"]
  readonly #port: MessagePort
  readonly #allowances = new ThreadAllowances()
  /** What this thread holds beside, so that it can be released if the thread dies. */
  readonly #open = new Map<CallId, AccountId>()
  #answers: Array<Message> = []
  #receiving = false
  #flushing = false
  #disposed = false

  constructor(ledger: LedgerShape, keys: KeyDirectory["Service"], port: MessagePort) {
    this.#ledger = ledger
    this.#keys = keys
    this.#port = port
    port.on("message", (frame: Uint8Array) => this.#receive(frame))
  }

  get allowances(): AllowanceWords {
    return this.#allowances.words
  }

  dispose(): void {
    this.#disposed = true
    this.#port.close()
    for (const [callId, accountId] of this.#open) this.#ledger.release(accountId, callId)
    this.#ledger.wallets.endThread(this.#allowances.thread)
  }

  #receive(frame: Uint8Array): void {
    this.#receiving = true
    for (const message of unpackFrame(frame)) this.#serve(message)
    this.#receiving = false
    this.#flush()
  }

  #serve(message: Message): void {
    const id = message[0] as number
    switch (message[1]) {
      case operation.identify:
        return this.#keys.identify(message[2] as Uint8Array, (found) =>
          this.#answer(
            found === null ? [id, null] : found === undefined ? [id] : [id, found.keyId, found.accountId]
          )
        )
      case operation.admit:
        return this.#admit(id, message)
      case operation.extend: {
        const hold = holdOf(message[2], message[3], message[4], message[5])
        if (this.#adopt(hold.accountId, hold.callId, message[6])) this.#open.set(hold.callId, hold.accountId)
        return this.#ledger.extend(hold, (decided) => this.#answer([id, ...decided]))
      }
      case operation.settle:
        return this.#settle(id, message)
      case operation.check:
        return this.#ledger.check(
          { accountId: message[2] as AccountId, keyId: message[3] as KeyId },
          message[4] as CallId | null,
          (decided) => this.#answer([id, ...decided])
        )
      case operation.storedCall:
        return this.#ledger.storedCall(message[2] as AccountId, message[3] as Uint8Array, (tokens) =>
          this.#answer(tokens === undefined ? [id] : [id, tokens])
        )
    }
  }

  /** A call that was held for out of the thread's allowance holds by itself from now on. */
  #adopt(accountId: AccountId, callId: CallId, fromAllowance: unknown): boolean {
    const amount = BigInt(fromAllowance as MicroVnd | number)
    if (amount === 0n) return false
    this.#ledger.wallets.adopt(accountId, { thread: this.#allowances.thread, callId, amount }, Date.now())
    return true
  }

  #admit(id: number, message: Message): void {
    const keyId = message[3] as KeyId
    const hold = holdOf(message[2], message[4], message[5], message[6])
    this.#open.set(hold.callId, hold.accountId)
    this.#ledger.admit(keyId, hold, (decided) => {
      // The call may have ended while its admission waited for the database.
      if (this.#disposed || !this.#open.has(hold.callId)) {
        this.#ledger.release(hold.accountId, hold.callId)
        return this.#answer([id, admission.unavailable])
      }
      if (decided[0] !== admission.admitted) {
        this.#open.delete(hold.callId)
        return this.#answer([id, ...decided])
      }
      const { accountId, wanted } = hold
      const allowance = this.#ledger.allow(this.#allowances, { accountId, keyId, wanted })
      this.#answer(
        allowance === undefined ? [id, ...decided] : [id, ...decided, allowance.index, allowance.generation]
      )
    })
  }

  #settle(id: number, message: Message): void {
    const record = unpackRecord(message[2] as Message)
    const { accountId, callId } = record
    const adopted = this.#adopt(accountId, callId, message[4])
    if (!adopted) this.#open.delete(callId)
    this.#ledger.settle(record, message[3] === true ? () => this.#answer([id]) : () => {})
    if (adopted) this.#ledger.wallets.fillUp(accountId, this.#allowances.thread)
  }

  #answer(message: Message): void {
    if (this.#disposed) return
    this.#answers.push(message)
    if (this.#receiving || this.#flushing) return
    // One commit answers many calls in one turn: they go back in one frame.
    this.#flushing = true
    queueMicrotask(() => {
      this.#flushing = false
      this.#flush()
    })
  }

  #flush(): void {
    if (this.#answers.length === 0 || this.#disposed) return
    const frame = packFrame(this.#answers)
    this.#answers = []
    this.#port.postMessage(frame, [frame.buffer])
  }
}

const holdOf = (accountId: unknown, callId: unknown, minimum: unknown, wanted: unknown) => ({
  accountId: accountId as AccountId,
  callId: callId as CallId,
  minimum: BigInt(minimum as MicroVnd | number),
  wanted: BigInt(wanted as MicroVnd | number)
})
