/** Writes as a running node does: under a lease and in a session of its own, which ends with the work. */
import { randomUUID } from "node:crypto"
import type { CallRecord } from "../../src/domain/call.ts"
import type { NodeSession } from "../../src/storage/EscrowStore.ts"
import { commitCalls } from "../../src/storage/calls/commit-calls.ts"
import { beginJournal, leaveNode, type Node, registerNode } from "../../src/storage/NodeStore.ts"
import type { Sql } from "../../src/storage/Database.ts"

export const asNode = async <A>(
  sql: unknown,
  write: (session: NodeSession, node: Node) => Promise<A>
): Promise<A> => {
  const connection = sql as Sql
  const node = await registerNode(connection, randomUUID(), [])
  const session = (await beginJournal(connection, node))!
  try {
    return await write({ nodeId: node.id, slot: node.slot, session }, node)
  } finally {
    await leaveNode(connection, node)
  }
}

/** Charged to their wallets without having been held. */
export const commitUnclaimed = (sql: unknown, records: ReadonlyArray<CallRecord>): Promise<boolean> =>
  asNode(sql, (session) => commitCalls(sql as Sql, session, { records, escrows: [] }))
