/** Writes as a running node does: under a lease and in a session of its own, which ends with the work. */
import { randomUUID } from "node:crypto"
import type { CallRecord } from "../../src/domain/call.ts"
import type { NodeSession } from "../../src/storage/EscrowStore.ts"
import { commitCalls } from "../../src/storage/commit-calls.ts"
import { beginJournal, leaveNode, registerNode } from "../../src/storage/NodeStore.ts"
import type { Sql } from "../../src/storage/Database.ts"

export const asNode = async <A>(sql: unknown, write: (session: NodeSession) => Promise<A>): Promise<A> => {
  const connection = sql as Sql
  const { id, slot } = await registerNode(connection, randomUUID(), [])
  const session = (await beginJournal(connection, id))!
  try {
    return await write({ nodeId: id, slot, session })
  } finally {
    await leaveNode(connection, id)
  }
}

/** Charged to their wallets without having been held. */
export const commitUnclaimed = (sql: unknown, records: ReadonlyArray<CallRecord>): Promise<boolean> =>
  asNode(sql, (session) => commitCalls(sql as Sql, session, { records, escrows: [] }))
