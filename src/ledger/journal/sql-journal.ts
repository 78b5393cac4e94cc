/** The journal's sessions in PostgreSQL: one connection, whose statements are its node's present ones or do nothing. */
import { Effect } from "effect"
import type { CallRecord } from "../../domain/call.ts"
import type { CallId } from "../../domain/ids.ts"
import { holdBudgets, releaseBudgets } from "../../storage/keys/BudgetStore.ts"
import { commitCalls, type NamedParts } from "../../storage/calls/commit-calls.ts"
import { claimWallets, giveBack, type NodeSession, returnWallets } from "../../storage/EscrowStore.ts"
import { findCalls, findStoredCall, findStoredItems, loadKeys } from "../../storage/LedgerStore.ts"
import { takePermits } from "../../storage/keys/LimitStore.ts"
import { beginJournal, type KnownNode } from "../../storage/NodeStore.ts"
import type { Sql } from "../../storage/postgres/Connection.ts"
import { openWatched } from "../open-watched.ts"
import { runOn } from "../session.ts"
import { answerWithinMs, type JournalConnector, type JournalStore, SessionOver } from "./JournalStore.ts"

export const sqlJournal = (databaseUrl: string): JournalConnector => ({
  open: (node, onLost) =>
    Effect.gen(function* () {
      const connection = yield* openWatched(databaseUrl, { name: "tollgate journal", onLost })
      const run = (session: number) => {
        const store = storeOf(connection.sql, { nodeId: node.id, slot: node.slot, session })
        return runOn(store, connection, { answerWithinMs, onTimeout: onLost })
      }
      const session = yield* run(0)("begin the journal", () => beginSession(connection.sql, node))
      return { node, run: run(session) }
    })
})

/** How long a statement may wait for a lock: another node's are held for moments only. */
const lockTimeout = "2s"

/** Answers its number. Fails with `SessionOver` where the node is, or is not remembered. */
export const beginSession = async (sql: Sql, node: KnownNode): Promise<number> => {
  await sql.unsafe(`set lock_timeout = '${lockTimeout}'`)
  // Each statement is planned once. Left to itself PostgreSQL plans small commits anew each time, for 2 ms of its CPU.
  await sql.unsafe("set plan_cache_mode = 'force_generic_plan'")
  const session = await beginJournal(sql, node)
  if (session === undefined) throw new SessionOver()
  return session
}

const storeOf = (sql: Sql, session: NodeSession, named: NamedParts = new Set()): JournalStore => ({
  commit: async (batch) => {
    if (!(await commitCalls(sql, session, batch, named))) throw new SessionOver()
  },
  claim: async (asks) => {
    const claims = await claimWallets(sql, session, asks)
    if (claims === undefined) throw new SessionOver()
    return claims
  },
  giveBack: (escrows, recalled) => giveBack(sql, session, escrows, recalled),
  returnWallets: (accountIds) => returnWallets(sql, session, accountIds),
  findCalls: (records: ReadonlyArray<CallRecord>): Promise<ReadonlySet<CallId>> => findCalls(sql, records),
  loadKeys: (keyIds) => loadKeys(sql, keyIds),
  takePermits: (asks) => takePermits(sql, asks),
  holdBudgets: async (asks) => {
    const holds = await holdBudgets(sql, session, asks)
    if (holds === undefined) throw new SessionOver()
    return holds
  },
  releaseBudgets: (callIds) => releaseBudgets(sql, callIds),
  findStoredCall: (accountId, storedIdHash) => findStoredCall(sql, accountId, storedIdHash),
  findStoredItems: (accountId, hashes) => findStoredItems(sql, accountId, hashes),
  ping: async () => void (await sql`select 1`)
})
