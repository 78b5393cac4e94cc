/**
 * Threads, the ledger that they ask, and the database behind it, each of which takes up what it is sent when it likes. What calls hold and
 * cost is kept in a plain account beside.
 */
import { assert } from "@effect/vitest"
import { Effect, Layer, ManagedRuntime } from "effect"
import { MessageChannel, type MessagePort, receiveMessageOnPort } from "node:worker_threads"
import type { CallRecord } from "../../src/domain/call.ts"
import { grantOf } from "../../src/domain/escrow.ts"
import type { AccountId, CallId, KeyId } from "../../src/domain/ids.ts"
import type { MicroVnd } from "../../src/domain/money.ts"
import { KeyDirectory } from "../../src/ledger/bridge/KeyDirectory.ts"
import { KeyLookups } from "../../src/ledger/bridge/KeyLookups.ts"
import { LeaseDeadline } from "../../src/ledger/bridge/LeaseDeadline.ts"
import { LedgerClient } from "../../src/ledger/bridge/LedgerClient.ts"
import {
  costsOf,
  type BetweenCommits,
  noWallets,
  type QueuedCall
} from "../../src/ledger/journal/queued-calls.ts"
import { Journal } from "../../src/ledger/journal/Journal.ts"
import { newState } from "../../src/ledger/journal/journal-state.ts"
import type { JournalStore } from "../../src/ledger/journal/JournalStore.ts"
import { Ledger } from "../../src/ledger/node/Ledger.ts"
import { LedgerServer, type ThreadLink } from "../../src/ledger/node/LedgerServer.ts"
import { NodeLife } from "../../src/ledger/NodeLife.ts"
import { noReports } from "./no-reports.ts"

export const customer = { accountId: "acc_1" as AccountId, keyId: "key_1" as KeyId, secret: 0 }

const plainKey = {
  ...customer,
  active: true,
  rateLimitPerMinute: 0,
  paused: false,
  expiresAtMs: undefined,
  budgets: undefined,
  rules: undefined,
  formerSecretUntilMs: undefined
}

/** What was sent to this end of a channel is taken up one by one, when a test says so. */
const byHand = (port: MessagePort) => {
  let listener: (frame: Uint8Array) => void = () => {}
  port.on = ((_: string, given: typeof listener) => {
    listener = given
    return port
  }) as typeof port.on
  return (): boolean => {
    const sent = receiveMessageOnPort(port)
    if (sent !== undefined) listener(sent.message as Uint8Array)
    return sent !== undefined
  }
}

export interface Thread {
  readonly client: LedgerClient
  readonly link: ThreadLink
  /** The ledger takes up one frame of the thread's, or the thread one of the ledger's. */
  readonly ask: () => boolean
  readonly hear: () => boolean
}

/** The database: one wallet, of which this node has a part. */
class PlainJournal {
  balance: MicroVnd
  escrow = 0n
  readonly state = { ...newState(), available: true }
  /** Calls that were charged, or are about to be. */
  readonly charged = new Map<CallId, MicroVnd>()
  readonly #queue: Array<QueuedCall> = []
  #between: Array<BetweenCommits> = []
  #owner = noWallets
  #givesBack = false

  readonly #isAlone: boolean

  constructor(balance: MicroVnd, isAlone: boolean) {
    this.balance = balance
    this.#isAlone = isAlone
  }

  readonly service = {
    state: this.state,
    append: (record: CallRecord, done: QueuedCall["done"]) => {
      if (record.cost > 0n) {
        assert.isFalse(this.charged.has(record.callId), "a call is charged twice")
        this.charged.set(record.callId, record.cost)
      }
      const state = { isOwn: true, spooled: false, attempted: false }
      this.#queue.push({ record, queuedAtMs: 0, done, ...state })
    },
    appendUnpaid: () => {},
    between: (work: BetweenCommits) => void this.#between.push(work),
    giveBack: () => void (this.#givesBack = true),
    serves: (owner: typeof noWallets) => void (this.#owner = owner),
    onLoss: () => {}
  } as unknown as Journal["Service"]

  get #store(): JournalStore {
    return {
      loadKeys: async () => [plainKey],
      claim: async (asks) =>
        [...asks].map(([accountId, ask]) => {
          const grant = grantOf(ask, {
            free: this.balance - this.escrow,
            isAlone: this.#isAlone,
            othersIdle: false,
            unheard: 0n
          })
          this.escrow += grant.granted
          const [amount, free] = [this.escrow, this.balance - this.escrow]
          const { granted, isExact, isPending, isUnheard } = grant
          return {
            accountId,
            granted,
            isExact,
            isPending,
            isUnheard,
            amount,
            free,
            elsewhere: 0n,
            active: true
          }
        }),
      returnWallets: async () => void (this.escrow = 0n)
    } satisfies Partial<JournalStore> as unknown as JournalStore
  }

  get hasWork(): boolean {
    return this.#queue.length + this.#between.length > 0 || this.#givesBack
  }

  /** As the real one: all that waits is written, and what the node has is told; then what is asked is answered. */
  async turn(): Promise<void> {
    this.#givesBack = false
    this.#owner.takeRecalled()
    const batch = this.#queue.splice(0)
    const escrows = this.#owner.escrows(costsOf(batch))
    for (const { record } of batch) this.balance -= record.cost
    for (const { amount } of escrows) this.escrow = amount
    assert.isTrue(this.escrow <= this.balance, "the node has more than there is")
    for (const entry of batch) entry.done("committed")
    const waiting = this.#between
    this.#between = []
    await Promise.all(waiting.map((work) => work.run(this.#store)))
  }

  /** The database does not answer: what is asked of it fails. */
  fail(): void {
    for (const work of this.#between.splice(0)) work.failed()
  }
}

/** A ledger with a database of its own; `isAlone`: no other node has anything to do with the wallet. */
export const startBridge = (balance: MicroVnd, isAlone: boolean) => {
  const journal = new PlainJournal(balance, isAlone)
  const deadline = LeaseDeadline.make()
  deadline.set(deadline.now(), 3_600_000)
  const ledgers = Ledger.layerWith({ mailboxCapacity: 100 }).pipe(
    Layer.provide([Layer.succeed(Journal, journal.service), NodeLife.layerWith(deadline)])
  )
  const servers = LedgerServer.layer.pipe(
    Layer.provideMerge(ledgers),
    Layer.provide([Layer.succeed(KeyDirectory, new KeyLookups()), noReports])
  )
  const runtime = ManagedRuntime.make(servers)
  const server = runtime.runSync(Effect.service(LedgerServer))
  const ledger = runtime.runSync(Effect.service(Ledger))
  const open = (): Thread => {
    const { port1, port2 } = new MessageChannel()
    const [ask, hear] = [byHand(port1), byHand(port2)]
    const link = server.connect(port1)
    return { client: new LedgerClient(port2, link.allowances, link.deadline), link, ask, hear }
  }
  return { journal, ledger, open, stop: () => runtime.dispose() }
}
