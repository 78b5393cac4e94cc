/** A ledger as a gateway thread meets it: over a port, and with allowances. */
import { Effect, Layer } from "effect"
import { MessageChannel } from "node:worker_threads"
import type { CallRecord } from "../../src/domain/call.ts"
import type { AccountId, CallId, KeyId } from "../../src/domain/ids.ts"
import type { MicroVnd } from "../../src/domain/money.ts"
import { admission } from "../../src/ledger/frames.ts"
import { KeyDirectory } from "../../src/ledger/KeyDirectory.ts"
import { KeyLookups } from "../../src/ledger/KeyLookups.ts"
import { type AdmissionValues, type Hold, Ledger } from "../../src/ledger/Ledger.ts"
import { type Admission, type Holder, LedgerConnection } from "../../src/ledger/LedgerClient.ts"
import { LedgerServer, type ThreadLink } from "../../src/ledger/LedgerServer.ts"
import { callRecord, type Customer, type TestLedger } from "./start-ledger.ts"

export class ThreadLedger {
  readonly client: LedgerConnection
  readonly link: ThreadLink
  /** Calls that were held for without asking, so far. */
  heldByItself = 0
  readonly #calls = new Map<CallId, Holder>()

  constructor(client: LedgerConnection, link: ThreadLink) {
    this.client = client
    this.link = link
  }

  /** With the callbacks of the ledger itself. */
  get ledger() {
    return {
      admit: (keyId: KeyId, hold: Hold, answer: (admission: AdmissionValues) => void) =>
        Effect.runCallback(this.#admit({ accountId: hold.accountId, keyId }, hold.callId, hold), {
          onExit: (exit) => answer(exit._tag === "Success" ? codeOf(exit.value) : [admission.unavailable])
        }),
      check: (customer: Customer, callId: CallId, answer: (admission: AdmissionValues) => void) =>
        Effect.runCallback(this.client.checkFunds(customer, callId), {
          onExit: (exit) => answer(exit._tag === "Success" ? codeOf(exit.value) : [admission.unavailable])
        }),
      extend: (hold: Hold, answer: (admission: AdmissionValues) => void) =>
        this.client.extend(hold.accountId, this.#call(hold.callId), hold, (answered) =>
          answer(codeOf(answered))
        ),
      release: (accountId: AccountId, callId: CallId) =>
        this.client.record(callRecord({ accountId, keyId: "key" as KeyId }, callId, 0n), this.#call(callId))
    }
  }

  admit(customer: Customer, callId: CallId, wanted: MicroVnd, minimum = wanted): Promise<Admission> {
    return Effect.runPromise(this.#admit(customer, callId, { minimum, wanted }))
  }

  settle(record: CallRecord): Promise<void> {
    return Effect.runPromise(this.client.settle(record, this.#call(record.callId)))
  }

  #admit(customer: Customer, callId: CallId, hold: Pick<Hold, "minimum" | "wanted">) {
    const call = this.#call(callId)
    const admitted = this.client.admit(customer, call, hold)
    if (call.fromAllowance > 0n) this.heldByItself++
    return admitted
  }

  #call(callId: CallId): Holder {
    let call = this.#calls.get(callId)
    if (call === undefined) this.#calls.set(callId, (call = { id: callId, fromAllowance: 0n }))
    return call
  }
}

/** Connects another thread to a ledger. It shares the test's own thread. */
export const startThread = async ({ ledger }: TestLedger): Promise<ThreadLedger> => {
  const layer = LedgerServer.layer.pipe(
    Layer.provide([Layer.succeed(Ledger, ledger), Layer.succeed(KeyDirectory, new KeyLookups())])
  )
  const server = await Effect.runPromise(Effect.provide(LedgerServer, layer))
  const { port1, port2 } = new MessageChannel()
  const link = server.connect(port1)
  return new ThreadLedger(new LedgerConnection(port2, link.allowances), link)
}

const codeOf = (answer: Admission): AdmissionValues => {
  switch (answer._tag) {
    case "Admitted":
      return [admission.admitted, answer.granted]
    case "Limited":
      return [admission.limited, answer.retryAfterMs]
    case "Revoked":
      return [admission.revoked]
    case "Insufficient":
      return [admission.insufficient]
    default:
      return [admission.unavailable]
  }
}
