/** A journal's writer on a clock of the test's own, with a database and a disk that fail where a test wants it. */
import { Clock, Effect } from "effect"
import type { CallRecord } from "../../src/domain/call.ts"
import type { AccountId, CallId, KeyId } from "../../src/domain/ids.ts"
import { noWallets } from "../../src/ledger/journal/queued-calls.ts"
import type { JournalSession, JournalStore } from "../../src/ledger/journal/JournalStore.ts"
import { JournalWriter } from "../../src/ledger/journal/JournalWriter.ts"
import { SessionFailed } from "../../src/ledger/session.ts"
import type { CallBatch } from "../../src/storage/calls/commit-calls.ts"
import { callRecord } from "./call-record.ts"

const customer = { accountId: "acc_1" as AccountId, keyId: "key_1" as KeyId }
export const record = (name: number, cost = 1n) => callRecord(customer, `call_${name}` as CallId, cost)
export const escrow = { accountId: customer.accountId, amount: 5n, isExact: true }
const refusal = Object.assign(new Error("out of range"), { code: "22003" })

export const beginWriter = (nodes = 1) =>
  Effect.gen(function* () {
    const clock = yield* Clock.Clock
    const disk = { spooled: [] as Array<string>, aside: [] as Array<string>, clears: 0, isFull: false }
    const database = {
      isAway: false,
      refused: new Set<string>(),
      batches: [] as Array<CallBatch>,
      /** Which wallets were asked for, each time. */
      givenBack: [] as Array<ReadonlyArray<AccountId>>,
      pings: 0
    }
    const namesOf = (records: ReadonlyArray<CallRecord>) => records.map(({ callId }) => callId as string)
    const writer = new JournalWriter({
      clock,
      dateMs: Date.now,
      liveNodes: () => nodes,
      spool: {
        append: (records) => {
          if (disk.isFull) throw new Error("disk full")
          disk.spooled.push(...namesOf(records))
        },
        clear: () => void disk.clears++,
        setAside: (records) => void disk.aside.push(...namesOf(records)),
        close: () => {},
        leftBehind: () => ({ records: [], forget: () => {} })
      }
    })
    writer.owner = { ...noWallets, escrows: () => [escrow] }
    writer.state.available = true
    const store = {
      commit: async (batch: CallBatch) => {
        if (namesOf(batch.records).some((name) => database.refused.has(name))) throw refusal
        database.batches.push(batch)
      },
      giveBack: async (_escrows: unknown, recalled: ReadonlyArray<AccountId>) =>
        void database.givenBack.push(recalled),
      ping: async () => void database.pings++
    } as unknown as JournalStore
    const session: JournalSession = {
      node: { id: 1, slot: 0, token: "one", renewals: 0 },
      run: (operation, work) =>
        database.isAway
          ? Effect.fail(new SessionFailed({ operation, cause: new Error("connection lost") }))
          : Effect.tryPromise({
              try: () => work(store),
              catch: (cause) => new SessionFailed({ operation, cause })
            })
    }
    const outcomes: Array<string> = []
    const append = (name: number, cost = 1n) =>
      writer.append(record(name, cost), true, (outcome) => outcomes.push(`${name} ${outcome}`))
    return { writer, session, disk, database, outcomes, append, turn: writer.turn(session) }
  })
