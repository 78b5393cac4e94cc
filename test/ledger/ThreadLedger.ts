/** A ledger as a gateway thread meets it: over a port, and with allowances. */
import { Effect, Layer, ManagedRuntime } from "effect"
import { MessageChannel } from "node:worker_threads"
import type { CallRecord } from "../../src/domain/call.ts"
import type { CallId, KeyId } from "../../src/domain/ids.ts"
import type { Admission, Demand, KeyIdentity } from "../../src/ledger/bridge/protocol.ts"
import type { MicroVnd } from "../../src/domain/money.ts"
import type { Outcome } from "../../src/ledger/journal/queued-calls.ts"
import { Ledger } from "../../src/ledger/node/Ledger.ts"
import type { LedgerShape } from "../../src/ledger/node/ledger-shape.ts"
import { type Holder, LedgerClient } from "../../src/ledger/bridge/LedgerClient.ts"
import { LedgerServer, type ThreadLink } from "../../src/ledger/node/LedgerServer.ts"
import { KeyDirectory } from "../../src/ledger/bridge/KeyDirectory.ts"
import { KeyLookups } from "../../src/ledger/bridge/KeyLookups.ts"
import { callRecord, type Customer } from "./call-record.ts"
import { noReports } from "./no-reports.ts"
import { type TestLedger } from "./start-ledger.ts"

export class ThreadLedger {
  readonly client: LedgerClient
  readonly link: ThreadLink
  /** Calls that were held for without asking, so far. */
  heldByItself = 0
  readonly #calls = new Map<CallId, Holder>()

  constructor(client: LedgerClient, link: ThreadLink) {
    this.client = client
    this.link = link
  }

  /** With the functions of the ledger itself. */
  get ledger(): Pick<LedgerShape, "admitUnsafe" | "checkUnsafe" | "extendUnsafe" | "release"> {
    return {
      admitUnsafe: (hold) => this.#admit(hold, hold.callId, hold),
      checkUnsafe: (customer, callId) => this.client.checkFunds(customer, callId!),
      extendUnsafe: (hold) =>
        Effect.callback((resume) =>
          this.client.extend(hold.accountId, this.#call(hold.callId), hold, (answer) =>
            resume(Effect.succeed(answer))
          )
        ),
      release: (accountId, callId) =>
        this.client.record(callRecord({ accountId, keyId: "key" as KeyId }, callId, 0n), this.#call(callId))
    }
  }

  admit(customer: Customer, callId: CallId, wanted: MicroVnd, minimum = wanted): Promise<Admission> {
    return Effect.runPromise(this.#admit(customer, callId, { minimum, wanted }))
  }

  settle(record: CallRecord): Promise<Outcome> {
    return Effect.runPromise(
      this.client.settle(record, this.#call(record.callId)).pipe(
        Effect.as<Outcome>("committed"),
        Effect.catchTag("HoldLost", () => Effect.succeed<Outcome>("unpaid"))
      )
    )
  }

  #admit(customer: KeyIdentity, callId: CallId, hold: Demand) {
    const call = this.#call(callId)
    const admitted = this.client.admitUnsafe(customer, call, hold)
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
    Layer.provide([Layer.succeed(Ledger, ledger), Layer.succeed(KeyDirectory, new KeyLookups()), noReports])
  )
  // Never disposed of: what waits in it is answered by the ledger, which ends with its test.
  const server = await ManagedRuntime.make(layer).runPromise(LedgerServer)
  const { port1, port2 } = new MessageChannel()
  const link = server.connect(port1)
  return new ThreadLedger(new LedgerClient(port2, link.allowances, link.deadline), link)
}
