/** The ledger's side of the bridge to gateway threads: frames in, decisions, frames out. */
import type { MessagePort } from "node:worker_threads"
import { Context, Effect, Layer } from "effect"
import type { AccountId, CallId, KeyId } from "../domain/ids.ts"
import type { MicroVnd } from "../domain/money.ts"
import { admission, type Message, operation, packFrame, unpackFrame, unpackRecord } from "./frames.ts"
import { Ledger, type LedgerShape } from "./Ledger.ts"

export interface ThreadLink {
  /** The thread is gone: its open holds are released. Answers how many there were. */
  dispose(): number
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
      return LedgerServer.of({ connect: (port) => new Link(ledger, port) })
    })
  )
}

class Link implements ThreadLink {
  readonly #ledger: LedgerShape
  readonly #port: MessagePort
  /** What this thread holds, so that it can be released if the thread dies. */
  readonly #open = new Map<CallId, AccountId>()
  #answers: Array<Message> = []
  #receiving = false
  #flushing = false
  #disposed = false

  constructor(ledger: LedgerShape, port: MessagePort) {
    this.#ledger = ledger
    this.#port = port
    port.on("message", (frame: Uint8Array) => this.#receive(frame))
  }

  dispose(): number {
    this.#disposed = true
    this.#port.close()
    for (const [callId, accountId] of this.#open) this.#ledger.release(accountId, callId)
    return this.#open.size
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
        return this.#ledger.identify(message[2] as Uint8Array, (found) =>
          this.#answer(
            found === null ? [id, null] : found === undefined ? [id] : [id, found.keyId, found.accountId]
          )
        )
      case operation.admit:
        return this.#admit(id, message)
      case operation.extend: {
        const hold = holdOf(message[2], message[3], message[4], message[5])
        return this.#ledger.extend(hold, (decided) => this.#answer([id, ...decided]))
      }
      case operation.settle:
        return this.#settle(id, message)
      case operation.check:
        return this.#ledger.check(message[2] as AccountId, message[3] as KeyId, (decided) =>
          this.#answer([id, ...decided])
        )
      case operation.storedCall:
        return this.#ledger.storedCall(message[2] as AccountId, message[3] as Uint8Array, (tokens) =>
          this.#answer(tokens === undefined ? [id] : [id, tokens])
        )
    }
  }

  #admit(id: number, message: Message): void {
    const hold = holdOf(message[2], message[4], message[5], message[6])
    this.#open.set(hold.callId, hold.accountId)
    this.#ledger.admit(message[3] as KeyId, hold, (decided) => {
      // The call may have ended while its admission waited for the database.
      if (this.#disposed || !this.#open.has(hold.callId)) {
        this.#ledger.release(hold.accountId, hold.callId)
        return this.#answer([id, admission.unavailable])
      }
      if (decided[0] !== admission.admitted) this.#open.delete(hold.callId)
      this.#answer([id, ...decided])
    })
  }

  #settle(id: number, message: Message): void {
    const record = unpackRecord(message[2] as Message)
    this.#open.delete(record.callId)
    this.#ledger.settle(record, message[3] === true ? () => this.#answer([id]) : () => {})
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
