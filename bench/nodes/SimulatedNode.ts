/** A node without HTTP: the real lease, ledger and journal, with connections of their own. Many fit into one process. */
import { Effect, Layer, Logger, ManagedRuntime } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { type CallId, makeCallId } from "../../src/domain/ids.ts"
import type { Admission, KeyIdentity } from "../../src/ledger/bridge/protocol.ts"
import * as Journal from "../../src/ledger/journal/Journal.ts"
import type { JournalConnector } from "../../src/ledger/journal/JournalStore.ts"
import { sqlJournal } from "../../src/ledger/journal/sql-journal.ts"
import * as Lease from "../../src/ledger/node/Lease.ts"
import { Ledger } from "../../src/ledger/node/Ledger.ts"
import type { LedgerShape } from "../../src/ledger/node/ledger-shape.ts"
import { type LeaseConnector, sqlLease } from "../../src/ledger/node/LeaseStore.ts"
import { NodeEvents } from "../../src/ledger/node/NodeEvents.ts"
import { NodeLife } from "../../src/ledger/NodeLife.ts"
import { FileTokens } from "../../src/ledger/node/NodeTokens.ts"
import { SessionFailed } from "../../src/ledger/session.ts"
import type { Database } from "../../src/storage/Database.ts"
import { callRecord } from "../../test/ledger/call-record.ts"

/** µVND. */
export const callHolds = 20_000_000n
export const callCosts = 4_000_000n

export class SimulatedNode {
  readonly #ledger: LedgerShape
  readonly #journal: Journal.Journal["Service"]
  readonly #close: () => Promise<void>
  readonly #isDead: { now: boolean }

  private constructor(
    ledger: LedgerShape,
    journal: Journal.Journal["Service"],
    isDead: { now: boolean },
    close: () => Promise<void>
  ) {
    this.#ledger = ledger
    this.#journal = journal
    this.#isDead = isDead
    this.#close = close
  }

  /** `database`: all nodes of this process read their settings by it. */
  static async start(url: string, database: Layer.Layer<Database>): Promise<SimulatedNode> {
    const dataDir = mkdtempSync(join(tmpdir(), "tollgate-node-"))
    const isDead = { now: false }
    const runtime = ManagedRuntime.make(
      Lease.layer({
        connector: unlessDead(sqlLease(url), isDead),
        tokens: new FileTokens(dataDir)
      }).pipe(
        Layer.provideMerge(NodeEvents.layer),
        Layer.provideMerge(Ledger.layer),
        Layer.provideMerge(Journal.layer({ connector: unlessDead(sqlJournal(url), isDead), dataDir })),
        Layer.provideMerge(NodeLife.layer),
        Layer.provide(database),
        Layer.provide(Logger.layer([]))
      )
    )
    const [ledger, journal] = await runtime.runPromise(Effect.all([Ledger, Journal.Journal]))
    return new SimulatedNode(ledger, journal, isDead, async () => {
      await runtime.dispose()
      rmSync(dataDir, { recursive: true, force: true })
    })
  }

  get serves(): boolean {
    return this.#journal.state.available && !this.#ledger.deadline.hasPassed
  }

  async untilServing(serving = true): Promise<void> {
    while (this.serves !== serving) await delay(2)
  }

  /** Answers at once, or when the database has said. */
  admit(customer: KeyIdentity, callId: CallId): Effect.Effect<Admission> {
    return Effect.suspend(() =>
      this.#ledger.admitUnsafe({ ...customer, callId, minimum: callHolds, wanted: callHolds })
    )
  }

  /** Ends when the charge is durable, or will not be. */
  settle(customer: KeyIdentity, callId: CallId): Effect.Effect<void> {
    return Effect.callback((resume) =>
      this.#ledger.settle(callRecord(customer, callId, callCosts), () => resume(Effect.void))
    )
  }

  call(customer: KeyIdentity): Effect.Effect<Admission["_tag"]> {
    return Effect.gen({ self: this }, function* () {
      const callId = makeCallId(Date.now())
      const { _tag } = yield* this.admit(customer, callId)
      if (_tag === "Admitted") yield* this.settle(customer, callId)
      return _tag
    })
  }

  stop(): Promise<void> {
    return this.#close()
  }

  /** As when the power goes: others have to find out. */
  die(): Promise<void> {
    this.#isDead.now = true
    return this.#close()
  }
}

/** A dead node says no goodbye. */
const unlessDead = <C extends JournalConnector | LeaseConnector>(
  connector: C,
  isDead: { readonly now: boolean }
): C => {
  const open = connector.open as unknown as (
    ...values: ReadonlyArray<never>
  ) => Effect.Effect<unknown, SessionFailed>
  return {
    open: (...values: ReadonlyArray<never>) =>
      Effect.suspend(() =>
        isDead.now
          ? Effect.fail(new SessionFailed({ operation: "open", cause: new Error("dead") }))
          : open(...values)
      )
  } as unknown as C
}
